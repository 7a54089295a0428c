"""What a generation may cost: caps are reached, told of and raised, and nothing is paid twice."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from contracts.events import ChapterPublished
from contracts.ids import FIRST_GENERATION, ChapterId, WorkId
from contracts.ordinals import Ordinal
from contracts.requests import Pausing, Standing
from contracts.spending import Spent
from streams.adapters import open_advising, open_chat, open_payer
from streams.inprocess import InProcessRunner, RunReport
from streams.logs.sqlite_log import SqliteEventLog
from streams.operations import RESUME, STATUS
from streams.performing import Here
from streams.publishing import record_of
from streams.segmenters import open_segmenter
from streams.session import Home
from streams.settings import Settings
from streams.topology import topology
from streams.wiring import opened
from tests.model_server import ModelServer
from tests.model_server.gold import GoldScript

WORKS = [WorkId(name) for name in ("ash", "birch", "cedar")]
CHAPTERS = 4


@pytest.fixture
def server(model_server: ModelServer) -> Iterator[ModelServer]:
    with model_server.anew(script=GoldScript()) as server:
        yield server


def story(works: list[WorkId]) -> list[ChapterPublished]:
    """Return the works' chapters, one of each work after the other."""
    return [
        ChapterPublished(
            work_id=work,
            chapter_id=ChapterId(str(number)),
            ordinal=Ordinal.parse(number),
            body=f"Hedda took the ledger to the {work} house, number {number}. She hid it there. "
            f"Nobody in {work} street saw her but Morrow, who counted to {number} and went home.",
            language="en",
        )
        for number in range(1, CHAPTERS + 1)
        for work in works
    ]


def asking(server: ModelServer, folder: Path, **caps: object) -> Settings:
    told = {"home": folder, "model": server.url, "model_name": server.model}
    stores = {"log": "memory:", "vectors": "memory:", "graph": "memory:"}
    memo = {"memo": f"sqlite:{folder / 'memo.sqlite'}"}
    return Settings.model_validate({**told, **stores, **memo, **caps})


async def published(home: Home, works: list[WorkId]) -> RunReport:
    await home.log.append([record_of(event) for event in story(works)])
    return await home.runner().run_until_idle()


@asynccontextmanager
async def started_again(home: Home, **caps: object) -> AsyncIterator[InProcessRunner]:
    """What a process with other caps runs on the same stores."""
    settings = home.settings.model_copy(update=caps)
    payer, chat = open_payer(settings, home.memo, home.generation), open_chat(settings)
    assert chat is not None
    ports = replace(
        home.ports,
        segmenter=open_segmenter(settings, home.ports.embedder, payer, chat),
        advising=open_advising(settings, chat, payer),
    )
    yield InProcessRunner(home.log, topology(ports))
    await chat.close()


async def cost(home: Home) -> Spent:
    return Spent.total(await home.memo.spent_by_day(FIRST_GENERATION))


def told_by(server: ModelServer) -> Spent:
    """What the server has been paid."""
    accounts = [server.account(purpose) for purpose in ("segmentation", "placement")]
    return Spent(
        calls=sum(each.answered for each in accounts),
        input_tokens=sum(each.input_tokens for each in accounts),
        output_tokens=sum(each.output_tokens for each in accounts),
    )


def without_time(spent: Spent) -> Spent:
    return spent.model_copy(update={"took_ms": 0})


@pytest.mark.parametrize(
    ("cap", "ahead"), [("max_tokens", 0), ("max_tokens", 7), ("max_tokens_per_day", 7)]
)
async def test_a_generation_that_has_cost_enough_is_held_and_goes_on_with_a_higher_cap(
    server: ModelServer, tmp_path: Path, cap: str, ahead: int
) -> None:
    most = 4_000
    async with opened(asking(server, tmp_path, **{cap: most}, segment_ahead=ahead)) as home:
        report = await published(home, WORKS)
        (held,) = [each for each in report.held if each.stage == "segment"]
        assert f"{cap} is {most:,}" in held.reason
        assert (await Here(home).call(STATUS, Standing())).held
        paid = await cost(home)
        assert without_time(paid) == told_by(server)
        dearest = paid.tokens // paid.calls * 2
        assert most <= paid.tokens < most + dearest
        assert (await home.runner().run_until_idle()).held, "it stays so"
        assert await cost(home) == paid
        async with started_again(home, **{cap: 0}) as runner:
            assert not (await runner.run_until_idle()).held
        assert without_time(await cost(home)) == told_by(server)
        assert (await Here(home).call(STATUS, Standing())).held == ()
    assert server.paid_twice == 0
    assert server.account("segmentation").answered == len(WORKS) * CHAPTERS


async def test_a_work_that_has_cost_enough_waits_alone_until_it_is_resumed_with_a_higher_cap(
    server: ModelServer, tmp_path: Path
) -> None:
    async with opened(asking(server, tmp_path)) as home:
        await published(home, WORKS[:1])
        each = (await cost(home)).tokens // CHAPTERS
    async with opened(asking(server, tmp_path, max_tokens_per_work=2 * each)) as home:
        here = Here(home)
        report = await published(home, WORKS[:1])
        assert not report.held, "what the memo has costs nothing"
        assert (await here.call(STATUS, Standing())).paused == ()
        report = await published(home, WORKS[1:])
        assert not report.held
        paused = (await here.call(STATUS, Standing())).paused
        assert [work.work_id for work in paused] == WORKS[1:]
        assert all(f"max_tokens_per_work is {2 * each:,}" in work.reason for work in paused)
        assert {work.waiting for work in paused} <= {1, 2}
        before = told_by(server)
        for work in WORKS[1:]:
            await here.call(RESUME, Pausing(work_id=work))
        await home.runner().run_until_idle()
        assert told_by(server).calls == before.calls, "the cap is what it was"
        assert [each.paused for each in (await here.call(STATUS, Standing())).paused] == [True] * 2
        for work in WORKS[1:]:
            await here.call(RESUME, Pausing(work_id=work))
        async with started_again(home, max_tokens_per_work=0) as runner:
            assert not (await runner.run_until_idle()).held
        assert (await here.call(STATUS, Standing())).paused == ()
        works = await home.tree.works()
        assert [len(work.live_chapters()) for work in works] == [CHAPTERS] * len(WORKS)
        assert without_time(await cost(home)) == told_by(server)
    assert server.paid_twice == 0


_WORKER = """
import asyncio, os, signal, sys
from contracts.crash_points import CrashPoint
from streams.settings import Settings
from streams.wiring import opened

left = int(sys.argv[2])

def kill(point):
    global left
    left -= point is CrashPoint.BEFORE_ACK
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)

async def main():
    async with opened(Settings.model_validate_json(sys.argv[1]), reached=kill) as home:
        await home.runner().run_until_idle()

asyncio.run(main())
"""


async def test_killed_and_then_capped_it_tells_truly_what_it_has_cost(
    server: ModelServer, tmp_path: Path
) -> None:
    log = f"sqlite:{tmp_path / 'log.sqlite'}"
    settings = asking(server, tmp_path, log=log)
    events = SqliteEventLog(tmp_path / "log.sqlite")
    await events.append([record_of(event) for event in story(WORKS)])
    await events.close()
    ended = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", _WORKER, json.dumps(settings.model_dump(mode="json")), "4"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()
    assert server.account("segmentation").answered == 3
    for cap, held in ((4_000, True), (0, False)):
        async with opened(asking(server, tmp_path, max_tokens=cap)) as home:
            assert without_time(await cost(home)) == told_by(server)
            report = await published(home, WORKS)
            assert bool(report.held) == held
            assert without_time(await cost(home)) == told_by(server)
    assert server.paid_twice == 0
    assert server.account("segmentation").answered == len(WORKS) * CHAPTERS
