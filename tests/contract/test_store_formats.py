"""Stores say which format they have: older ones are lifted, newer ones refused, on real servers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from pymilvus import MilvusClient
from pymilvus.client.types import DataType

from contracts.errors import PermanentError
from contracts.ids import Generation
from graph.bolt import BoltTreeStore, statements
from graph.bolt.rows import Columns
from graph.bolt.schema import CURRENT, StoreFormat, prepare
from graph.bolt.transactions import Transactions, rows_of
from graph.milvus import MilvusVectorStore
from graph.milvus.row_format import ROW_FORMAT
from graph.milvus.schema import collection_schema
from tests.conftest import BoltServer
from tests.contract.rows import a_book
from tests.contract.story import Writer, new_work

pytestmark = pytest.mark.real

G = Generation("g1")


@pytest.fixture(params=["arcade_bolt", "neo4j_bolt"])
def server(request: pytest.FixtureRequest) -> BoltServer:
    found = request.getfixturevalue(request.param)
    assert isinstance(found, BoltServer)
    return found


@asynccontextmanager
async def connected(server: BoltServer) -> AsyncIterator[Transactions]:
    transactions = Transactions(server.uri, server.auth, server.database)
    try:
        yield transactions
    finally:
        await transactions.close()


async def changed(transactions: Transactions, statement: str) -> None:
    await transactions.write("a test", lambda tx: rows_of(tx, statement))


async def asked(transactions: Transactions, statement: str) -> list[Columns]:
    return list(await transactions.read("a test", lambda tx: rows_of(tx, statement)))


async def noted(transactions: Transactions) -> list[tuple[object, object]]:
    found = await asked(transactions, statements.PREPARED)
    return [(row["digest"], row["format"]) for row in found]


def later(number: int, **upgrades: tuple[str, ...]) -> StoreFormat:
    """A format that a later program may have."""
    lifts = {int(name.removeprefix("from_")): step for name, step in upgrades.items()}
    return replace(CURRENT, number=number, upgrades=lifts)


@pytest.fixture
async def transactions(server: BoltServer) -> AsyncIterator[Transactions]:
    """Of a store that is prepared, and is so again for the next test."""
    async with connected(server) as transactions:
        await prepare(transactions)
        yield transactions
        await changed(transactions, "MATCH (n:Lifted) DETACH DELETE n")
        await changed(transactions, "MATCH (p:Prepared) DETACH DELETE p")
        await prepare(transactions)


async def test_a_new_store_notes_its_format_once_however_many_prepare_it(
    server: BoltServer, transactions: Transactions, request: pytest.FixtureRequest
) -> None:
    await changed(transactions, "MATCH (p:Prepared) DETACH DELETE p")
    if "neo4j" in request.node.name:  # ArcadeDB has no statement that drops them
        for statement in CURRENT.schema:
            _, kind, name, *_ = statement.split()
            await transactions.change_schema(f"DROP {kind} {name}")
    stores = [BoltTreeStore(server.uri, server.auth, server.database) for _ in range(4)]
    try:
        await asyncio.gather(*(store.prepare() for store in stores))
        assert await noted(transactions) == [(CURRENT.digest, CURRENT.number)]
        await stores[0].prepare()
    finally:
        await asyncio.gather(*(store.close() for store in stores))
    assert await noted(transactions) == [(CURRENT.digest, CURRENT.number)]


async def test_what_a_program_left_that_died_as_it_made_a_constraint_is_made_anew(
    neo4j_bolt: BoltServer,
) -> None:
    async with connected(neo4j_bolt) as transactions:
        await prepare(transactions)
        await changed(transactions, "MATCH (p:Prepared) DETACH DELETE p")
        await _left_half_made(neo4j_bolt, transactions, "alias_key")
        async with connected(neo4j_bolt) as others:  # and by two at once
            await asyncio.gather(prepare(transactions), prepare(others))
        (made,) = await asked(
            transactions, "SHOW CONSTRAINTS YIELD name, ownedIndex WHERE name = 'alias_key'"
        )
        assert made["ownedIndex"] == "alias_key"
        assert await noted(transactions) == [(CURRENT.digest, CURRENT.number)]


async def _left_half_made(server: BoltServer, transactions: Transactions, name: str) -> None:
    """Have a client die between a constraint's index and the constraint."""
    (make,) = [each for each in CURRENT.schema if f" {name} " in each]
    await changed(transactions, "UNWIND range(1, 50000) AS n CREATE (:Alias {key: 'filler' + n})")
    try:
        for dies_after_s in (0.01 * nth for nth in range(1, 60)):
            await transactions.change_schema(f"DROP CONSTRAINT {name} IF EXISTS")
            async with connected(server) as dying:
                with suppress(TimeoutError):
                    await asyncio.wait_for(dying.change_schema(make), dies_after_s)
            left = await asked(
                transactions,
                f"SHOW INDEXES YIELD name, owningConstraint WHERE name = '{name}' RETURN *",
            )
            if left and left[0]["owningConstraint"] is None:
                return
        pytest.fail("the constraint was made whole each time")
    finally:
        await changed(
            transactions, "MATCH (n:Alias) WHERE n.key STARTS WITH 'filler' DETACH DELETE n"
        )


async def test_a_store_from_before_formats_were_numbered_is_the_first_and_keeps_its_works(
    server: BoltServer, transactions: Transactions
) -> None:
    store = BoltTreeStore(server.uri, server.auth, server.database)
    try:
        writer = Writer(store)
        await writer.publish("c1", 1)
        before = await store.load(writer.work_id)
        await changed(transactions, "MATCH (p:Prepared) SET p.format = null")
        await store.prepare()
        assert await noted(transactions) == [(CURRENT.digest, 1)]
        assert await store.load(writer.work_id) == before
    finally:
        await store.close()


async def test_a_newer_store_is_refused_in_one_sentence_and_left_as_it_is(
    server: BoltServer, transactions: Transactions
) -> None:
    await changed(transactions, "MATCH (p:Prepared) SET p.format = 7, p.digest = 'another'")
    store = BoltTreeStore(server.uri, server.auth, server.database)
    try:
        with pytest.raises(PermanentError) as refused:
            await store.prepare()
    finally:
        await store.close()
    assert str(refused.value) == (
        f"The graph store has format 7, this program knows {CURRENT.number}: use the newer "
        "storygraft that wrote it."
    )
    assert await noted(transactions) == [("another", 7)]


async def test_an_older_store_is_lifted_step_by_step_and_once_by_two_at_once(
    server: BoltServer, transactions: Transactions
) -> None:
    # A step that is not harmless when it is run twice.
    third = later(
        3, from_1=("CREATE (n:Lifted {step: 1})",), from_2=("CREATE (n:Lifted {step: 2})",)
    )
    async with connected(server) as another, connected(server) as third_one:
        together = (transactions, another, third_one)
        await asyncio.gather(*(prepare(each, third) for each in together))
    found = await asked(transactions, "MATCH (n:Lifted) RETURN n.step AS step ORDER BY step")
    assert [row["step"] for row in found] == [1, 2]
    assert await noted(transactions) == [(CURRENT.digest, 3)]
    with pytest.raises(PermanentError, match="format 3, this program knows 1"):
        await prepare(transactions)


async def test_a_step_that_fails_leaves_the_store_as_it_was(transactions: Transactions) -> None:
    broken = later(2, from_1=("CREATE (n:Lifted {step: 1})", "THIS IS NO CYPHER"))
    with pytest.raises(PermanentError):
        await prepare(transactions, broken)
    assert await noted(transactions) == [(CURRENT.digest, CURRENT.number)]
    assert not await asked(transactions, "MATCH (n:Lifted) RETURN n.step AS step")


async def test_a_format_too_old_to_lift_is_refused_with_what_to_do(
    transactions: Transactions,
) -> None:
    with pytest.raises(PermanentError, match=r"cannot lift to 9: open it once .* or index its log"):
        await prepare(transactions, later(9))
    assert await noted(transactions) == [(CURRENT.digest, CURRENT.number)]


# --- vectors ----------------------------------------------------------------------------------


@pytest.fixture(params=["lite", "server"])
def uri(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "lite":
        return str(tmp_path / "vectors")
    return str(request.getfixturevalue("milvus_uri"))


@pytest.fixture
async def store(uri: str) -> AsyncIterator[MilvusVectorStore]:
    store = MilvusVectorStore(uri)
    try:
        yield store
    finally:
        await store.close()


def made(
    store: MilvusVectorStore, collection: str, properties: dict[str, str], extra: str | None = None
) -> None:
    """Make a collection as another program would."""
    client: MilvusClient = store._connection.client()
    schema = collection_schema(shared=store._collections.layout.shared)
    if extra:
        schema.add_field(extra, DataType.INT64)
    client.create_collection(collection, schema=schema, properties=properties)


@pytest.mark.parametrize(
    ("properties", "extra", "said"),
    [
        ({"storygraft.format": "7"}, None, r"have format 7, this program knows 1: use the newer"),
        (
            {},
            "mood",
            r"are of an older format .*(drop that coll|remove the folder).*doctor --repair",
        ),
    ],
)
async def test_rows_of_another_format_are_refused_in_one_sentence(
    store: MilvusVectorStore, properties: dict[str, str], extra: str | None, said: str
) -> None:
    work, generation = new_work(), Generation("g1701" if extra else "g1702")
    place = store._collections.layout.place(work, generation)
    await asyncio.wrap_future(
        store._thread.submit(made, store, place.collection, properties, extra)
    )
    with pytest.raises(PermanentError, match=said):
        await store.keys(work, generation)
    with pytest.raises(PermanentError, match=said):
        await store.upsert(work, generation, a_book(2))


async def test_rows_from_before_formats_were_numbered_are_used_as_they_are(
    store: MilvusVectorStore,
) -> None:
    work, generation = new_work(), Generation("g1703")
    place = store._collections.layout.place(work, generation)
    await asyncio.wrap_future(store._thread.submit(made, store, place.collection, {}))
    rows = a_book(3)
    await store.upsert(work, generation, rows)
    assert await store.keys(work, generation) == {row.key for row in rows}


async def test_a_collection_notes_its_format_for_whoever_opens_it_next(
    uri: str, store: MilvusVectorStore
) -> None:
    work, generation = new_work(), Generation("g1705")
    await store.upsert(work, generation, a_book(2))
    await store.close()
    again = MilvusVectorStore(uri)
    try:
        name = again._collections.layout.place(work, generation).collection
        described = await asyncio.wrap_future(
            again._thread.submit(lambda: again._connection.client().describe_collection(name))
        )
        assert described["properties"]["storygraft.format"] == str(ROW_FORMAT)
        assert await again.keys(work, generation)
    finally:
        await again.close()


async def test_a_collection_that_several_make_at_once_is_made_once(milvus_uri: str) -> None:
    generation = Generation("g1704")
    stores = [MilvusVectorStore(milvus_uri) for _ in range(4)]
    works = [new_work() for _ in stores]
    rows = a_book(3)
    try:
        await asyncio.gather(
            *(
                store.upsert(work, generation, rows)
                for store, work in zip(stores, works, strict=True)
            )
        )
        for work in works:
            assert await stores[0].keys(work, generation) == {row.key for row in rows}
    finally:
        await asyncio.gather(*(store.close() for store in stores))
