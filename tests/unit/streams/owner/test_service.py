"""The owner's work: one writer at a time, nothing lost when nobody listens, idle time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace

import pytest

from contracts.ports import NewRecord
from contracts.reports import StatusReport
from contracts.requests import Chapters, Standing
from contracts.topics import CHAPTERS
from streams import performing
from streams.operations import INDEX, STATUS, Watcher
from streams.owner.service import Service
from streams.session import Home
from streams.wiring import open_home
from tests.unit.streams.homes import IN_MEMORY, story
from tests.unit.streams.stand_ins import published

GIVEN = story(published("1", "Ilse came down to the sea."), published("2", "Marrow was gone."))
BOTH = Chapters(described=GIVEN.described, chapters=GIVEN.chapters)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def home() -> AsyncIterator[Home]:
    async with open_home(IN_MEMORY) as opened:
        yield opened


async def chapters(service: Service) -> int:
    report = await service.answer(STATUS, Standing())
    return sum(work.chapters for work in report.works)


async def until(holds: object) -> None:
    for _ in range(400):
        if await holds():  # type: ignore[operator]
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it never happened")


async def test_what_others_append_is_indexed(home: Home) -> None:
    service = Service(home)
    keeping = asyncio.create_task(service.keep_up())
    events = [NewRecord(CHAPTERS, b"w", each.to_json()) for each in BOTH.chapters]
    await home.log.append(events)

    async def both() -> bool:
        return await chapters(service) == 2

    await until(both)
    keeping.cancel()
    with suppress(asyncio.CancelledError):
        await keeping


async def test_indexing_goes_on_when_nobody_listens_any_more(home: Home) -> None:
    service = Service(home)
    lines = service.progress(INDEX, BOTH)
    await anext(lines)
    await lines.aclose()

    async def both() -> bool:
        return await chapters(service) == 2

    await until(both)


async def test_two_that_write_do_so_one_after_the_other(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = most = 0

    async def slow(_home: Home, _asked: Standing, _watcher: Watcher) -> StatusReport:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0.01)
        inside -= 1
        return StatusReport(works=(), lag=(), held=(), dead_letters=())

    service = Service(home)
    monkeypatch.setitem(performing._PERFORMED, STATUS.name, slow)
    writing = replace(STATUS, writes=True)
    await asyncio.gather(*(service.answer(writing, Standing()) for _ in range(5)))
    assert most == 1
    await asyncio.gather(*(service.answer(STATUS, Standing()) for _ in range(5)))
    assert most == 5


async def test_what_lasts_tells_how_far_it_is_while_others_write(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lasts(_home: Home, _asked: Standing, watcher: Watcher) -> StatusReport:
        watcher.begin(1)
        watcher.passed("verify", 0)
        return StatusReport(works=(), lag=(), held=(), dead_letters=())

    service = Service(home)
    monkeypatch.setitem(performing._PERFORMED, STATUS.name, lasts)
    async with service._writing:
        lasting = replace(STATUS, lasts=True)
        told = [line async for line in service.progress(lasting, Standing())]

    assert [type(line).__name__ for line in told] == ["Begun", "Passed", "StatusReport"]


async def test_idle_time_counts_from_the_last_answer_and_not_while_in_use(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    service = Service(home, clock)
    clock.now += 7
    assert service.idle_left(10) == 3
    entered, leave = asyncio.Event(), asyncio.Event()

    async def waits(_home: Home, _asked: Standing, _watcher: Watcher) -> StatusReport:
        entered.set()
        await leave.wait()
        return StatusReport(works=(), lag=(), held=(), dead_letters=())

    monkeypatch.setitem(performing._PERFORMED, STATUS.name, waits)
    asking = asyncio.create_task(service.answer(STATUS, Standing()))
    await entered.wait()
    clock.now += 100
    assert service.idle_left(10) == 10
    leave.set()
    await asking
    assert service.idle_left(10) == 10
    clock.now += 11
    assert service.idle_left(10) == -1


async def test_closing_ends_what_is_under_way(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service(home)
    entered = asyncio.Event()

    async def forever(_home: Home, _asked: Standing, _watcher: Watcher) -> StatusReport:
        entered.set()
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setitem(performing._PERFORMED, STATUS.name, forever)
    writing = replace(STATUS, writes=True)
    asking = asyncio.create_task(service.answer(writing, Standing()))
    await entered.wait()
    await service.close()
    with pytest.raises(asyncio.CancelledError):
        await asking
