"""The map of whole novels: a prefix at every chapter, small enough, and worth reading."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from statistics import fmean
from typing import Final

import pytest

from contracts.budgets import USUAL
from contracts.ids import WorkId
from contracts.ports import BoundStory
from processors.cohesion import CohesionSegmenter
from processors.openai_chat import Endpoint, OpenAIChat
from processors.sif import SifEmbedder
from processors.static_words import count_tokens
from processors.story_map.showing import Maps
from replay.evaluation import map_reading
from replay.evaluation.annotated import IndexedBook, index, load
from replay.evaluation.held_out_search import held_out_retriever
from replay.evaluation.map_books import TOLD, map_book
from tests.corpus import enough
from tests.model_server import ModelServer
from tests.unit.processors.walking.walkers import script

pytestmark = pytest.mark.corpus

EMBEDDER: Final = SifEmbedder()
MAP_TOKENS_A_SCENE: Final = 90  # 9,000 for a novel of 100 scenes
REST_TOKENS: Final = 2_500
RECALL: Final = {500: 0.70, 1_000: 0.85}


@pytest.fixture
def server(model_server: ModelServer) -> Iterator[ModelServer]:
    with model_server.anew() as server:
        yield server


@pytest.mark.parametrize("name", ["alice-in-wonderland", "call-of-the-wild", "sign-of-the-four"])
async def test_the_map_of_a_book_grows_by_lines_only(name: str) -> None:
    book = await index(load(name), CohesionSegmenter(EMBEDDER), EMBEDDER)
    maps = [await _map(book, place) for place in range(len(book.book.chapters))]
    assert maps[0]
    for before, after in pairwise(maps):
        assert after.startswith(before)
        assert len(after) > len(before)
    scenes = maps[-1].count("\n") - 1
    assert count_tokens(maps[-1]) <= MAP_TOKENS_A_SCENE * scenes


async def _map(book: IndexedBook, place: int) -> str:
    ordinal = book.book.chapters[place].ordinal
    view: BoundStory | None = await book.tree.view(WorkId(book.book.name), ordinal)
    assert view is not None
    return Maps().shown(await view.outline(), USUAL.map_tokens, (), ()).text


@pytest.mark.parametrize(
    "name", enough(["alice-in-wonderland", "the-awakening"], ["alice-in-wonderland"])
)
async def test_a_server_that_reads_well_finds_most_of_the_evidence(
    name: str, server: ModelServer
) -> None:
    book = await map_book(name, TOLD, EMBEDDER)
    rule = await map_reading.choices(book)
    server.script = script(lambda heard: rule(heard.purpose, heard.user))
    chat = OpenAIChat(Endpoint(server.url, server.model))
    answers = map_reading.answerer(held_out_retriever(book.indexed, EMBEDDER), chat)
    for words, least in RECALL.items():
        shares = [
            await map_reading.share(book, answers, asked, words) for asked in book.book.questions
        ]
        assert fmean(shares) >= least
    for asked in book.book.questions[:3]:
        await answers.explained(book.view, asked.question, max(RECALL))
    await chat.close()
    assert {heard.purpose for heard in server.heard} == {"walk_look", "walk_step"}
    for heard in server.heard:
        shown, _, rest = heard.user.partition("END OF THE MAP")
        assert count_tokens(shown) <= 9_000
        assert count_tokens(heard.system + rest) <= REST_TOKENS
