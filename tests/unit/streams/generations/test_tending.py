"""A rebuild takes a share of the time, until it is live; what was dropped is built no more."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from contracts.errors import TransientError
from contracts.frozen import Frozen
from contracts.generations import GenerationDropped
from contracts.ids import Generation
from contracts.topics import SCENES
from streams.generations.registry import Generations
from streams.generations.tending import Tending
from streams.intakes import SEGMENT
from streams.logs.sqlite_log import SqliteEventLog
from streams.stage import Stage
from tests.unit.streams.generations.test_registry import G1, G2, started, swapped

_WORK_S = 0.05


async def _work(_arrivals: Sequence[Any]) -> Sequence[Frozen]:
    await asyncio.sleep(_WORK_S)
    return ()


@pytest.fixture
async def generations(tmp_path: Path) -> AsyncIterator[Generations]:
    log = SqliteEventLog(tmp_path / "events.sqlite")
    known = Generations(log)
    await known.tell(started(G1))
    await known.tell(started(G2, G1, tree="a=2"))
    yield known
    await log.close()


async def took(generations: Generations, generation: Generation, share: float) -> float:
    stage = Tending(generations, generation, share).stage(Stage(SEGMENT, _work, SCENES))
    began = time.monotonic()
    await stage.handler([])
    return time.monotonic() - began


async def test_what_is_live_takes_all_the_time_it_needs(generations: Generations) -> None:
    assert await took(generations, G1, 0.1) < 5 * _WORK_S


async def test_what_is_built_beside_it_rests_after_each_piece_of_work(
    generations: Generations,
) -> None:
    assert await took(generations, G2, 0.1) >= 10 * _WORK_S


async def test_with_all_of_the_time_it_never_rests(generations: Generations) -> None:
    assert await took(generations, G2, 1.0) < 5 * _WORK_S


async def test_once_it_is_live_it_rests_no_more_and_the_other_one_does(
    generations: Generations,
) -> None:
    await generations.tell(swapped(G2, G1))
    assert await took(generations, G2, 0.1) < 5 * _WORK_S
    assert await took(generations, G1, 0.1) >= 10 * _WORK_S


async def test_what_was_dropped_is_held_with_what_to_do(generations: Generations) -> None:
    await generations.tell(GenerationDropped(generation=G2, at_ms=1))
    with pytest.raises(TransientError, match="The generation g2 was dropped: stop this process"):
        await took(generations, G2, 1.0)
