"""What `estimate` says beforehand, what `status` says afterwards, and the limit of both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.events import WorkDescribed
from contracts.ids import WorkId
from contracts.reports import EstimateReport
from contracts.words import count_words
from streams import indexing, operating
from streams.inputs.values import ChapterInput, EventInput
from streams.operations import NOBODY
from streams.segmenters import estimated
from streams.settings import Settings
from streams.wiring import open_home
from tests.model_server import ModelServer
from tests.model_server.gold import GoldScript, gold_chapters

pytestmark = pytest.mark.corpus

BOOKS = ["alice-in-wonderland", "time-machine", "journey-to-the-west"]
MOST_A_CALL, MOST_A_TOKEN = 2_000, 1.7


@pytest.fixture(scope="module")
def gold() -> GoldScript:
    return GoldScript(*BOOKS)


@pytest.fixture
def server(model_server: ModelServer, gold: GoldScript) -> Iterator[ModelServer]:
    with model_server.anew(script=gold) as server:
        yield server


def _settings(server: ModelServer, folder: Path, **more: object) -> Settings:
    told = {"model": server.url, "model_name": server.model, "memo": f"sqlite:{folder / 'memo'}"}
    stores = {"log": "memory:", "vectors": "memory:", "graph": "memory:"}
    stores["placement_advice"] = "none"  # an estimate is of segmentation
    return Settings.model_validate({"home": folder, **stores, **told, **more})


def _book(name: str) -> ChapterInput:
    described = WorkDescribed(work_id=WorkId(name), title=name)
    return ChapterInput(described, gold_chapters(name))


async def _indexed(settings: Settings, name: str) -> tuple[int, int]:
    """Index a book; return what `status` says: calls and tokens."""
    async with open_home(settings) as home:
        report = await indexing.index(home, _book(name), NOBODY)
        assert not report.held
        (work,) = (await operating.status(home)).works
        return work.calls, work.tokens


@pytest.mark.parametrize("segmenter", ["litseg-lite", "litseg"])
@pytest.mark.parametrize("book", BOOKS)
async def test_the_estimate_is_near_what_status_tells_and_both_are_within_the_limit(
    server: ModelServer, tmp_path: Path, book: str, segmenter: str
) -> None:
    settings = _settings(server, tmp_path, segmenter=segmenter)
    before = await estimated(settings, _book(book))
    assert server.calls == 0
    calls, tokens = await _indexed(settings, book)
    assert (before.calls, before.remembered, before.counted) == (calls, 0, True)
    assert abs(before.tokens - tokens) <= 0.1 * tokens
    if segmenter == "litseg-lite":
        source = sum(count_words(chapter.body) for chapter in gold_chapters(book))
        assert tokens <= MOST_A_CALL * calls + MOST_A_TOKEN * source
    after = await estimated(settings, _book(book))
    assert (after.remembered, after.tokens) == (calls, before.tokens)


async def test_where_the_server_does_not_count_length_decides(
    server: ModelServer, tmp_path: Path
) -> None:
    server.counts = False
    before = await estimated(_settings(server, tmp_path), _book(BOOKS[0]))
    assert not before.counted
    assert before.words < before.input_tokens < 2 * before.words + before.calls * MOST_A_CALL


async def test_a_server_that_is_down_is_no_obstacle(server: ModelServer, tmp_path: Path) -> None:
    settings = _settings(server, tmp_path, model="http://127.0.0.1:9/v1")
    assert (await estimated(settings, _book(BOOKS[0]))).calls == 12


async def test_without_a_model_nothing_is_asked(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, memo="memory:")
    before = await estimated(settings, _book(BOOKS[0]))
    assert (before.calls, before.tokens, before.chapters) == (0, 0, 12)
    assert before.segmenter.startswith("cohesion")


async def test_chapters_of_an_event_file_are_estimated(server: ModelServer, tmp_path: Path) -> None:
    file = tmp_path / "events.jsonl"
    lines = [chapter.to_json() for chapter in gold_chapters(BOOKS[0])]
    file.write_bytes(b"\n".join([*lines, b"no event", b""]))
    settings = _settings(server, tmp_path)
    from_events = await estimated(settings, EventInput(file))
    from_chapters = await estimated(settings, _book(BOOKS[0]))
    assert from_events == from_chapters
    assert isinstance(from_events, EstimateReport)
