"""What `estimate` says beforehand, what `status` says afterwards, and the limit of both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.events import WorkDescribed
from contracts.ids import WorkId
from contracts.prices import Prices, Terms
from contracts.reports import Money
from contracts.spending import Spent
from contracts.words import count_words
from streams import indexing, operating
from streams.estimating.inputs import estimated
from streams.estimating.reindex import estimate_reindex
from streams.inputs.values import ChapterInput, EventInput
from streams.operations import NOBODY
from streams.settings import Settings
from streams.wiring import open_home
from tests.corpus import enough
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
    stores["placement_advice"] = "none"
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


@pytest.mark.parametrize(
    ("book", "segmenter"),
    enough(
        [(book, segmenter) for book in BOOKS for segmenter in ("litseg-lite", "litseg")],
        [(BOOKS[0], "litseg-lite"), (BOOKS[2], "litseg-lite"), (BOOKS[0], "litseg")],
    ),
)
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
    assert from_events.model_copy(update={"time": from_chapters.time}) == from_chapters


async def test_placing_is_estimated_too_and_known_once_it_was_paid(
    server: ModelServer, tmp_path: Path
) -> None:
    settings = _settings(server, tmp_path, placement_advice="close")
    terms = Terms(prices=Prices(input=2, output=10, currency="EUR"), tokens_a_s=100, at_once=4)
    before = await estimated(settings, _book(BOOKS[0]), terms)
    assert server.calls == 0
    cutting, placing = before.parts
    assert (cutting.purpose, placing.purpose) == ("segmentation", "placement")
    assert before.due_tokens == before.tokens
    due = before.input_tokens * 2 + before.output_tokens * 10
    assert before.money == Money(amount=round(due / 1_000_000, 2), currency="EUR")
    assert before.time.model_s == pytest.approx(before.tokens / 400, abs=0.1)
    assert before.time.local_s is not None
    await _indexed(settings, BOOKS[0])
    accounts = [server.account(purpose) for purpose in ("segmentation", "placement")]
    tokens = sum(each.input_tokens + each.output_tokens for each in accounts)
    assert abs(before.tokens - tokens) <= 0.1 * tokens
    after = await estimated(settings, _book(BOOKS[0]), terms)
    assert (after.calls, after.remembered) == (server.calls, server.calls)
    assert (after.due_tokens, after.time.model_s) == (0, 0)
    assert after.money == Money(amount=0, currency="EUR")
    measured = await estimated(settings, _book(BOOKS[1]))
    assert measured.money is None
    assert measured.time.model_s is not None
    assert f"as in {server.calls} past calls" in measured.time.how[0]


async def test_where_no_model_cuts_the_placing_is_rehearsed(
    server: ModelServer, tmp_path: Path
) -> None:
    settings = _settings(server, tmp_path, placement_advice="close", segmenter="cohesion")
    before = await estimated(settings, _book(BOOKS[1]))
    assert server.calls == 0
    await _indexed(settings, BOOKS[1])
    account = server.account("placement")
    assert [each.purpose for each in before.parts] == ["placement"]
    assert abs(before.calls - account.answered) <= 1
    tokens = account.input_tokens + account.output_tokens
    assert abs(before.tokens - tokens) <= 0.2 * tokens  # each answer changes what is asked next
    after = await estimated(settings, _book(BOOKS[1]))
    assert (after.remembered, after.due_tokens) == (account.answered, 0)


async def test_a_reindex_is_estimated_from_what_is_indexed(
    server: ModelServer, tmp_path: Path
) -> None:
    settings = _settings(server, tmp_path, placement_advice="close")
    terms = Terms(tokens_a_s=100)
    async with open_home(settings) as home:
        await indexing.index(home, _book(BOOKS[0]), NOBODY)
        paid, called = Spent.total(await home.memo.spent_by_day(None)), server.calls
        again = await estimate_reindex(home, "chapters", terms)
        assert (again.works, again.chapters, again.rehearsed) == (1, 12, 12)
        assert (again.calls, again.remembered, again.due_tokens) == (paid.calls, paid.calls, 0)
        placed = Spent.total(
            each for each in await home.memo.spent_by_day(None) if each.purpose == "placement"
        )
        tree_only = await estimate_reindex(home, "scenes", terms)
        assert [each.purpose for each in tree_only.parts] == ["placement"]
        assert (tree_only.calls, tree_only.tokens) == (placed.calls, placed.tokens)
        assert tree_only.remembered == tree_only.calls
        other = settings.model_copy(update={"temperature": 0.1})
        anew = await estimate_reindex(home, "chapters", terms, other)
        assert server.calls == called, "an estimate asks nobody"
        assert anew.remembered == 0
        assert anew.calls == paid.calls
        assert abs(anew.due_tokens - paid.tokens) <= 0.1 * paid.tokens
        none = settings.model_copy(update={"placement_advice": "none"})
        free = await estimate_reindex(home, "scenes", terms, none)
        assert (free.calls, free.tokens, free.time.model_s) == (0, 0, 0)
