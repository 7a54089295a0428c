"""What the topic `generations` says: facts in their order, of which the first of a name counts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from contracts.errors import PermanentError
from contracts.generations import (
    GenerationDropped,
    GenerationErased,
    GenerationStarted,
    GenerationSwapped,
    GenerationVerified,
    Source,
)
from contracts.ids import Generation
from contracts.index_version import IndexVersion
from contracts.ports import NewRecord
from contracts.topics import GENERATIONS
from streams.generations.registry import Generations
from streams.logs.sqlite_log import SqliteEventLog

G1, G2, G3 = (Generation(f"g{n}") for n in (1, 2, 3))


def version(tree: str = "a=1", segmentation: str = "s=1") -> IndexVersion:
    return IndexVersion(segmentation=segmentation, embedding="e=1", tree=tree)


def started(
    name: Generation, beside: Generation | None = None, tree: str = "a=1"
) -> GenerationStarted:
    return GenerationStarted(generation=name, version=version(tree), beside=beside, at_ms=0)


def swapped(to: Generation, instead_of: Generation, at_ms: int = 0) -> GenerationSwapped:
    return GenerationSwapped(generation=to, instead_of=instead_of, at_ms=at_ms)


@pytest.fixture
async def log(tmp_path: Path) -> AsyncIterator[SqliteEventLog]:
    log = SqliteEventLog(tmp_path / "events.sqlite")
    yield log
    await log.close()


async def test_an_index_tells_of_none_at_first(log: SqliteEventLog) -> None:
    known = Generations(log)
    await known.refresh()
    assert (known.all(), known.last_live(), known.next_name()) == ((), None, G1)
    with pytest.raises(
        PermanentError, match=r"^Generation g1 does not exist; there is none yet\.$"
    ):
        known.require(G1)


async def test_of_two_that_start_one_name_the_first_counts_for_both(log: SqliteEventLog) -> None:
    one, other = Generations(log), Generations(log)
    told = await asyncio.gather(
        one.tell(started(G1, tree="a=1")), other.tell(started(G1, tree="a=2"))
    )
    assert told[0].version == told[1].version
    await one.refresh()
    await other.refresh()
    assert one.require(G1).version == other.require(G1).version == version("a=1")


async def test_what_is_told_is_known_to_who_reads_later(log: SqliteEventLog) -> None:
    known = Generations(log)
    await known.tell(started(G1))
    await known.tell(started(G2, G1))
    await known.tell(GenerationVerified(generation=G2, beside=G1, breaches=("few",), at_ms=1))
    await known.tell(swapped(G2, G1))
    later = Generations(log)
    await later.refresh()
    assert [each.generation for each in later.all()] == [G1, G2]
    found = later.require(G2)
    assert found.verified is not None
    assert found.verified.breaches == ("few",)
    assert [each.instead_of for each in found.swaps] == [G1]
    assert later.last_live() == G2


async def test_the_order_of_the_topic_decides_what_was_live_last_not_the_clocks(
    log: SqliteEventLog,
) -> None:
    known = Generations(log)
    await known.tell(started(G1))
    await known.tell(started(G2, G1))
    assert known.last_live() == G1
    await known.tell(swapped(G2, G1, at_ms=900))
    await known.tell(swapped(G1, G2, at_ms=500))  # by a machine whose clock is late
    assert known.last_live() == G1


async def test_what_is_dropped_is_not_kept_and_its_name_is_not_given_again(
    log: SqliteEventLog,
) -> None:
    known = Generations(log)
    await known.tell(started(G1))
    await known.tell(started(G2, G1))
    await known.tell(GenerationDropped(generation=G2, at_ms=1))
    assert [each.generation for each in known.kept()] == [G1]
    with pytest.raises(PermanentError, match=r"^Generation g2 was dropped; there is g1\.$"):
        known.require(G2)
    with pytest.raises(PermanentError, match="There is no generation but g1, which is live"):
        known.newest_beside(G1)
    await known.tell(GenerationErased(generation=G2, at_ms=1))
    assert known.all()[1].erased
    assert known.next_name() == G3


async def test_facts_of_what_nobody_started_are_passed_over(log: SqliteEventLog) -> None:
    orphan = GenerationDropped(generation=G2, at_ms=1)
    await log.append([NewRecord(GENERATIONS, b"g2", orphan.to_json())])
    known = Generations(log)
    await known.tell(started(G1))
    assert [each.generation for each in known.all()] == [G1]


async def test_what_a_newer_program_wrote_is_refused(log: SqliteEventLog) -> None:
    await log.append([NewRecord(GENERATIONS, b"g1", b'{"kind": "generation.melted"}')])
    with pytest.raises(PermanentError, match="a newer storygraft wrote there"):
        await Generations(log).refresh()


async def test_only_what_begins_with_scenes_copies_any(log: SqliteEventLog) -> None:
    known = Generations(log)
    await known.tell(started(G1))
    anew = await known.tell(started(G2, G1))
    copied = await known.tell(
        GenerationStarted(
            generation=G3, version=version(), source=Source.SCENES, beside=G1, at_ms=0
        )
    )
    assert (anew.copies_from, copied.copies_from) == (None, G1)


async def test_a_glance_reads_only_now_and_then(log: SqliteEventLog) -> None:
    known, other = Generations(log), Generations(log)
    await known.tell(started(G1))
    await other.tell(started(G2, G1))
    await known.look()
    assert known.get(G2) is None
    await known.refresh()
    assert known.get(G2) is not None


async def test_where_the_graph_was_lost_it_is_built_beside_what_was_live_last(
    log: SqliteEventLog,
) -> None:
    known = Generations(log)
    await known.tell(started(G1))
    await known.tell(started(G2, G1))
    await known.tell(swapped(G2, G1))
    await known.tell(GenerationDropped(generation=G1, at_ms=1))
    assert known.beside(G2).generation == G2
    assert known.beside(G1).generation == G2
