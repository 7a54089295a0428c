"""On a real broker: two workers keep one cap, a dear work waits alone, nothing is paid twice."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from contracts.ids import FIRST_GENERATION
from contracts.spending import Spent
from processors.litseg import Limits, LitSegLite
from processors.openai_chat import Endpoint, OpenAIChat
from streams import topology
from streams.ahead import Ahead
from streams.caps import Caps, capped_payer
from streams.logs.sqlite_memo import SqliteMemo
from streams.parking import ParkingLot
from streams.settings import Settings
from streams.stage import Stage, of_generation
from streams.worker import Worker
from tests.e2e.kafka.cluster import Corner, corner, until, working
from tests.e2e.kafka.test_holding import WORKS, HoldingTree, tell_chapters
from tests.model_server import ModelServer
from tests.model_server.gold import GoldScript
from tests.unit.streams.stand_ins import path_to

pytestmark = pytest.mark.real

CHAPTERS = 6
ALL = CHAPTERS + 1
AHEAD = 2


def path(
    where: Corner, tree: HoldingTree, memo: SqliteMemo, chat: OpenAIChat, caps: Caps
) -> Sequence[Stage[Any]]:
    payer = capped_payer(memo, FIRST_GENERATION, caps)
    segmenter = LitSegLite(chat, payer, Settings().sampling, Limits(32_768, 3))
    row = topology.segment(segmenter, 10**6, ParkingLot(where.log), Ahead(AHEAD))
    _, *rest = path_to(tree)
    return [of_generation(row, FIRST_GENERATION), *rest]


@asynccontextmanager
async def paying(
    where: Corner, tree: HoldingTree, server: ModelServer, folder: Path, caps: Caps
) -> AsyncIterator[Worker]:
    """A worker with a model of its own, on the memo that all share."""
    memo = SqliteMemo(folder.parent / "memo.sqlite")
    chat = OpenAIChat(Endpoint(server.url, server.model))
    async with working(where, path(where, tree, memo, chat, caps), folder) as worker:
        yield worker
    await memo.close()


def reasons(*workers: Worker) -> list[str]:
    return [lane.reason for worker in workers for lane in worker.progress() if lane.reason]


async def test_two_workers_keep_a_cap_and_a_dear_work_waits_alone(
    kafka_url: str, tmp_path: Path, model_server: ModelServer
) -> None:
    tree, works = HoldingTree(), list(WORKS.values())
    most, memo = 8_000, SqliteMemo(tmp_path / "memo.sqlite")
    with model_server.anew(script=GoldScript()) as server:
        async with corner(kafka_url, "caps.") as where:
            whole = Caps(whole=most)
            async with (
                paying(where, tree, server, tmp_path / "a", whole) as one,
                paying(where, tree, server, tmp_path / "b", whole) as other,
            ):
                for n in range(CHAPTERS):
                    for work in works:
                        await tell_chapters(where, work, range(n, n + 1), f"{work} hid number {n}.")
                await until(lambda: len(reasons(one, other)) >= 2)
                assert all("max_tokens is 8,000" in reason for reason in reasons(one, other))
            spent = Spent.total(await memo.spent_by_day(FIRST_GENERATION))
            a_call = spent.tokens // spent.calls
            under_way = len(works) + 2 * AHEAD
            assert most <= spent.tokens <= most + under_way * a_call

            lot = ParkingLot(where.log)

            async def all_aside() -> bool:
                await lot.refresh()
                return len(lot.aside()) == len(works)

            for work in works:  # one of them may have been done with all the others
                await tell_chapters(where, work, range(CHAPTERS, ALL), f"{work} hid number 6.")
            each = Caps(a_work=4 * a_call)
            async with paying(where, tree, server, tmp_path / "c", each) as one:
                await until(all_aside)
                assert reasons(one) == []
            assert all("max_tokens_per_work" in dear.reason for dear in lot.aside())
            for dear in lot.aside():
                await lot.resume(dear.work_id)
            async with paying(where, tree, server, tmp_path / "d", Caps()):
                await until(lambda: len(tree.came) == len(works) * ALL)
        assert all(tree.of(work) == [str(n) for n in range(ALL)] for work in works)
        assert server.paid_twice == 0
        account = server.account("segmentation")
        spent = Spent.total(await memo.spent_by_day(FIRST_GENERATION))
        assert (spent.calls, spent.input_tokens, spent.output_tokens) == (
            account.answered,
            account.input_tokens,
            account.output_tokens,
        )
        assert account.answered == len(works) * ALL
    await memo.close()
