"""Kafka's log into another Kafka with other partitions, and from there into a local one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from contracts.errors import TransientError
from contracts.topics import CHAPTERS
from streams.backup.backing_up import back_up
from streams.backup.restoring import restore
from streams.lags import waiting
from streams.log_files.importing import import_from
from streams.session import Home
from streams.wiring import open_home
from tests.contract.letter_box import CutOff
from tests.e2e.homes import in_memory
from tests.e2e.kafka.cluster import corner, home_in, until, working
from tests.e2e.retelling import (
    SMALL,
    all_exports,
    carry,
    lives,
    open_letters,
    retry_all,
    stages,
)

pytestmark = [pytest.mark.real, pytest.mark.timeout(400)]


def idle(home: Home) -> Callable[[], Awaitable[bool]]:
    async def nothing_waits() -> bool:
        lags = await waiting(home.log, home.intakes)
        return not any(lag.waiting for lag in lags if lag.stage != "answer")

    return nothing_waits


async def test_it_is_told_again_with_other_partitions(
    kafka_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with corner(kafka_url, "told.") as where, home_in(where, tmp_path / "a") as home:
        await where.tell(*lives())
        async with working(where, stages(home, SMALL)[:-1], tmp_path / "small"):
            await until(idle(home))
        assert await open_letters(home) == 6
        retried = await retry_all(home)
        assert (len(retried.letters), len(retried.refused)) == (4, 2)
        async with working(where, home.stages[:-1], tmp_path / "large"):
            await until(idle(home))
        assert await open_letters(home) == 2
        before = await all_exports(home)
        made = await back_up(home.settings, tmp_path / "backup")
        assert (made.kind, made.stores) == ("log", ("log", "memo"))
        async with (
            corner(kafka_url, "told-again.", partitions=3) as other,
            home_in(other, tmp_path / "b") as fresh,
        ):
            monkeypatch.setattr("streams.log_files.importing._MOST_RECORDS", 5)
            log_file = tmp_path / "backup" / "log" / "log.jsonl.gz"
            with pytest.raises(TransientError, match="cut off"):
                await import_from(CutOff(other.log, 3), log_file)
            assert await other.log.end(CHAPTERS) > 0
            await restore(fresh.settings, tmp_path / "backup")
            assert await other.log.end(CHAPTERS) == await where.log.end(CHAPTERS)
            async with working(other, fresh.stages[:-1], tmp_path / "again"):
                await until(idle(fresh))
            assert await all_exports(fresh) == before
            async with open_home(in_memory(tmp_path / "c")) as local:
                await carry(fresh, local, tmp_path / "third.jsonl.gz")
                await local.runner().run_until_idle()
                assert await all_exports(local) == before
