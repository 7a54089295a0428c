"""Kafka's log into another Kafka with other partitions, and from there into a local one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from streams.backup.backing_up import back_up
from streams.backup.restoring import restore
from streams.lags import waiting
from streams.session import Home
from streams.settings import Settings
from streams.wiring import open_home
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


async def test_it_is_told_again_with_other_partitions(kafka_url: str, tmp_path: Path) -> None:
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
        path = tmp_path / "log.jsonl"
        async with (
            corner(kafka_url, "again.", partitions=3) as other,
            home_in(other, tmp_path / "b") as fresh,
        ):
            count = await carry(home, fresh, path)
            assert count == await home.log.end("chapters") == await other.log.end("chapters")
            assert await carry(home, fresh, path) == 0, "it has them all"
            async with working(other, fresh.stages[:-1], tmp_path / "again"):
                await until(idle(fresh))
            assert await all_exports(fresh) == before
            made = await back_up(fresh.settings, tmp_path / "backup")
            assert (made.kind, made.stores) == ("log", ("log", "memo"))
            settings = Settings(home=tmp_path / "c", graph="memory:", vectors="memory:")
            await restore(settings, tmp_path / "backup")
            async with open_home(settings) as local:
                await local.runner().run_until_idle()
                assert await all_exports(local) == before
