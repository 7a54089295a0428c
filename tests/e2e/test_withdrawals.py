"""A withdrawal takes effect at once, whatever is down, whatever waits, whoever dies on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from contracts.crash_points import CrashPoint
from contracts.errors import TransientError
from contracts.events import ChapterEvent, ChapterPublished, ChapterWithdrawn, WorkWithdrawn
from contracts.frozen import Frozen
from contracts.ids import FIRST_GENERATION, ChapterId, WorkId
from contracts.ordinals import Ordinal
from contracts.ports import NewRecord
from contracts.topics import CHAPTERS, dead_letters
from graph.grafting_plan import linked_keys
from streams.doctor.checking import check
from streams.inprocess import RunReport
from streams.intakes import SEGMENT
from streams.operating import status
from streams.session import Home
from streams.settings import Settings
from streams.stage import each_with_position
from streams.wiring import open_home
from tests.crashes import Dies, SimulatedCrash
from tests.e2e.homes import asked, embedded, exported, in_memory, publish, searched

W = WorkId("w")
FIRST = (
    "Hedda Klaasen weighed the herring at the harbour scale, and wrote the weight down twice.\n\n"
    '"Fifty-seven," said Hedda Klaasen, and locked the ledger in the iron drawer of the office.'
)
SECOND = (
    "Clemency Orr tuned the piano in the snowed-in pass while Bettina Vask held the lamp.\n\n"
    "Hedda Klaasen came up the road with the mail, and nobody asked her about the drawer."
)
THIRD = "Captain Vask drove the plough through the snow, and the road to the pass was open again."
GONE = ChapterWithdrawn(work_id=W, chapter_id=ChapterId("1"))


def chapter(name: str, body: str) -> ChapterPublished:
    return ChapterPublished(
        work_id=W, chapter_id=ChapterId(name), ordinal=Ordinal.parse(name), title="", body=body
    )


async def down(event: ChapterEvent, position: int) -> Frozen:
    raise TransientError("the model server is down")


def with_the_model_down(home: Home) -> Home:
    stages = [
        replace(stage, handler=each_with_position(down))
        if stage.intake.name == SEGMENT.name
        else stage
        for stage in home.stages
    ]
    return replace(home, stages=stages)


async def assert_nothing_of_the_first_is_told(home: Home) -> None:
    told = await exported(home, W)
    told += await searched(home, W, "Who locked the ledger in the drawer?", "2")
    told += await asked(home, W, "Who locked the ledger in the drawer?", "2")
    for word in (b"ledger", b"Fifty-seven", b"herring"):
        assert word not in told


@pytest.mark.parametrize("make", [in_memory, pytest.param(embedded, marks=pytest.mark.real)])
async def test_it_does_not_wait_for_a_model_that_is_down(
    tmp_path: Path, make: Callable[[Path], Settings]
) -> None:
    async with open_home(make(tmp_path / "home")) as home:
        await publish(home, [chapter("1", FIRST), chapter("2", SECOND)])
        broken = with_the_model_down(home)
        report: RunReport = await publish(broken, [chapter("3", THIRD), GONE])
        assert [hold.stage for hold in report.held] == ["segment"]
        await assert_nothing_of_the_first_is_told(home)
        (work,) = (await status(home)).works
        assert (work.chapters, [gap.chapter_id for gap in work.gaps]) == (1, ["3"])
        await home.runner().run_until_idle()
        there = await exported(home, W)
        assert [work.findings for work in (await check(home)).works] == [()]
    async with open_home(in_memory(tmp_path / "fresh")) as fresh:
        await publish(fresh, [chapter("2", SECOND), chapter("3", THIRD)])
        assert there == await exported(fresh, W)


async def test_what_waits_before_it_never_shows_and_is_no_gap(tmp_path: Path) -> None:
    async with open_home(in_memory(tmp_path)) as home:
        await publish(home, [chapter("2", SECOND)])
        broken = with_the_model_down(home)
        await publish(broken, [chapter("1", FIRST), GONE])
        assert await home.finder(W) == ()
        await home.runner().run_until_idle()
        await assert_nothing_of_the_first_is_told(home)


async def test_a_withdrawn_work_is_gone_at_once(tmp_path: Path) -> None:
    async with open_home(in_memory(tmp_path)) as home:
        await publish(home, [chapter("1", FIRST), chapter("2", SECOND)])
        await publish(with_the_model_down(home), [chapter("3", THIRD), WorkWithdrawn(work_id=W)])
        assert await home.tree.view(W, None) is None
        await home.runner().run_until_idle()
        assert await home.tree.view(W, None) is None
        assert await home.vectors.keys(W, FIRST_GENERATION) == frozenset()


async def test_what_nobody_can_read_is_one_dead_letter(tmp_path: Path) -> None:
    async with open_home(in_memory(tmp_path)) as home:
        await home.log.append([NewRecord(CHAPTERS, W.encode(), b'{"kind": "chapter.withdrawn"}')])
        await home.runner().run_until_idle()
        assert len(await home.log.read_key(dead_letters(CHAPTERS), W.encode())) == 1


@pytest.mark.real
@pytest.mark.usefixtures("servers_live_on")
@pytest.mark.parametrize("point", [CrashPoint.BEFORE_COMMIT, CrashPoint.AFTER_COMMIT])
async def test_killed_between_the_two_commits_nothing_shows(
    tmp_path: Path, point: CrashPoint
) -> None:
    settings = embedded(tmp_path / "home")
    async with open_home(settings) as home:
        await publish(home, [chapter("1", FIRST), chapter("2", SECOND)])
    with pytest.raises(SimulatedCrash):
        async with open_home(settings, reached=Dies(point)) as home:
            await publish(home, [GONE])
    async with open_home(settings) as home:
        await assert_nothing_of_the_first_is_told(home)
        await home.runner().run_until_idle()
        there = await exported(home, W)
        work = await home.tree.load(W)
        assert work is not None
        linked = frozenset(linked_keys(work, work.chapters))
        assert await home.vectors.keys(W, FIRST_GENERATION) == linked
    async with open_home(in_memory(tmp_path / "fresh")) as fresh:
        await publish(fresh, [chapter("2", SECOND)])
        assert there == await exported(fresh, W)
