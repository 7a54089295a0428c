"""A generation that begins with another's scenes: they are copied first, then its own go on."""

from __future__ import annotations

from pathlib import Path

from contracts.events import ChapterWithdrawn
from contracts.generations import Frontier, GenerationStarted, Source
from contracts.ids import FIRST_GENERATION, ChapterId, Generation, WorkId
from contracts.messages import EventPassed
from contracts.ports import NewRecord
from contracts.topics import CHAPTERS
from streams.generations.carrying import Carried, carry_scenes
from streams.generations.registry import KnownGeneration
from streams.generations.stages import GenerationStages
from streams.stage import Arrival
from streams.topology import chapter_path
from streams.wiring import opened
from tests.e2e.homes import publish
from tests.unit.streams.generations.rebuilds import Rebuild, settings, stores_of, text, told
from tests.unit.streams.generations.test_registry import version

G2 = Generation("g2")


def started(source: Source, *frontier: Frontier) -> GenerationStarted:
    return GenerationStarted(
        generation=G2,
        version=version(),
        source=source,
        beside=FIRST_GENERATION,
        frontier=frontier,
        at_ms=0,
    )


async def test_it_copies_what_lies_before_the_frontier_of_each_partition() -> None:
    known = KnownGeneration(
        started(
            Source.SCENES,
            Frontier(partition=0, chapters=5, scenes=9),
            Frontier(partition=1, chapters=2, scenes=2),
        )
    )
    stage = carry_scenes(known, FIRST_GENERATION)
    assert (stage.intake.source, stage.intake.group) == ("scenes.g1", "carry.g2")
    assert stage.sink == "scenes.g2"
    gone = ChapterWithdrawn(work_id=WorkId("w"), chapter_id=ChapterId("1"))
    arrivals = [
        Arrival(EventPassed(position=position, event=gone), position, partition)
        for partition, position in ((0, 4), (0, 5), (1, 1), (1, 2), (7, 0))
    ]
    outputs = await stage.handler(arrivals)
    assert [out.position for out in outputs if isinstance(out, EventPassed)] == [4, 1]


async def test_its_own_segment_stage_waits_until_all_is_copied(tmp_path: Path) -> None:
    async with opened(settings(tmp_path)) as home:
        await publish(home, [text(1), text(2)])
        rebuild = await Rebuild.started(home, "embedding")
        carried = Carried(home.log, rebuild.known.started)
        assert not await carried()
        await publish(home, [text(1, edition=1)])
        of_it = GenerationStages(home.generations, rebuild.known, 1.0)
        rows = of_it.all_of(chapter_path(home.ports), stores_of(home))
        assert [row.intake.name for row in rows] == ["carry", "hide", "segment", "embed", "graft"]
        await rebuild.run()
        assert await carried()
        scenes = await home.log.read("scenes.g2", 0, 100, 2**30)
        assert len(scenes) == 3, "two copied, and what came later cut once"
        assert len(rebuild.segmenter.cut) == 1
        assert await told(home, G2) == await told(home)


async def test_what_is_cut_anew_waits_for_nothing(tmp_path: Path) -> None:
    async with opened(settings(tmp_path)) as home:
        await publish(home, [text(1)])
        first = home.generations.require(FIRST_GENERATION).started
        assert await Carried(home.log, first)()
        rebuild = await Rebuild.started(home, "segmentation")
        of_it = GenerationStages(home.generations, rebuild.known, 1.0)
        assert of_it.source is None
        assert all(
            each.ready is None for each in of_it.all_of(chapter_path(home.ports), stores_of(home))
        )


async def test_once_its_source_is_gone_it_copies_no_more_and_waits_no_more(tmp_path: Path) -> None:
    async with opened(settings(tmp_path)) as home:
        await publish(home, [text(1)])
        rebuild = await Rebuild.started(home, "tree")
        await rebuild.run()
        await home.tree.point(G2, FIRST_GENERATION)
        home.generations.require(FIRST_GENERATION).dropped = True
        await home.log.remove(["scenes.g1"], ["carry.g2"])
        event = text(2)
        await home.log.append([NewRecord(CHAPTERS, event.work_id.encode(), event.to_json())])
        assert GenerationStages(home.generations, rebuild.known, 1.0).source is None
        await rebuild.run()
        view = await home.tree.view(event.work_id, None, G2)
        assert view is not None
        assert [each.chapter_id for each in await view.chapters()] == ["1", "2"]
