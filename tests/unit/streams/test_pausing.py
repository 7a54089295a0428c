"""`pause` and `resume` on a home: what is told, what is hidden all the same, what is refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace

import pytest

from contracts.events import ChapterEvent, ChapterWithdrawn
from contracts.frozen import Frozen
from contracts.ids import ChapterId, WorkId
from contracts.reports import PausedWork
from contracts.requests import Pausing, Standing, Withdrawal
from streams.doctor import checking
from streams.indexing import index
from streams.not_found import NotFound
from streams.operations import NOBODY, PAUSE, RESUME, STATUS, WITHDRAW
from streams.owner.service import Service
from streams.performing import perform
from streams.publishing import record_of
from streams.purge.purge_ordering import PurgeRefused, settled
from streams.session import Home
from streams.stage import Arrival, each_with_position
from streams.wiring import open_home
from tests.e2e.homes import exported, publish
from tests.unit.streams.homes import IN_MEMORY, story
from tests.unit.streams.stand_ins import published

W = WorkId("w")
ONE = published("1", "Ilse came down to the sea. Marrow was waiting for her there.")
TWO = published("2", "Marrow kept the key. Ilse asked him for it twice.")
THREE = published("3", "The key was gone. Nobody had seen Marrow since noon.")
GONE = ChapterWithdrawn(work_id=W, chapter_id=ChapterId("1"))


@pytest.fixture
async def home() -> AsyncIterator[Home]:
    async with open_home(IN_MEMORY) as opened:
        yield opened


async def pause(home: Home) -> PausedWork:
    return await perform(home, PAUSE, Pausing(work_id=W))


async def resume(home: Home) -> PausedWork:
    return await perform(home, RESUME, Pausing(work_id=W))


async def test_it_ends_as_if_it_had_never_been_paused(home: Home) -> None:
    events: list[ChapterEvent] = [
        ONE,
        TWO,
        published("1", "Ilse stayed at home."),
        THREE,
        GONE,
        ONE,
    ]
    async with open_home(IN_MEMORY) as calm:
        for event in events:
            await publish(calm, [event])
        expected = await exported(calm, W)
    await publish(home, events[:2])
    await pause(home)
    await publish(home, events[2:4])
    await resume(home)
    await pause(home)
    await publish(home, events[4:])
    await resume(home)
    await home.runner().run_until_idle()
    assert await exported(home, W) == expected


async def test_what_is_told_of_a_paused_work(home: Home) -> None:
    await publish(home, [ONE])
    assert await pause(home) == PausedWork(work_id=W, paused=True, waiting=0)
    await publish(home, [TWO, THREE])
    report = await perform(home, STATUS, Standing(work_id=W))
    assert report.paused == (PausedWork(work_id=W, paused=True, waiting=2),)
    (work,) = report.works
    assert (work.chapters, work.waiting) == (1, 2)
    assert [(gap.chapter_id, gap.reason) for gap in work.gaps] == [
        ("2", "waiting, since the work is paused"),
        ("3", "waiting, since the work is paused"),
    ]
    assert (await checking.check(home)).sound, "nothing is lost"
    assert await resume(home) == PausedWork(work_id=W, paused=False, waiting=2)
    await home.runner().run_until_idle()
    report = await perform(home, STATUS, Standing())
    assert report.paused == ()
    assert (report.works[0].chapters, report.works[0].waiting) == (3, 0)


async def test_a_withdrawal_is_effective_at_once(home: Home) -> None:
    await publish(home, [ONE, TWO])
    await pause(home)
    report = await perform(home, WITHDRAW, Withdrawal(work_id=W, chapter_ids=(ChapterId("1"),)))
    assert report.appended == 1
    assert b"Ilse came down" not in await exported(home, W)
    await home.runner().run_until_idle()  # and stays so
    assert b"Ilse came down" not in await exported(home, W)
    assert (await perform(home, STATUS, Standing())).paused[0].waiting == 1


async def test_a_work_may_be_paused_before_anything_of_it_is_indexed(home: Home) -> None:
    await home.log.append([record_of(ONE)])
    await pause(home)
    await home.runner().run_until_idle()
    report = await perform(home, STATUS, Standing(work_id=W))
    assert report.works == ()
    assert report.paused == (PausedWork(work_id=W, paused=True, waiting=1),)
    await pause(home)  # known by now from the pause alone
    await resume(home)
    await home.runner().run_until_idle()
    assert b"Ilse" in await exported(home, W)


async def test_an_unknown_work_is_refused(home: Home) -> None:
    await publish(home, [ONE])
    for operation in (PAUSE, RESUME):
        with pytest.raises(NotFound, match="There is no work 'x'"):
            await perform(home, operation, Pausing(work_id=WorkId("x")))


async def test_indexing_a_paused_work_again_appends_nothing_twice(home: Home) -> None:
    await index(home, story(ONE), NOBODY)
    await pause(home)
    report = await index(home, story(ONE, TWO), NOBODY)
    assert (report.new, report.unchanged) == (1, 1)
    assert report.notes == ("w is paused; events that wait until `storygraft resume w`: 1.",)
    end = await home.log.end("chapters")
    report = await index(home, story(ONE, TWO), NOBODY)
    assert (report.new, report.unchanged) == (0, 2)
    assert await home.log.end("chapters") == end


async def test_nothing_is_purged_of_which_text_would_come_back(home: Home) -> None:
    await publish(home, [ONE])
    await pause(home)
    await publish(home, [TWO])
    with pytest.raises(PurgeRefused, match="run `storygraft resume w`, then purge again"):
        await settled(home, W)
    await resume(home)
    assert (await settled(home, W)).work_id == W


async def test_an_owner_lets_a_resumed_work_go_on_by_itself(home: Home) -> None:
    await publish(home, [ONE])
    await pause(home)
    await publish(home, [TWO])
    service = Service(home)
    keeping = asyncio.create_task(service.keep_up())
    await resume(home)
    for _ in range(400):
        if (await service.answer(STATUS, Standing())).works[0].chapters == 2:
            break
        await asyncio.sleep(0.02)
    else:
        raise AssertionError("it never happened")
    keeping.cancel()
    with suppress(asyncio.CancelledError):
        await keeping


async def test_a_run_under_way_heeds_a_pause(home: Home) -> None:
    """A backfill is paused from its third chapter on: what is begun is finished, no more."""
    took: list[str] = []
    segment = next(stage for stage in home.stages if stage.intake.name == "segment")

    async def noted(event: ChapterEvent, position: int) -> Frozen:
        took.append(str(getattr(event, "chapter_id", "")))
        if len(took) == 3:
            await pause(home)
        (made,) = await segment.handler([Arrival(event, position)])
        return made

    stages = [
        replace(each, handler=each_with_position(noted)) if each is segment else each
        for each in home.stages
    ]
    chapters = [published(str(n), f"Day {n}. It rained upon the pier.") for n in range(1, 30)]
    await publish(replace(home, stages=stages), chapters)
    assert took == ["1", "2", "3"]
    assert (await perform(home, STATUS, Standing())).paused[0].waiting == 26
