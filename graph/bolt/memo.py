"""The memo over Bolt, for many workers at once: one adapter for ArcadeDB and Neo4j.

Why the graph, and not a compacted Kafka topic: storing an answer only where there is none needs
a compare with what is there, and a topic has none; two workers would each use their own answer
until compaction kept the later one, for which nobody asked. A purge looks entries up by chapter,
which a topic can do only by being read from its beginning; and what was compacted away lies in
the broker's segments until it pleases them. The graph has the unique key, the look-up and the
delete, it is running already, and an answer is small beside the chapter's text that lies there.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from neo4j import AsyncTransaction

from contracts.errors import TransientError
from contracts.ids import ChapterId, Generation, WorkId
from contracts.memo import Asked, MemoEntry, Source, answer_bytes
from contracts.spending import Payment, SpentOnDay, SpentOnWork
from graph.bolt import memo_ledger
from graph.bolt.packing import Row, batches, compressed, expanded, parts
from graph.bolt.reading import grouped, whole
from graph.bolt.rows import Columns
from graph.bolt.schema_changes import make
from graph.bolt.transactions import Transactions, rows_of
from graph.bolt.translation import StoryMovedError

_KEYS_AT_ONCE: Final = 200  # entries a transaction reads or deletes: it ends long before a deadline

_SCHEMA: Final = (
    "CREATE CONSTRAINT memoanswer_key IF NOT EXISTS FOR (n:MemoAnswer) REQUIRE n.key IS UNIQUE",
    "CREATE CONSTRAINT memosource_key IF NOT EXISTS FOR (n:MemoSource) REQUIRE n.key IS UNIQUE",
    "CREATE INDEX memosource_work IF NOT EXISTS FOR (n:MemoSource) ON (n.work)",
    "CREATE INDEX memosource_answer IF NOT EXISTS FOR (n:MemoSource) ON (n.answer)",
    *memo_ledger.SCHEMA,
)
# The SET takes the node's lock: of two that put at once, the other sees what the first has put.
_TAKE: Final = "MERGE (m:MemoAnswer {key: $key}) SET m.taken_by = $token"
# By the server's clock: those of the workers may differ. Set to nothing, a property is removed.
_CLAIM: Final = (
    "MATCH (m:MemoAnswer {key: $key}) WITH m, timestamp() AS now "
    "WHERE m.asked IS NULL AND (m.claimed_by IS NULL OR m.claimed_by = $by "
    "OR m.claimed_until < now) "
    "SET m.claimed_by = $by, m.claimed_until = now + $ms RETURN count(m) AS n"
)
_RELEASE: Final = (
    "MATCH (m:MemoAnswer {key: $key}) WHERE m.claimed_by = $by "
    "SET m.claimed_by = null, m.claimed_until = null"
)
_ASKED: Final = "MATCH (m:MemoAnswer {key: $key}) RETURN m.asked AS asked"
_SET: Final = "MATCH (m:MemoAnswer {key: $key}) SET m += $properties"
_ADD_PARTS: Final = (
    "UNWIND $rows AS row MATCH (m:MemoAnswer {key: row.key}) "
    "CREATE (m)-[:SAYS]->(p:MemoPart {nth: row.nth, data: row.data}) RETURN count(p) AS n"
)
# Sources are nodes that name the answer, not edges to it: chapters that share an answer, and
# answers that share a chapter, do not wait for each other.
_ADD_SOURCES: Final = (
    "UNWIND $rows AS row MERGE (s:MemoSource {key: row.key}) SET s += row.properties "
    "RETURN count(s) AS n"
)
_ANSWERS: Final = (
    "MATCH (m:MemoAnswer) WHERE m.key IN $keys AND m.asked IS NOT NULL RETURN m.key AS key, "
    "m.asked AS asked, m.input_tokens AS input_tokens, m.output_tokens AS output_tokens, "
    "m.generation AS generation, m.paid_ms AS paid_ms, m.took_ms AS took_ms"
)
_PARTS: Final = (
    "MATCH (m:MemoAnswer) WHERE m.key IN $keys MATCH (m)-[:SAYS]->(p:MemoPart) "
    "RETURN m.key AS key, p.nth AS nth, p.data AS data"
)
_SOURCES: Final = (
    "MATCH (s:MemoSource) WHERE s.answer IN $keys "
    "RETURN s.answer AS key, s.work AS work, s.chapter AS chapter"
)
_OF_WORK: Final = "MATCH (s:MemoSource {work: $work}) RETURN s.answer AS key, s.chapter AS chapter"
_DROP: Final = (
    "MATCH (m:MemoAnswer) WHERE m.key IN $keys MATCH (m)-[:SAYS]->(p:MemoPart) DETACH DELETE p",
    "MATCH (m:MemoAnswer) WHERE m.key IN $keys DETACH DELETE m",
    "MATCH (s:MemoSource) WHERE s.answer IN $keys DETACH DELETE s",
    memo_ledger.FORGET,
)


class BoltMemo:
    """Implements `Memo` on ArcadeDB and Neo4j alike; connects at its first use."""

    def __init__(self, uri: str, auth: tuple[str, str] | None, database: str | None) -> None:
        self._transactions = Transactions(uri, auth, database)
        self._lock = asyncio.Lock()
        self._prepared = False
        # One at a time: those of a process add to the same sums, and answers come seconds apart.
        self._putting = asyncio.Lock()

    async def prepare(self) -> None:
        """Connect, and make the memo's indexes where they are not there.

        Raises:
            TransientError: the server cannot be used now, or does not let us in.
        """
        async with self._lock:
            if self._prepared:
                return
            for statement in _SCHEMA:
                await make(self._transactions, statement)
            self._prepared = True

    async def get(self, asked: Asked) -> MemoEntry | None:
        """See `Memo.get`."""
        found = await self._read([asked.key])
        return found[0] if found else None

    async def claim(self, asked: Asked, by: str, seconds: float) -> bool:
        """See `Memo.claim`."""
        await self.prepare()
        key, token, ms = asked.key, str(uuid.uuid4()), round(seconds * 1_000)

        async def claim(tx: AsyncTransaction) -> bool:
            await rows_of(tx, _TAKE, key=key, token=token)
            claimed = await rows_of(tx, _CLAIM, key=key, by=by, ms=ms)
            return bool(claimed[0]["n"])

        return await self._transactions.write("claiming a question to a model", claim)

    async def release(self, asked: Asked, by: str) -> None:
        """See `Memo.release`."""
        await self._transactions.write(
            "letting go of a question to a model",
            lambda tx: rows_of(tx, _RELEASE, key=asked.key, by=by),
        )

    async def put_if_absent(self, entry: MemoEntry) -> MemoEntry:
        """See `Memo.put_if_absent`."""
        data = compressed(answer_bytes(entry.answer).decode())
        token = str(uuid.uuid4())  # a nonce: it takes the lock, and no result depends on it
        await self.prepare()

        async def put(tx: AsyncTransaction) -> MemoEntry | None:
            # Looked at first: who comes late, or again, takes no lock and waits for nobody.
            known = await _entries(tx, [entry.asked.key])
            new = not known and await _put_answer(tx, entry, data, token)
            missing = set(entry.sources).difference(*(each.sources for each in known))
            for batch in batches(_source_rows(entry.asked.key, missing)):
                await rows_of(tx, _ADD_SOURCES, rows=batch)
            stored = await _entries(tx, [entry.asked.key])
            if not stored:
                return None
            await memo_ledger.enter(tx, entry, stored[0].paid, token, new=new)
            return stored[0]

        async with self._putting:
            stored = await self._transactions.write("storing a model's answer", put)
        if stored is None:
            raise TransientError("A model's answer was forgotten while it was stored: ask again.")
        return stored

    async def of_work(self, work_id: WorkId) -> tuple[MemoEntry, ...]:
        """See `Memo.of_work`."""
        keys = await self._keys(work_id, None)
        entries = [entry for some in _chunks(keys) for entry in await self._read(some)]
        return tuple(sorted(entries, key=lambda entry: entry.asked.key))

    async def forget(self, work_id: WorkId, chapter_ids: Collection[ChapterId] | None) -> int:
        """See `Memo.forget`."""
        forgotten = 0
        for some in _chunks(await self._keys(work_id, chapter_ids)):
            forgotten += await self._drop(some)
        return forgotten

    async def spent_by_day(self, generation: Generation | None) -> tuple[SpentOnDay, ...]:
        """See `Memo.spent_by_day`."""
        return await self._transactions.read(
            "adding up what was spent", lambda tx: memo_ledger.by_day(tx, generation)
        )

    async def spent_by_work(
        self, generation: Generation | None, work_id: WorkId | None
    ) -> tuple[SpentOnWork, ...]:
        """See `Memo.spent_by_work`."""
        return await self._transactions.read(
            "adding up what was spent", lambda tx: memo_ledger.by_work(tx, generation, work_id)
        )

    async def close(self) -> None:
        """Close every connection; a second call does nothing."""
        await self._transactions.close()

    async def _read(self, keys: Sequence[str]) -> list[MemoEntry]:
        return await self._transactions.read(
            "looking up models' answers", lambda tx: _entries(tx, keys)
        )

    async def _keys(
        self, work_id: WorkId, chapter_ids: Collection[ChapterId] | None
    ) -> Sequence[str]:
        found = await self._transactions.read(
            f"listing the answers of work {work_id!r}",
            lambda tx: rows_of(tx, _OF_WORK, work=work_id),
        )
        wanted = None if chapter_ids is None else set(chapter_ids)
        return sorted({s["key"] for s in found if wanted is None or s["chapter"] in wanted})

    async def _drop(self, keys: Sequence[str]) -> int:
        async def drop(tx: AsyncTransaction) -> int:
            found = await rows_of(tx, _ANSWERS, keys=keys)
            for statement in _DROP:
                await rows_of(tx, statement, keys=keys)
            return len(found)

        return await self._transactions.write("forgetting models' answers", drop)


async def _put_answer(tx: AsyncTransaction, entry: MemoEntry, data: bytes, token: str) -> bool:
    """Store the answer, unless another was quicker; say whether it is stored."""
    key = entry.asked.key
    await rows_of(tx, _TAKE, key=key, token=token)
    taken = await rows_of(tx, _ASKED, key=key)
    if not taken:
        # ArcadeDB may not find again what another merges at the same time: it is put once more.
        raise StoryMovedError
    if taken[0]["asked"] is not None:
        return False
    properties: dict[str, object] = {
        "asked": entry.asked.to_json().decode(),
        "input_tokens": entry.input_tokens,
        "output_tokens": entry.output_tokens,
    }
    if entry.paid is not None:
        paid = entry.paid
        properties |= {
            "generation": paid.generation,
            "paid_ms": paid.at_ms,
            "took_ms": paid.took_ms,
        }
    await rows_of(tx, _SET, key=key, properties=properties)
    said: list[Row] = [{"key": key, "nth": nth, "data": part} for nth, part in parts(data)]
    for batch in batches(said):
        await rows_of(tx, _ADD_PARTS, rows=batch)
    return True


async def _entries(tx: AsyncTransaction, keys: Sequence[str]) -> list[MemoEntry]:
    answers = await rows_of(tx, _ANSWERS, keys=keys)
    if not answers:
        return []
    said = grouped(await rows_of(tx, _PARTS, keys=keys), "key")
    sources = grouped(await rows_of(tx, _SOURCES, keys=keys), "key")
    # One whose parts are gone was forgotten since the first statement.
    return [_entry(each, said, sources) for each in answers if each["key"] in said]


def _entry(
    columns: Columns,
    said: Mapping[str, Sequence[Columns]],
    sources: Mapping[str, Sequence[Columns]],
) -> MemoEntry:
    key = columns["key"]
    drawn = sorted((each["work"], each["chapter"]) for each in sources.get(key, ()))
    return MemoEntry(
        asked=Asked.model_validate_json(columns["asked"]),
        answer=expanded(whole(said[key])),
        sources=tuple(Source(work_id=work, chapter_id=chapter) for work, chapter in drawn),
        input_tokens=columns["input_tokens"],
        output_tokens=columns["output_tokens"],
        paid=_payment(columns),
    )


def _payment(columns: Columns) -> Payment | None:
    """Return what is noted of the payment; an entry of an earlier release notes nothing."""
    if columns["paid_ms"] is None:
        return None
    return Payment(
        generation=columns["generation"], at_ms=columns["paid_ms"], took_ms=columns["took_ms"]
    )


def _source_rows(key: str, sources: Collection[Source]) -> Iterator[Row]:
    for source in sorted(sources, key=lambda each: (each.work_id, each.chapter_id)):
        place = f"{len(source.work_id)}:{source.work_id}:{source.chapter_id}"
        properties = {"work": source.work_id, "chapter": source.chapter_id, "answer": key}
        yield {"key": f"{key}:{place}", "properties": properties}


def _chunks(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(keys), _KEYS_AT_ONCE):
        yield keys[start : start + _KEYS_AT_ONCE]
