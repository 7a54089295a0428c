"""Who is who, told by a model that reads one chapter at a time: in time, and never before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from contracts.ids import WorkId
from contracts.ordinals import Ordinal
from contracts.ports import Memo
from contracts.tree import ChapterInputs, SceneInputs
from contracts.vectors import DIMENSIONS
from graph import fold
from graph.advising import Advising
from graph.memory import MemoryMemo
from processors.coverage import repair
from processors.litseg import Limits, LitSegLite
from processors.openai_chat import Endpoint, OpenAIChat
from processors.placing import ChatPlacementAdviser
from processors.remembering import Payer
from processors.scene_building import build_scenes
from processors.text import read_chapter
from replay.evaluation.characters import Found
from replay.evaluation.reveals import RevealFigures, annotated_books, measured
from replay.evaluation.shared_data import shared_data
from streams.settings import Settings
from tests.corpus import enough
from tests.model_server import ModelServer
from tests.model_server.gold import GoldScript, gold_chapters

LEAST_FOUND = 0.4
FEW = ("hound-of-the-baskervilles", "time-machine", "journey-to-the-west")
CONTEXT = 131_072
NOWHERE = bytes(2 * DIMENSIONS)
"""A vector that points nowhere: where scenes are put does not matter here."""


@pytest.fixture
def server(model_server: ModelServer) -> Iterator[ModelServer]:
    with model_server.anew(context=CONTEXT) as server:
        yield server


async def _chapters(chat: OpenAIChat, memo: Memo, book: str) -> list[ChapterInputs]:
    """Return a book as the fold reads it, its scenes told by the model."""
    segmenter = LitSegLite(chat, Payer(memo), Settings().sampling, Limits(CONTEXT, 3))
    chapters = []
    for published in gold_chapters(book):
        text = read_chapter(published)
        scenes = build_scenes(text, repair(text, await segmenter.segment(text)))
        inputs = tuple(SceneInputs(scene, NOWHERE) for scene in scenes)
        place = Ordinal.parse(published.ordinal)
        chapters.append(ChapterInputs(published.chapter_id, place, text.language, inputs))
    return chapters


async def _found(server: ModelServer, book: str) -> Found:
    """Return the characters of a book; the model is asked at the graft, too."""
    server.script = GoldScript(book)
    chat, memo = OpenAIChat(Endpoint(server.url, server.model)), MemoryMemo()
    advising = Advising(ChatPlacementAdviser(chat, Payer(memo), Settings().sampling, CONTEXT))
    found, state = Found(), fold.start(WorkId(book))
    for number, chapter in enumerate(await _chapters(chat, memo, book)):
        state, record = fold.graft(state, chapter, await advising(state, chapter))
        for operation in record.operations:
            found.take(operation, number)
    await chat.close()
    return found


@pytest.mark.corpus
@pytest.mark.timeout(900)
async def test_reveals_are_found_in_time_and_none_too_early(server: ModelServer) -> None:
    total = RevealFigures()
    for book in enough(annotated_books(), FEW):
        figures = measured(await _found(server, book), shared_data(), book)
        print(f"{book:30} {figures}")
        total += figures
    print(f"{'all':30} {total}")
    assert total.linked_early == total.wrong == 0
    assert total.found >= LEAST_FOUND * total.told
