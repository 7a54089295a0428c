"""Who is who, told by a model that reads one chapter at a time: in time, and never before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from contracts.ordinals import Ordinal
from contracts.tree import ChapterInputs, SceneInputs
from graph.memory import MemoryMemo
from processors.coverage import repair
from processors.litseg import Limits, LitSegLite
from processors.openai_chat import Endpoint, OpenAIChat
from processors.scene_building import build_scenes
from processors.text import read_chapter
from replay.evaluation.characters import Found, cast_of
from replay.evaluation.reveals import RevealFigures, annotated_books, measured
from replay.evaluation.shared_data import shared_data
from streams.settings import Settings
from tests.model_server import ModelServer
from tests.model_server.gold import GoldScript, gold_chapters

LEAST_FOUND = 0.4


@pytest.fixture
def server(model_server: ModelServer) -> Iterator[ModelServer]:
    with model_server.anew() as server:
        yield server


async def _cast(server: ModelServer, book: str) -> Found:
    """Return the characters of a book whose scenes the server tells."""
    server.script = GoldScript(book)
    chat = OpenAIChat(Endpoint(server.url, server.model, first_wait_s=0.01))
    segmenter = LitSegLite(chat, MemoryMemo(), Settings().sampling, Limits(131_072, 3))
    chapters = []
    for published in gold_chapters(book):
        text = read_chapter(published)
        scenes = build_scenes(text, repair(text, await segmenter.segment(text)))
        inputs = tuple(SceneInputs(scene, b"") for scene in scenes)
        place = Ordinal.parse(published.ordinal)
        chapters.append(ChapterInputs(published.chapter_id, place, text.language, inputs))
    await chat.close()
    return cast_of(chapters)


@pytest.mark.corpus
async def test_reveals_are_found_in_time_and_none_too_early(server: ModelServer) -> None:
    total = RevealFigures()
    for book in annotated_books():
        figures = measured(await _cast(server, book), shared_data(), book)
        print(f"{book:30} {figures}")  # noqa: T201 - for docs/figures.md
        total += figures
    print(f"{'all':30} {total}")  # noqa: T201
    assert total.linked_early == 0
    assert total.wrong == 0
