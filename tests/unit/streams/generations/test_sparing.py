"""A rebuild cuts the texts that readers will see, and comes to what the live build is."""

from __future__ import annotations

from pathlib import Path

from contracts.events import WorkWithdrawn
from contracts.generations import Source
from contracts.messages import Outcome
from contracts.ordinals import Ordinal
from streams.wiring import opened
from tests.e2e.homes import publish
from tests.unit.streams.generations.rebuilds import LIFE, Rebuild, W, gone, settings, text, told


async def test_only_what_is_still_read_is_cut(tmp_path: Path) -> None:
    async with opened(settings(tmp_path)) as home:
        await publish(home, LIFE)
        rebuild = await Rebuild.started(home, "segmentation")
        report = await rebuild.run()
        assert not report.dead
        assert not report.held
        assert rebuild.known.started.source is Source.CHAPTERS
        assert [each.splitlines()[0] for each in rebuild.segmenter.cut] == [
            each.body.splitlines()[0] for each in (text(4), text(1), text(2, edition=2))
        ]
        assert await told(home, rebuild.generation) == await told(home)


async def test_what_comes_after_the_frontier_is_cut_in_its_turn(tmp_path: Path) -> None:
    async with opened(settings(tmp_path)) as home:
        await publish(home, LIFE)
        rebuild = await Rebuild.started(home, "segmentation")
        await publish(home, [text(2, edition=3), text(3), gone(1), text(2, edition=4)])
        await rebuild.run()
        # Two editions came after the rebuild began: the live build cut both, and so does this.
        assert sum("lamp number 3" in each for each in rebuild.segmenter.cut) == 1
        assert await told(home, rebuild.generation) == await told(home)
        await publish(home, [text(5)])
        await rebuild.run()
        assert await told(home, rebuild.generation) == await told(home)


async def test_a_work_that_was_withdrawn_and_came_back_is_its_last_incarnation(
    tmp_path: Path,
) -> None:
    async with opened(settings(tmp_path)) as home:
        await publish(home, [*LIFE, WorkWithdrawn(work_id=W), text(7), text(2, edition=9)])
        rebuild = await Rebuild.started(home, "segmentation")
        await rebuild.run()
        assert len(rebuild.segmenter.cut) == 2
        assert await told(home, rebuild.generation) == await told(home)


async def test_registers_are_as_if_every_text_had_been_cut(tmp_path: Path) -> None:
    """A revision that a past text carried still decides about what comes later."""
    async with opened(settings(tmp_path)) as home:
        numbered = text(1).model_copy(update={"revision": 5})
        await publish(home, [numbered, text(1, edition=1)])
        rebuild = await Rebuild.started(home, "segmentation")
        await rebuild.run()
        assert len(rebuild.segmenter.cut) == 1
        late = text(1, edition=2).model_copy(update={"revision": 4, "ordinal": Ordinal.parse(9)})
        await publish(home, [late])
        await rebuild.run()
        work = await home.tree.load(W, rebuild.generation)
        assert work is not None
        assert work.chapters[0].last_outcome is Outcome.STALE
        assert await told(home, rebuild.generation) == await told(home)


async def test_from_scenes_nothing_is_cut_that_was(tmp_path: Path) -> None:
    async with opened(settings(tmp_path)) as home:
        await publish(home, LIFE)
        rebuild = await Rebuild.started(home, "tree")
        assert rebuild.known.started.source is Source.SCENES
        await publish(home, [text(6), text(4, edition=1)])
        await rebuild.run()
        assert [each.splitlines()[0] for each in rebuild.segmenter.cut] == [
            each.body.splitlines()[0] for each in (text(6), text(4, edition=1))
        ]
        assert await told(home, rebuild.generation) == await told(home)


async def test_a_text_that_the_live_build_could_not_take_is_tried(tmp_path: Path) -> None:
    small = settings(tmp_path).model_copy(update={"max_body_bytes": 1_000})
    async with opened(small) as home:
        large = text(1, edition=1).model_copy(update={"body": text(1).body * 3})
        short = text(1).model_copy(update={"body": text(1).body[:400]})
        await publish(home, [short, large])
        rebuild = await Rebuild.started(home, "segmentation")
        report = await rebuild.run()
        assert len(rebuild.segmenter.cut) == 1
        assert len(report.dead) == 1
        assert await told(home, rebuild.generation) == await told(home)
