"""What a purge forgets, and how it gives up; killed purges are in tests/e2e/test_residue.py."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from contracts.errors import PermanentError
from contracts.events import ChapterWithdrawn, WorkWithdrawn
from contracts.ids import ChapterId, WorkId
from contracts.topics import CHAPTERS
from streams.purge import purge_journal, purging
from streams.purge.purge_journal import Journal
from streams.purge.purge_ordering import order_of, settled
from streams.purge.purging import PurgePoint, finish
from streams.session import Home
from streams.settings import Settings
from streams.wiring import open_home
from tests.contract.memo import asked, entry, source
from tests.e2e.homes import in_memory, publish
from tests.unit.streams.stand_ins import published

W = WorkId("w")
C2 = ChapterId("2")


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Home]:
    """Three chapters, each with a model's answer; one answer draws on two of them."""
    async with open_home(in_memory(tmp_path)) as home:
        await publish(home, [published(n, f"Hedda counted to {n}. " * 9) for n in ("1", "2", "3")])
        for n in ("1", "2", "3"):
            await home.memo.put_if_absent(entry(n, f"said of {n}", source("w", n)))
        await home.memo.put_if_absent(entry("4", "of both", source("w", "1"), source("w", "2")))
        await home.memo.put_if_absent(entry("5", "theirs", source("v", "2")))
        yield home


async def _purged(home: Home, *named: str) -> int:
    order = await order_of(home, await settled(home, W), [ChapterId(n) for n in named] or None)
    done = await purging._empty_and_build(home, order, lambda _: None)
    return done.memo_entries


async def _kept(home: Home) -> list[str]:
    return [n for n in "12345" if await home.memo.get(asked(n)) is not None]


async def test_the_memo_forgets_what_the_chapters_are_a_source_of(home: Home) -> None:
    await publish(home, [ChapterWithdrawn(work_id=W, chapter_id=C2)])
    assert await _purged(home) == 2
    assert await _kept(home) == ["1", "3", "5"]


async def test_of_a_withdrawn_work_the_memo_keeps_nothing(home: Home) -> None:
    await home.memo.put_if_absent(entry("3", "", source("w", "known to the memo alone")))
    await publish(home, [WorkWithdrawn(work_id=W)])
    assert await _purged(home) == 4
    assert await _kept(home) == ["5"]


async def test_of_a_work_that_was_published_anew_it_keeps_what_is_new(home: Home) -> None:
    await publish(home, [WorkWithdrawn(work_id=W), published("8", "Hedda is back. " * 9)])
    await home.memo.put_if_absent(entry("9", "new", source("w", "8")))
    assert await _purged(home) == 4
    assert await home.memo.get(asked("9")) is not None


class _Died(BaseException):
    """The process ends here."""


@pytest.mark.parametrize(
    "point", [PurgePoint.LOG_EMPTIED, PurgePoint.MEMO_EMPTIED, PurgePoint.TREE_BUILT]
)
async def test_dying_while_log_and_memo_are_emptied_it_comes_to_the_same(
    home: Home, point: PurgePoint
) -> None:
    def die(at: PurgePoint) -> None:
        if at is point:
            raise _Died

    await publish(home, [ChapterWithdrawn(work_id=W, chapter_id=C2)])
    order = await order_of(home, await settled(home, W), None)
    with pytest.raises(_Died):
        await purging._empty_and_build(home, order, die)
    await purging._empty_and_build(home, order, lambda _: None)
    assert await _kept(home) == ["1", "3", "5"]
    records = await home.log.read(CHAPTERS, 0, 9, 2**20)
    texts = [b"counted to" in (record.value or b"") for record in records]
    assert texts == [True, False, True, False]


async def test_rows_that_nothing_links_go_where_no_fresh_store_is_made(home: Home) -> None:
    work = await home.tree.load(W)
    assert work is not None
    before = await home.vectors.keys(W, work.generation)
    await publish(home, [ChapterWithdrawn(work_id=W, chapter_id=C2)])
    after = await home.vectors.keys(W, work.generation)
    rows = await home.vectors.fetch(W, work.generation, after)
    assert after < before
    await _purged(home)
    assert await home.vectors.fetch(W, work.generation, before) == rows


async def test_what_cannot_be_copied_is_given_up_and_the_home_opens(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def impossible(*_: object) -> None:
        raise PermanentError("a text is missing")

    await publish(home, [ChapterWithdrawn(work_id=W, chapter_id=C2)])
    order = await order_of(home, await settled(home, W), None)
    purge_journal.write(home.settings, Journal(order=order))
    monkeypatch.setattr(purging, "_build", impossible)
    with pytest.raises(PermanentError, match="a text is missing"):
        await purging._empty_and_build(home, order, lambda _: None)
    assert not purge_journal.unfinished_purge(home.settings)
    records = await home.log.read(CHAPTERS, 1, 1, 2**20)
    assert b"counted to 2" not in (records[0].value or b"")


async def test_a_journal_is_kept_until_its_purge_is_done(home: Home) -> None:
    settings = home.settings
    await publish(home, [ChapterWithdrawn(work_id=W, chapter_id=C2)])
    order = await order_of(home, await settled(home, W), None)
    purge_journal.write(settings, Journal(order=order))
    assert purge_journal.read(settings) == Journal(order=order)
    seen: list[PurgePoint] = []
    await finish(settings, seen.append)
    assert not purge_journal.unfinished_purge(settings)
    assert seen == list(PurgePoint)[1:]


async def test_a_journal_that_cannot_be_read_is_not_taken_for_none(home: Home) -> None:
    (home.settings.home / "purge.json").parent.mkdir(exist_ok=True)
    _write(home.settings.home / "purge.json", b'{"order": ')
    assert purge_journal.unfinished_purge(home.settings)
    with pytest.raises(PermanentError, match=r"purge\.json .* cannot be read: put the file back"):
        await finish(home.settings)


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def test_a_damaged_log_that_was_put_aside_is_told_of(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    assert purging._damaged_logs(settings) == []
    (tmp_path / "events.sqlite").touch()
    (tmp_path / "events.sqlite.damaged-1").touch()
    assert purging._damaged_logs(settings) == [tmp_path / "events.sqlite.damaged-1"]
    assert purging._damaged_logs(in_memory(tmp_path)) == []
