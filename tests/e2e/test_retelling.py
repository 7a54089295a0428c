"""A log that is exported, wiped, imported and indexed gives the index that was there."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.topics import CHAPTERS
from streams.gaps import GapFinder
from streams.inprocess import InProcessRunner
from streams.parking import ParkingLot
from streams.publishing import record_of
from streams.session import Home
from streams.settings import Settings
from streams.wiring import open_home
from tests.e2e.homes import embedded, in_memory, publish
from tests.e2e.retelling import (
    SMALL,
    WORKS,
    all_exports,
    carry,
    edit,
    lives,
    open_letters,
    retry_all,
    stages,
)


async def _lived(home: Home) -> None:
    """Let the works live in the home: what is too long dies, and is retried under a new limit."""
    await home.log.append([record_of(event) for event in lives()])
    report = await InProcessRunner(home.log, stages(home, SMALL)).run_until_idle()
    assert len(report.dead) == 2 * len(WORKS)
    assert (await open_letters(home)) == 2 * len(WORKS)
    assert any("bytes" in gap.reason for gap in await home.finder(WORKS[0]))
    retried = await retry_all(home)
    # What the third work's withdrawal took away must not be read again.
    assert (len(retried.letters), len(retried.refused)) == (4, 2)
    again = await home.runner().run_until_idle()
    assert again.dead == ()
    assert again.held == ()
    assert await open_letters(home) == 2
    assert await home.finder(WORKS[0]) == ()


async def _check(settings: Settings, other: Settings, folder: Path) -> None:
    async with open_home(settings) as home:
        await _lived(home)
        before = await all_exports(home)
        async with open_home(other) as fresh:
            count = await carry(home, fresh, folder / "log.jsonl.gz")
            assert count == await home.log.end(CHAPTERS)
            assert (await fresh.runner().run_until_idle()).held == ()
            assert await all_exports(fresh) == before
            assert await open_letters(fresh) == 0
            finder = GapFinder(fresh.log, fresh.tree, ParkingLot(fresh.log))
            assert await finder(WORKS[0]) == ()
            for each in (home, fresh):
                assert (await publish(each, [edit()])).held == ()
            after = await all_exports(home)
            assert await all_exports(fresh) == after
            assert after[WORKS[0]] != before[WORKS[0]], "what comes later is newer in both"


async def test_in_memory(tmp_path: Path) -> None:
    await _check(in_memory(tmp_path / "a"), in_memory(tmp_path / "b"), tmp_path)


@pytest.mark.real
async def test_on_real_stores(tmp_path: Path) -> None:
    await _check(embedded(tmp_path / "a"), embedded(tmp_path / "b"), tmp_path)
