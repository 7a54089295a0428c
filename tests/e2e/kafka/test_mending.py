"""`doctor` and `purge` on a Kafka log: what they do, and what they say they leave."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.events import ChapterWithdrawn
from contracts.ids import FIRST_GENERATION, ChapterId, WorkId
from contracts.reports import FindingKind
from streams.doctor.checking import check
from streams.doctor.repairing import repair
from streams.parking import ParkingLot
from streams.purge.kafka_residue import kafka_residue
from streams.purge.purge_ordering import PurgeRefused, order_of, settled
from tests.e2e.homes import exported
from tests.e2e.kafka.cluster import corner, home_in, partition_of, until, working
from tests.unit.streams.stand_ins import published

pytestmark = pytest.mark.real

W = WorkId("w")
SECOND = ChapterId("2")


async def test_a_lost_graph_is_told_again_from_the_log_of_one_work(
    kafka_url: str, tmp_path: Path
) -> None:
    bodies = ("Ilse came down to the sea.", "Marrow kept the key.", "The key was gone.")
    async with corner(kafka_url, "mend.") as where:
        async with home_in(where, tmp_path) as home:
            async with working(where, home.stages, tmp_path / "worker"):
                await where.tell(*(published(str(n + 1), b, W) for n, b in enumerate(bodies)))
                await where.tell(ChapterWithdrawn(work_id=W, chapter_id=SECOND))

                async def grafted() -> bool:
                    return await where.done("graft.g1", "embedded.g1") == 4

                await until(grafted)
            before = await exported(home, W)
            report = await check(home)
            assert report.sound
            assert "doctor --work WORK" in report.unchecked[0]
            report = await check(home, W)
            assert (report.sound, report.unchecked) == (True, ())

        async with home_in(where, tmp_path) as home:  # whose stores are empty
            report = await check(home, W)
            assert [each.kind for each in report.works[0].findings] == [FindingKind.CHAPTER_LOST]
            await ParkingLot(where.log).pause(W)  # which keeps nobody from mending it
            assert (await repair(home, W)).sound
            assert await exported(home, W) == before
            assert (await check(home, W)).sound
            await home.parking.resume(W)

            work = await settled(home, W)
            order = await order_of(home, work, [SECOND])
            text, answers = await kafka_residue(home, order, work)
            assert f"chapters (partition {partition_of(b'w')}, up to offset 1)" in text
            assert "kept without limit" in text
            assert "30 days" in answers

            keys = await home.vectors.keys(W, FIRST_GENERATION)
            (row, *_) = (await home.vectors.fetch(W, FIRST_GENERATION, keys)).values()
            await home.vectors.delete(W, FIRST_GENERATION, [row.key])
            assert not (await check(home, W)).sound
            assert (await repair(home)).sound, "rows are mended from the graph, of all works"

            await where.tell(published("4", "Nobody came.", W))
            with pytest.raises(PurgeRefused, match="storygraft status w"):
                await settled(home, W)
