"""Waiting until a generation has done what the log held, stage by stage."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import pytest

from contracts.errors import TransientError
from contracts.ports import EventLog, Standing
from streams.generations.catching_up import CatchingUp
from streams.publishing import record_of
from streams.session import Home
from streams.wiring import opened
from tests.e2e.homes import publish
from tests.unit.streams.generations.rebuilds import Rebuild, gone, settings, text


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Home]:
    async with opened(settings(tmp_path)) as home:
        await publish(home, [text(1), text(2)])
        yield home


async def test_who_is_there_is_not_waited_for(home: Home) -> None:
    rebuild = await Rebuild.started(home, "tree")
    await rebuild.run()
    began = time.monotonic()
    await CatchingUp(home.log, 60.0)(rebuild.known)
    assert time.monotonic() - began < 5


async def test_who_is_behind_is_told_of_with_the_stage_and_what_waits(home: Home) -> None:
    rebuild = await Rebuild.started(home, "tree")
    with pytest.raises(TransientError, match="g2 is not as far as the log: 2 records wait before "
                       "its stage carry"):  # fmt: skip
        await CatchingUp(home.log, 0.2)(rebuild.known)
    await rebuild.run()
    await home.log.append([record_of(text(3))])
    with pytest.raises(TransientError, match="1 records wait before its stage hide"):
        await CatchingUp(home.log, 0.2)(rebuild.known)


async def test_what_a_stage_makes_on_the_way_the_next_one_must_have_done_too(home: Home) -> None:
    rebuild = await Rebuild.started(home, "segmentation")
    waiting = asyncio.create_task(CatchingUp(home.log, 60.0)(rebuild.known))
    await asyncio.sleep(0.3)
    assert not waiting.done()
    await rebuild.run()
    await waiting
    work = await home.tree.load(text(1).work_id, rebuild.generation)
    assert work is not None
    assert len(work.live_chapters()) == 2


class Withdrawing:
    """A log in which a chapter is withdrawn while the last stage of the path is waited for."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._withdrawn = False

    async def standing(self, group: str, topic: str) -> tuple[Standing, ...]:
        if group == "graft.g2" and not self._withdrawn:
            self._withdrawn = True
            await self._home.log.append([record_of(gone(1))])
        return await self._home.log.standing(group, topic)


async def test_what_was_withdrawn_while_it_was_waited_for_is_hidden_first(home: Home) -> None:
    rebuild = await Rebuild.started(home, "tree")
    await rebuild.run()
    log = cast(EventLog, Withdrawing(home))  # it is asked for nothing else
    with pytest.raises(TransientError, match="1 records wait before its stage hide"):
        await CatchingUp(log, 0.2)(rebuild.known)
    await rebuild.run()
    await CatchingUp(home.log, 0.2)(rebuild.known)
