"""A process writes the generation that its own settings make, or none."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from contracts.errors import PermanentError
from contracts.generations import GenerationDropped
from streams.generations.choosing import generation_to_write
from streams.generations.registry import Generations
from streams.logs.sqlite_log import SqliteEventLog
from tests.unit.streams.generations.test_registry import G1, G2, started, version


@pytest.fixture
async def log(tmp_path: Path) -> AsyncIterator[SqliteEventLog]:
    log = SqliteEventLog(tmp_path / "events.sqlite")
    yield log
    await log.close()


async def test_the_first_process_makes_the_first_generation_its_own(log: SqliteEventLog) -> None:
    known = await generation_to_write(Generations(log), version(), "")
    assert (known.generation, known.version) == (G1, version())
    again = await generation_to_write(Generations(log), version(), "")
    assert again.started == known.started


async def test_of_two_first_processes_at_once_one_is_first(log: SqliteEventLog) -> None:
    told = await asyncio.gather(
        *(generation_to_write(Generations(log), version(f"a={n}"), "") for n in range(2)),
        return_exceptions=True,
    )
    assert sum(isinstance(each, PermanentError) for each in told) == 1


async def test_each_writes_the_generation_of_its_own_version(log: SqliteEventLog) -> None:
    known = Generations(log)
    await known.tell(started(G1))
    await known.tell(started(G2, G1, tree="a=2"))
    assert (await generation_to_write(Generations(log), version("a=1"), "")).generation == G1
    assert (await generation_to_write(Generations(log), version("a=2"), "")).generation == G2


async def test_of_two_of_one_version_the_oldest_unless_one_is_named(log: SqliteEventLog) -> None:
    known = Generations(log)
    await known.tell(started(G1))
    await known.tell(started(G2, G1))
    assert (await generation_to_write(Generations(log), version(), "")).generation == G1
    assert (await generation_to_write(Generations(log), version(), "g2")).generation == G2
    await known.tell(GenerationDropped(generation=G1, at_ms=1))
    assert (await generation_to_write(Generations(log), version(), "")).generation == G2


async def test_other_settings_are_refused_and_told_what_differs_and_what_to_do(
    log: SqliteEventLog,
) -> None:
    await Generations(log).tell(started(G1))
    with pytest.raises(PermanentError) as refused:
        await generation_to_write(Generations(log), version("a=2"), "")
    assert str(refused.value) == (
        f"These settings make another index (version {version('a=2').digest}) than g1: g1 has "
        f"version {version().digest}, and differs in tree: a 1 -> 2. Set that as it was, or build "
        "a new generation beside it with `storygraft reindex start`."
    )


async def test_the_nearest_of_several_is_compared_and_many_differences_are_cut_short(
    log: SqliteEventLog,
) -> None:
    known = Generations(log)
    many = "\n".join(f"p{n}=1" for n in range(9))
    await known.tell(started(G1, tree=many))
    with pytest.raises(PermanentError, match="and 4 more"):
        await generation_to_write(Generations(log), version("b=1"), "")
    await known.tell(started(G2, G1, tree="b=2"))
    with pytest.raises(PermanentError, match=r"than g1, g2: g2 has version .* tree: b 2 -> 1\."):
        await generation_to_write(Generations(log), version("b=1"), "")


async def test_one_that_is_named_must_be_there_and_of_this_version(log: SqliteEventLog) -> None:
    await Generations(log).tell(started(G1))
    with pytest.raises(PermanentError, match=r"^Generation g7 does not exist; there is g1\.$"):
        await generation_to_write(Generations(log), version(), "g7")
    with pytest.raises(PermanentError, match="These settings make another index"):
        await generation_to_write(Generations(log), version("a=2"), "g1")


async def test_where_every_generation_was_dropped_one_is_to_be_begun(log: SqliteEventLog) -> None:
    known = Generations(log)
    await known.tell(started(G1))
    await known.tell(GenerationDropped(generation=G1, at_ms=1))
    with pytest.raises(PermanentError, match="begin one with `storygraft reindex start`"):
        await generation_to_write(Generations(log), version(), "")
