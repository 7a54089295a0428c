"""A log that is exported, wiped, imported and indexed gives the index that was there."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.generations import GenerationStarted
from contracts.ids import Generation, WorkId
from contracts.topics import CHAPTERS
from streams.backup.backing_up import back_up
from streams.backup.restoring import restore
from streams.demo_story import read_story
from streams.doctor import checking
from streams.gaps import GapFinder
from streams.index_version import index_version
from streams.inprocess import InProcessRunner
from streams.parking import ParkingLot
from streams.publishing import record_of
from streams.session import Home
from streams.settings import Settings
from streams.wiring import open_home
from tests.e2e.homes import embedded, publish
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


async def _check(settings: Settings, other: Settings, folder: Path) -> dict[WorkId, bytes]:
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
            started = GenerationStarted(
                generation=Generation("g2"), version=index_version(settings), at_ms=1
            )
            await home.generations.tell(started)
            return after


@pytest.mark.real
async def test_on_real_stores_and_out_of_a_backup(tmp_path: Path) -> None:
    told = await _check(embedded(tmp_path / "a"), embedded(tmp_path / "b"), tmp_path)
    await back_up(embedded(tmp_path / "a"), tmp_path / "backup")
    await restore(embedded(tmp_path / "c"), tmp_path / "backup")
    async with open_home(embedded(tmp_path / "c")) as home:
        assert await all_exports(home) == told
        assert await open_letters(home) == 2
        assert (await checking.check(home)).sound
        await home.generations.refresh()
        assert [known.generation for known in home.generations.kept()] == ["g1", "g2"]
        assert await home.tree.live() == "g1"
        view = await home.view(WORKS[0], None)
        question = read_story().questions[0].question
        assert (await home.retriever.search(view, question, 500)).passages
