"""Starting a generation: from what, from where, and what is left of a start that was cut off."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from contracts.errors import PermanentError
from contracts.generations import GenerationStarted, Source
from contracts.ids import FIRST_GENERATION, Generation, WorkId
from contracts.index_version import IndexVersion
from contracts.ports import EventLog
from contracts.topics import GENERATIONS
from streams.gaps import Gaps
from streams.generations.registry import Generations
from streams.generations.starting import Starter, Wish
from streams.intakes import SEGMENT
from streams.session import Home
from streams.wiring import opened
from tests.e2e.homes import publish
from tests.unit.streams.generations.cutting import CutOffError, Scissors, cut_log
from tests.unit.streams.generations.rebuilds import W, changed, settings, text

G2 = Generation("g2")
OTHER = WorkId("another")


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Home]:
    async with opened(settings(tmp_path)) as home:
        await publish(home, [text(1), text(2)])
        yield home


@dataclass(frozen=True)
class Process:
    """One that starts generations, and has not read anything yet."""

    home: Home
    version: IndexVersion

    def starter(self, scissors: Scissors | None = None) -> Starter:
        log: EventLog = cut_log(self.home.log, scissors or Scissors())
        tree = self.home.tree
        return Starter(log, tree, Generations(log), Gaps(log, tree), self.version)

    async def start(
        self, wish: Wish | None = None, scissors: Scissors | None = None
    ) -> GenerationStarted:
        starter = self.starter(scissors)
        return (await starter.start(await starter.plan(wish or Wish()))).started


async def segment_begins(home: Home) -> int:
    segment = SEGMENT.of_generation(G2)
    return await home.log.position(segment.group, segment.source)


async def test_a_plan_changes_nothing(home: Home) -> None:
    before = await home.log.end(GENERATIONS)
    plan = await Process(home, changed(home, "tree")).starter().plan(Wish())
    assert (plan.generation, plan.beside, plan.source) == (G2, FIRST_GENERATION, Source.SCENES)
    assert plan.changes == ("tree: other none -> 1",)
    assert not plan.resumed
    assert await home.log.end(GENERATIONS) == before
    assert await segment_begins(home) == 0


@pytest.mark.parametrize(
    ("layer", "source"),
    [
        ("segmentation", Source.CHAPTERS),
        ("embedding", Source.SCENES),
        ("tree", Source.SCENES),
    ],
)
async def test_it_is_built_from_the_cheapest_that_will_do(
    home: Home, layer: str, source: Source
) -> None:
    started = await Process(home, changed(home, layer)).start()
    assert started.source is source
    (frontier,) = started.frontier
    assert frontier.chapters == 2
    assert frontier.scenes == (2 if source is Source.SCENES else 0)
    assert await segment_begins(home) == (2 if source is Source.SCENES else 0)


async def test_it_may_be_built_from_chapters_all_the_same(home: Home) -> None:
    started = await Process(home, changed(home, "tree")).start(Wish(Source.CHAPTERS))
    assert started.source is Source.CHAPTERS
    assert await segment_begins(home) == 0


async def test_scenes_that_were_cut_otherwise_will_not_do(home: Home) -> None:
    with pytest.raises(PermanentError, match=r"cut otherwise .*: build from chapters"):
        await Process(home, changed(home, "segmentation")).start(Wish(Source.SCENES))


async def test_what_is_live_is_not_built_again_unless_that_is_said(home: Home) -> None:
    same = Process(home, home.generations.require(FIRST_GENERATION).version)
    with pytest.raises(PermanentError, match=r"make what is live \(g1, version .*--again"):
        await same.start()
    started = await same.start(Wish(again=True))
    assert (started.generation, started.source) == (G2, Source.SCENES)


async def test_who_starts_again_goes_on_with_what_was_started(home: Home) -> None:
    process = Process(home, changed(home, "tree"))
    first = await process.start()
    await publish(home, [text(3)])
    starter = process.starter()
    plan = await starter.plan(Wish())
    assert plan.resumed
    assert (await starter.start(plan)).started == first
    assert await segment_begins(home) == 2
    with pytest.raises(PermanentError, match="g2 is being built from scenes: drop it first"):
        await process.starter().plan(Wish(Source.CHAPTERS))


async def test_killed_between_any_two_steps_it_is_started_again_to_the_same_end(
    tmp_path: Path,
) -> None:
    steps = 0
    while True:
        async with opened(settings(tmp_path)) as home:
            await publish(home, [text(1), text(2)])
            await home.parking.pause(OTHER)
            process = Process(home, changed(home, "tree"))
            try:
                await process.start(scissors=Scissors(left=steps))
            except CutOffError:
                await publish(home, [text(3)])
                steps += 1
            else:
                break
            started = await process.start()
            assert started.generation == G2
            (frontier,) = started.frontier
            assert (frontier.chapters, frontier.scenes) == (3, 3)
            assert await segment_begins(home) == 3, "what came in between is copied too"
            lot = home.gaps.of_generation(G2).parking
            await lot.refresh()
            assert [work.work_id for work in lot.aside() if work.paused] == [OTHER]
    assert steps == 3, "where it begins, what is paused, and that it was started"


async def test_of_two_at_once_with_the_same_settings_both_build_one(home: Home) -> None:
    process = Process(home, changed(home, "tree"))
    one, other = await asyncio.gather(process.start(), process.start())
    assert one == other
    await home.generations.refresh()
    assert [each.generation for each in home.generations.all()] == [FIRST_GENERATION, G2]


async def test_of_two_at_once_with_other_settings_the_second_is_told_so(home: Home) -> None:
    processes = [Process(home, changed(home, layer)) for layer in ("tree", "segmentation")]
    told = await asyncio.gather(*(process.start() for process in processes), return_exceptions=True)
    (refused,) = [each for each in told if isinstance(each, PermanentError)]
    assert str(refused).startswith("Somebody else started g2 in the meantime, with other settings")
    (second,) = [p for p, each in zip(processes, told, strict=True) if each is refused]
    assert (await second.start()).generation == "g3"


async def test_what_waits_of_a_paused_work_has_no_scenes_to_be_copied(home: Home) -> None:
    await home.parking.pause(W)
    await publish(home, [text(3)])
    process = Process(home, changed(home, "tree"))
    with pytest.raises(PermanentError, match=r"Events of w wait .* `--from chapters`"):
        await process.start()
    assert await segment_begins(home) == 0
    assert (await process.start(Wish(Source.CHAPTERS))).source is Source.CHAPTERS
