"""Short forms of `make soak-generations`, on real servers; that one has Neo4j for a graph.

The graph's pointer is one for all tests that share the server: each puts it back, and drops only
what it has built itself.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from contracts.clock import now_ms
from contracts.crash_points import CrashPoint
from contracts.errors import TransientError
from contracts.ids import FIRST_GENERATION, Generation, WorkId
from contracts.requests import Drop, Reindex, Rollback, Swap
from contracts.spending import Spent
from graph.placement_weights import WEIGHTS
from replay.soak.crew import Crew
from replay.soak.generations.asking import Readers, Tally, known, questions
from replay.soak.generations.auditing import audited
from replay.soak.generations.programs import Paid
from replay.soak.generations.publishing import Stream, going
from replay.soak.generations.serials import Serial, serials, turns
from replay.soak.verdict import exported, undisturbed
from streams.generations.path import intakes_of, topics_of
from streams.lags import waiting
from streams.operations import DROP, REINDEX, ROLLBACK, SWAP
from streams.performing import Here
from streams.session import Home
from streams.settings import Settings
from streams.spending import spending
from streams.wiring import opened
from tests.conftest import BoltServer
from tests.e2e.kafka.cluster import corner, until
from tests.e2e.kafka.processes import worker
from tests.model_server import ModelServer
from tests.model_server.even import EvenScript

pytestmark = [pytest.mark.real, pytest.mark.timeout(600)]

G2 = Generation("g2")
PATIENCE_S = 200.0
Told = Mapping[str, str]


@pytest.fixture
def answering(model_server: ModelServer) -> Iterator[ModelServer]:
    with model_server.anew(script=EvenScript(8, seconds=0.05)) as server:
        yield server


@pytest.fixture
def old(arcade_bolt: BoltServer, milvus_uri: str, kafka_url: str, tmp_path: Path) -> Told:
    assert arcade_bolt.auth is not None
    user, password = arcade_bolt.auth
    return {
        "home": str(tmp_path / "home"),
        "log": kafka_url,
        "graph": arcade_bolt.uri,
        "graph_user": user,
        "graph_password": password,
        "graph_database": arcade_bolt.database,
        "memo": arcade_bolt.uri,
        "vectors": milvus_uri,
        "topic_partitions": "2",
    }


def by_model(old: Told, answering: ModelServer) -> Told:
    return {
        **old,
        "model": answering.url,
        "model_name": answering.model,
        "segmenter": "litseg-lite",
        "reindex_share": "1",
    }


@asynccontextmanager
async def live(settings: Told) -> AsyncIterator[Home]:
    """A home on a shared server, whose pointer is put back at the end."""
    async with opened(Settings.model_validate(settings)) as home:
        try:
            yield home
        finally:
            await home.tree.point(FIRST_GENERATION, await home.tree.live())


async def waits(home: Home, generation: Generation) -> int:
    """How much lies before the stages of a generation; much, while it is not there."""
    await home.generations.refresh()
    found = home.generations.get(generation)
    if found is None:
        return 1_000
    return sum(each.waiting for each in await waiting(home.log, intakes_of(found)))


async def until_done(home: Home, generation: Generation, but: int = 0) -> None:
    async def done() -> bool:
        return await waits(home, generation) <= but

    await until(done)


async def asked_more(tally: Tally, number: int) -> None:
    wanted = tally.asked + number
    await until(lambda: tally.asked >= wanted)


async def told(home: Home, works: Sequence[Serial], generation: Generation) -> dict[WorkId, bytes]:
    return {work.work_id: await exported(home, work.work_id, generation) for work in works}


async def test_readers_get_answers_of_one_generation_while_another_takes_its_place(
    old: Told, answering: ModelServer, tmp_path: Path
) -> None:
    old = {**old, "topic_prefix": "swap."}
    new = by_model(old, answering)
    works = serials(2, 1, 5, "swapped")
    asked = questions(works, 2, seed=5)
    first = await known(old, works, asked, tmp_path / "first")
    second = await known(new, works, asked, tmp_path / "second")
    assert sum(first[each] != second[each] for each in asked) > len(asked) / 2
    tally, random = Tally(), Random(5)  # noqa: S311 - no secret
    async with corner(old["log"], "swap.", 2), live(old) as home, live(new) as building:
        index = Here(building)
        stream = Stream(home.log, turns(works, random), 1.0)
        readers = Readers(home, works, asked, {"g1": first}, tally, random)
        with worker(old, tmp_path / "old.log"):
            await stream.publish([each for work in works for each in work.settle()])
            await until_done(home, FIRST_GENERATION)
            started = await index.call(REINDEX, Reindex())
            assert (started.generation, started.source) == (G2, "chapters")
            with worker(new, tmp_path / "new.log"):
                async with going(stream.flow, readers.read):
                    await until_done(home, G2, but=10)
                    readers.answers = {"g1": first, "g2": second}
                    # The server holds works of other tests, which are not in it.
                    swap = Swap(forced="only of this test", patience_s=PATIENCE_S)
                    assert (await index.call(SWAP, swap)).generation == G2
                    readers.answers = {"g2": second}
                    await asked_more(tally, 12)
                    readers.answers = {"g1": first, "g2": second}
                    back = await index.call(ROLLBACK, Rollback(patience_s=PATIENCE_S))
                    assert back.generation == FIRST_GENERATION
                    readers.answers = {"g1": first}
                    await asked_more(tally, 12)
                await until_done(home, FIRST_GENERATION)
                await until_done(home, G2)
                with pytest.raises(TransientError, match="stop the workers"):
                    await index.call(DROP, Drop(generation=G2, grace_s=0))
            names = [work.work_id for work in works]
            for way, generation in ((home, FIRST_GENERATION), (building, G2)):
                calm = tmp_path / f"calm-{generation}"
                expected = await undisturbed(way.settings, calm, stream.events, names)
                assert await told(home, works, generation) == expected
            await until_gone(building)
            assert [await building.log.ends(topic) for topic in topics_of(G2)] == [()] * 6
            assert await told(home, works, G2) == dict.fromkeys(names, b"")
            assert b"" not in (await told(home, works, FIRST_GENERATION)).values()
    assert tally.failed == tally.mixed == tally.returned == []
    assert min(tally.given["g1"], tally.given["g2"]) >= 10


async def until_gone(building: Home) -> None:
    """Drop what was built; the broker takes some seconds to notice that its worker is gone."""

    async def dropped() -> bool:
        try:
            await Here(building).call(DROP, Drop(generation=G2, grace_s=0))
        except TransientError:
            return False
        return True

    await until(dropped)


async def test_another_tree_is_built_from_the_rows_there_are(old: Told, tmp_path: Path) -> None:
    old = {**old, "topic_prefix": "rows-again."}
    table = tmp_path / "weights.json"
    table.write_text(json.dumps(asdict(replace(WEIGHTS, fits=WEIGHTS.fits + 20))), "utf-8")
    new = {**old, "placement_weights": str(table), "reindex_share": "1"}
    works = serials(2, 3, 7, "copied")
    coming = turns(works, Random(7))  # noqa: S311 - no secret
    async with corner(old["log"], "rows-again.", 2), live(old) as home, live(new) as building:
        stream = Stream(home.log, coming, 0.0)
        with worker(old, tmp_path / "old.log"):
            await stream.publish([each for work in works for each in work.settle()])
            await stream.publish(list(islice(coming, 8)))
            await until_done(home, FIRST_GENERATION)
            before = await home.log.end(f"scenes.{FIRST_GENERATION}")
            started = await Here(building).call(REINDEX, Reindex())
            assert (started.source, started.rows) == ("scenes", True)
            with worker(new, tmp_path / "new.log"):
                await stream.publish(list(islice(coming, 4)))
                await until_done(home, FIRST_GENERATION)
                await until_done(home, G2)
        # What was embedded came as it was; what came after the start went the whole way.
        after = await home.log.end(f"scenes.{FIRST_GENERATION}")
        assert await home.log.end(f"scenes.{G2}") == after - before > 0
        names = [work.work_id for work in works]
        expected = await undisturbed(building.settings, tmp_path / "calm", stream.events, names)
        assert await told(home, works, G2) == expected
        await until_gone(building)


async def test_killed_again_and_again_a_rebuild_pays_no_stored_answer_twice(
    old: Told, answering: ModelServer, tmp_path: Path
) -> None:
    old = {**old, "topic_prefix": "killed."}
    new = {**by_model(old, answering), "temperature": "0.3"}  # nothing that another test has asked
    works, random = serials(2, 3, 6, "killed"), Random(6)  # noqa: S311 - moments, no secrets
    coming = turns(works, random)
    async with corner(old["log"], "killed.", 2), live(new) as home:
        stream = Stream(home.log, coming, 0.0)
        with worker(old, tmp_path / "old.log"):
            await stream.publish([each for work in works for each in work.settle()])
            await until_done(home, FIRST_GENERATION)
            await Here(home).call(REINDEX, Reindex())
            crew = Crew(new, tmp_path / "new.log", random)
            kills = []
            with crew.on_duty(1):
                for point in (CrashPoint.BEFORE_ACK, None):
                    await stream.publish(list(islice(coming, 4)))
                    if point is None:
                        await asyncio.sleep(4)  # it is at work by then, and not done
                        crew.kill()
                    else:
                        more = partial(_publish, asyncio.get_running_loop(), stream)
                        assert await asyncio.to_thread(crew.die_at, point, PATIENCE_S, more)
                    kills.append(now_ms())
                    crew.keep()
                await until_done(home, FIRST_GENERATION)
                await until_done(home, G2)
        books = [Paid.model_validate(asdict(each)) for each in answering.accounts.entries]
        entries = [each for work in works for each in await home.memo.of_work(work.work_id)]
        spent = [(await spending(home.memo, G2, work.work_id)).total for work in works]
        audit = audited(books, entries, Spent.total(spent), kills)
        assert audit.wrong == []
        assert audit.questions > 5
        names = [work.work_id for work in works]
        expected = await undisturbed(home.settings, tmp_path / "calm", stream.events, names)
        assert await told(home, works, G2) == expected
        await until_gone(home)


def _publish(loop: asyncio.AbstractEventLoop, stream: Stream) -> None:
    """Give workers something to do, from another thread than the log belongs to."""
    publishing = stream.publish([next(stream.coming)])
    asyncio.run_coroutine_threadsafe(publishing, loop).result()
