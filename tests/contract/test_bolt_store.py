"""What no suite for every store can ask: servers that die or never answer, and our own nodes."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from neo4j import AsyncGraphDatabase, AsyncTransaction

from contracts.errors import TransientError
from contracts.ids import ChapterId
from graph.arcade_process import ArcadeProcess
from graph.bolt import BoltTreeStore, statements, story_statements, transactions
from graph.bolt.keys import work_key
from graph.bolt.schema import CURRENT, prepare
from graph.bolt.transactions import Transactions, rows_of
from graph.bolt.writing import write
from graph.loopback import free_port
from streams.adapters import startup_cache_folder
from tests.conftest import BoltServer
from tests.contract.story import Writer, a_chapter, a_content, at
from tests.contract.tales import a_tree

pytestmark = pytest.mark.real

_SCANS = {
    "WORKS",
    "LINKING",
    "UNFOLDED",
}  # what lists all works, or mends a store once, may read all of them
_LISTS = ("rows", "keys", "pairs", "absent", "absent_ids", "hidden", "ordinals")
_TEXTS = (
    "work",
    "work_id",
    "generation",
    "token",
    "key",
    "of",
    "one",
    "other",
    "prefix",
    "chapter",
    "id",
)
_NUMBERS = (
    "format",
    "as_of",
    "since",
    "scenes",
    "first",
    "last",
    "place",
    "nth",
    "limit",
    "chapters",
    "newest",
)


@pytest.fixture(params=["arcade_bolt", "neo4j_bolt"])
def server(request: pytest.FixtureRequest) -> BoltServer:
    found = request.getfixturevalue(request.param)
    assert isinstance(found, BoltServer)
    return found


@asynccontextmanager
async def opened(server: BoltServer) -> AsyncIterator[BoltTreeStore]:
    store = BoltTreeStore(server.uri, server.auth, server.database)
    try:
        await store.prepare()
        yield store
    finally:
        await store.close()


def all_statements() -> Iterator[tuple[str, str]]:
    for name, value in (vars(statements) | vars(story_statements)).items():
        if name.startswith("_") or name == "SCHEMA":
            continue
        if isinstance(value, str) and ("MATCH" in value or "MERGE" in value):
            yield name, value
        elif isinstance(value, tuple | dict):
            several = value.values() if isinstance(value, dict) else value
            yield from ((name, each) for each in several if isinstance(each, str))


async def test_a_killed_server_has_every_commit_that_returned(tmp_path: Path) -> None:
    with ArcadeProcess(tmp_path / "arcade", startup_cache=startup_cache_folder()) as process:
        for round_ in range(2):
            address = process.start()
            reached = BoltServer(address.uri, (address.user, address.password), address.database)
            async with opened(reached) as store:
                if round_ == 0:
                    writer = Writer(store)
                    for n in range(5):
                        await writer.publish(f"c{n}", n)
                    assert process.pid is not None
                    os.kill(process.pid, signal.SIGKILL)
                    with pytest.raises(TransientError):
                        await store.load(writer.work_id)
                    continue
                loaded = await store.load(writer.work_id)
                assert loaded is not None
                assert loaded.commit_seq == 5
                view = await store.view(writer.work_id, None)
                assert view is not None
                assert len((await view.snapshot()).homes) == 10


async def test_nobody_there_is_a_transient_error(server: BoltServer) -> None:
    absent = BoltTreeStore(f"bolt://127.0.0.1:{free_port()}", server.auth, server.database)
    with pytest.raises(TransientError, match="out of reach"):
        await absent.load(Writer(absent).work_id)
    await absent.close()


async def test_a_wrong_password_is_nobodys_chapters_fault(arcade_bolt: BoltServer) -> None:
    stranger = BoltTreeStore(arcade_bolt.uri, ("root", "wrong"), arcade_bolt.database)
    with pytest.raises(TransientError):
        await stranger.load(Writer(stranger).work_id)
    await stranger.close()


async def test_a_server_that_does_not_answer_is_given_up(
    server: BoltServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transactions, "_READ_DEADLINE_S", 0.1)
    monkeypatch.setattr(transactions, "_NEW_ATTEMPTS_S", 0.3)
    reached = Transactions(server.uri, server.auth, server.database)

    async def never(transaction: AsyncTransaction) -> None:
        await asyncio.Event().wait()

    started = time.monotonic()
    with pytest.raises(TransientError, match="too long"):
        await reached.read("waiting", never)
    assert time.monotonic() - started < 10
    await reached.close()


async def test_a_commit_whose_answer_was_lost_is_done(server: BoltServer) -> None:
    async with opened(server) as store:
        writer = Writer(store)
        reached = Transactions(server.uri, server.auth, server.database)
        commit = writer.commit([a_chapter("c1", 1)])
        for _ in range(2):
            assert await reached.write("committing", lambda tx: write(tx, commit, "our token"))
        assert not await reached.write("committing", lambda tx: write(tx, commit, "another"))
        loaded = await store.load(writer.work_id)
        assert loaded is not None
        assert loaded.commit_seq == 1
        await reached.close()


async def test_a_reader_never_sees_half_a_commit(server: BoltServer) -> None:
    async with opened(server) as store:
        writer = Writer(store)
        await writer.publish("c1", 1, scenes=1)
        done = asyncio.Event()

        async def keep_writing() -> None:
            for n in range(2, 12):
                content = a_content(writer.work_id, "c1", scenes=n, terms={"emma": n})
                await writer.write(writer.commit([a_chapter("c1", n)], [content]))
            done.set()

        async def keep_reading() -> int:
            count = 0
            while not done.is_set():
                view = await store.view(writer.work_id, at(1_000))
                assert view is not None
                (chapter,) = await view.scenes()
                assert chapter.ordinal == at(len(chapter.scenes))
                count += 1
            return count

        _, read = await asyncio.gather(keep_writing(), keep_reading())
        assert read > 0
        view = await store.view(writer.work_id, None)
        assert view is not None
        assert (await view.passage_counts(["emma"])).counts == {"emma": 11}
        assert set(await view.texts([ChapterId("c1")])) == {"c1"}


async def test_a_schema_is_made_once_and_anew_where_it_is_another(
    server: BoltServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(server) as store:
        made: list[str] = []
        kept = Transactions.change_schema

        async def noted(self: Transactions, statement: str) -> None:
            made.append(statement)
            await kept(self, statement)

        monkeypatch.setattr(Transactions, "change_schema", noted)
        await store.prepare()
        assert made == []
        another = replace(CURRENT, digest="of a later release")
        await prepare(store._transactions, another)
        assert made == list(statements.SCHEMA)
        await prepare(store._transactions, another)
        assert made == list(statements.SCHEMA)
        await store.prepare()  # leave the mark of the schema that is there


async def test_names_of_an_earlier_release_can_be_looked_for(server: BoltServer) -> None:
    async with opened(server) as store:
        writer, tree = await a_tree(store)
        reached = Transactions(server.uri, server.auth, server.database)
        await reached.write(
            "forgetting what names are looked for by",
            lambda tx: rows_of(
                tx,
                "MATCH (n:Alias {work: $work}) REMOVE n.folded",
                work=work_key(writer.generation, writer.work_id),
            ),
        )
        await reached.write(
            "noting another digest",
            lambda tx: rows_of(tx, statements.NOTE_PREPARED, format=1, token="old"),
        )
        await reached.close()
        await store.prepare()
        view = await store.view(writer.work_id, None)
        assert view is not None
        assert await view.consult(lambda graph: graph.called("GRIFFIN")) == (tree.griffins,)


async def test_every_statement_goes_through_an_index(neo4j_bolt: BoltServer) -> None:
    async with opened(neo4j_bolt), AsyncGraphDatabase.driver(neo4j_bolt.uri) as driver:
        found = list(all_statements())
        assert len(found) > 75
        for name, statement in found:
            summary = (
                await driver.execute_query(
                    f"EXPLAIN {statement}",
                    parameters_={
                        **dict.fromkeys(_NUMBERS, 1),
                        **dict.fromkeys(_TEXTS, "x"),
                        **{name: [] for name in _LISTS},
                    },
                )
            ).summary
            operators = str(summary.plan)
            scans = "NodeByLabelScan" in operators or "AllNodesScan" in operators
            assert scans == (name in _SCANS), f"{name}: {statement}"
