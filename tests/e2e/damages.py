"""Everything that may be wrong with what is stored, done on purpose through the stores."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from contracts.ids import FIRST_GENERATION, ChapterId, RowKey, WorkId
from contracts.reports import FindingKind
from contracts.vectors import VectorRow
from contracts.works import Checkpoint, WorkRecord
from graph.bolt.store import BoltTreeStore
from graph.bolt.transactions import rows_of
from graph.grafting_plan import linked_keys
from graph.memory_tree import MemoryTreeStore
from streams.session import Home


@dataclass(frozen=True)
class Damaged:
    """A home with one sound work in it, and the ways to harm it."""

    home: Home
    work_id: WorkId

    async def work(self) -> WorkRecord:
        work = await self.home.tree.load(self.work_id)
        assert work is not None
        return work

    async def first_row(self) -> VectorRow:
        work = await self.work()
        (key, *_) = linked_keys(work, work.story_chapters())
        return (await self.home.vectors.fetch(self.work_id, FIRST_GENERATION, [key]))[key]

    async def cypher(self, statement: str) -> None:
        """Run a statement; `$work` is the work's key, `$chapter` that of its second chapter."""
        store = self.home.tree
        assert isinstance(store, BoltTreeStore)
        key = f"{FIRST_GENERATION}:{self.work_id}"
        second = (await self.work()).story_chapters()[1].chapter_id
        await store._transactions.write(
            "harming the graph",
            lambda tx: rows_of(tx, statement, work=key, chapter_id=second),
        )

    def in_memory(self, change: Callable[..., object]) -> None:
        """Replace what the store in memory keeps of the work by what `change` makes of it."""
        store = self.home.tree
        assert isinstance(store, MemoryTreeStore)
        key = (self.work_id, FIRST_GENERATION)
        store._states[key] = change(store._states[key])  # type: ignore[assignment]


@dataclass(frozen=True)
class Damage:
    """One thing done to a work, and what the doctor calls it."""

    name: str
    kind: FindingKind
    do: Callable[[Damaged], Awaitable[None]]

    def __str__(self) -> str:
        return self.name


# --- rows -------------------------------------------------------------------------------------


async def rows_deleted(damaged: Damaged) -> None:
    work = await damaged.work()
    keys = linked_keys(work, work.story_chapters())[1::5]
    await damaged.home.vectors.delete(damaged.work_id, FIRST_GENERATION, keys)


async def all_rows_deleted(damaged: Damaged) -> None:
    await damaged.home.vectors.drop(damaged.work_id, FIRST_GENERATION)


async def text_of_a_row_changed(damaged: Damaged) -> None:
    row = replace(await damaged.first_row(), text="Nobody ever wrote this.")
    await damaged.home.vectors.upsert(damaged.work_id, FIRST_GENERATION, [row])


async def vector_of_a_row_changed(damaged: Damaged) -> None:
    row = await damaged.first_row()
    row = replace(row, dense=row.dense[::-1])
    await damaged.home.vectors.upsert(damaged.work_id, FIRST_GENERATION, [row])


async def ordinal_of_a_row_changed(damaged: Damaged) -> None:
    row = await damaged.first_row()
    row = replace(row, ordinal=row.ordinal + 1)
    await damaged.home.vectors.upsert(damaged.work_id, FIRST_GENERATION, [row])


async def row_that_nobody_links(damaged: Damaged) -> None:
    row = replace(await damaged.first_row(), key=RowKey("0" * 32), position=0)
    await damaged.home.vectors.upsert(damaged.work_id, FIRST_GENERATION, [row])


ROWS = (
    Damage("rows are deleted", FindingKind.ROW_LOST, rows_deleted),
    Damage("all rows are deleted", FindingKind.ROW_LOST, all_rows_deleted),
    Damage("a row has another text", FindingKind.ROW_WRONG, text_of_a_row_changed),
    Damage("a row has another vector", FindingKind.ROW_WRONG, vector_of_a_row_changed),
    Damage("a row has another ordinal", FindingKind.ROW_WRONG, ordinal_of_a_row_changed),
    Damage("a row is not linked", FindingKind.ROW_STRAY, row_that_nobody_links),
)

# --- the graph over Bolt ----------------------------------------------------------------------

_SECOND = "MATCH (c:Chapter {work: $work, chapter_id: $chapter_id})"
_CYPHER = {
    "a storyline is deleted": (
        FindingKind.TREE_WRONG,
        "MATCH (s:Storyline {work: $work}) WHERE s.kind = 'thread' WITH s LIMIT 1 DETACH DELETE s",
    ),
    "a home edge is deleted": (
        FindingKind.TREE_WRONG,
        "MATCH (s:Scene {work: $work})-[e:HOME]->() WITH e LIMIT 1 DELETE e",
    ),
    "an interval is changed": (
        FindingKind.TREE_WRONG,
        (
            "MATCH (s:Scene {work: $work})-[e:HOME]->() WITH e LIMIT 1 "
            "SET e.until_ordinal = e.from_ordinal + 500000000"
        ),
    ),
    "a description is changed": (
        FindingKind.TREE_WRONG,
        "MATCH (d:Description {work: $work}) SET d.title = 'Nobody wrote this'",
    ),
    "a name is added": (
        FindingKind.TREE_WRONG,
        (
            "MATCH (c:Character {work: $work}) WITH c LIMIT 1 CREATE (a:Alias {key: 'odd', "
            "work: $work, character: c.id, alias: 'Odd', from_ordinal: 1000000000})"
        ),
    ),
    "a graft record is deleted": (
        FindingKind.RECORD_WRONG,
        f"{_SECOND}-[:HAS_RECORD]->(r) DETACH DELETE r",
    ),
    "a graft record cannot be read": (
        FindingKind.RECORD_WRONG,
        f"{_SECOND}-[:HAS_RECORD]->(r) SET r.data = 'no record'",
    ),
    "a chapter is not shown": (FindingKind.TREE_WRONG, f"{_SECOND} SET c.live = false"),
    "a text is deleted": (FindingKind.TEXT_LOST, f"{_SECOND}-[:HAS_TEXT]->(p) DETACH DELETE p"),
    "a chapter's scenes are deleted": (
        FindingKind.TEXT_WRONG,
        f"{_SECOND}-[:HAS_SCENE]->(s) DETACH DELETE s",
    ),
    "a table of terms is deleted": (
        FindingKind.TEXT_WRONG,
        f"{_SECOND}-[:HAS_TERMS]->(p) DETACH DELETE p",
    ),
    "a chapter has no content": (FindingKind.TEXT_LOST, f"{_SECOND} REMOVE c.content"),
    "a kept state is lost": (
        FindingKind.TREE_WRONG,
        f"{_SECOND} CREATE (c)-[:HAS_CHECKPOINT]->(:Checkpoint {{work: $work, key: c.key}})",
    ),
    "a chapter is deleted": (FindingKind.CHAPTER_LOST, f"{_SECOND} DETACH DELETE c"),
    "the work is deleted": (
        FindingKind.CHAPTER_LOST,
        "MATCH (n) WHERE n.work = $work OR n.key = $work DETACH DELETE n",
    ),
}


def _by_cypher(statement: str) -> Callable[[Damaged], Awaitable[None]]:
    async def do(damaged: Damaged) -> None:
        await damaged.cypher(statement)

    return do


OVER_BOLT = tuple(
    Damage(name, kind, _by_cypher(statement)) for name, (kind, statement) in _CYPHER.items()
)

# --- the graph in memory ----------------------------------------------------------------------


def _without(name: str, of: Callable[[list[str]], str]) -> Callable[[Damaged], Awaitable[None]]:
    """Take one entry out of a mapping of the state."""

    async def do(damaged: Damaged) -> None:
        def change(state: object) -> object:
            entries = dict(getattr(state, name))
            del entries[of(sorted(entries))]
            return replace(state, **{name: entries})  # type: ignore[type-var]

        damaged.in_memory(change)

    return do


def _second(keys: list[str]) -> str:
    return keys[1]


def _one_of(kind: str) -> Callable[[list[str]], str]:
    return lambda keys: next(key for key in keys if key.startswith(f"{kind}:"))


async def text_changed(damaged: Damaged) -> None:
    def change(state: object) -> object:
        contents = dict(state.contents)  # type: ignore[attr-defined]
        chapter = ChapterId(sorted(contents)[1])
        text = contents[chapter].text.replace(" the ", " a ")
        contents[chapter] = replace(contents[chapter], text=text)
        return replace(state, contents=contents)  # type: ignore[type-var]

    damaged.in_memory(change)


async def state_scribbled(damaged: Damaged) -> None:
    def change(state: object) -> object:
        chapter_id, record = sorted(state.records.items())[1]  # type: ignore[attr-defined]
        kept = Checkpoint(chapter_id, record.digest, b"no state")
        return replace(state, checkpoints={chapter_id: kept})  # type: ignore[type-var]

    damaged.in_memory(change)


async def work_forgotten(damaged: Damaged) -> None:
    assert isinstance(damaged.home.tree, MemoryTreeStore)
    del damaged.home.tree._states[damaged.work_id, FIRST_GENERATION]


IN_MEMORY = (
    Damage("a home edge is deleted", FindingKind.TREE_WRONG, _without("rows", _one_of("home"))),
    Damage("a name is deleted", FindingKind.TREE_WRONG, _without("rows", _one_of("alias"))),
    Damage("a graft record is deleted", FindingKind.RECORD_WRONG, _without("records", _second)),
    Damage("a text is deleted", FindingKind.TEXT_LOST, _without("contents", _second)),
    Damage("a text is changed", FindingKind.TEXT_WRONG, text_changed),
    Damage("a chapter is deleted", FindingKind.CHAPTER_LOST, _without("chapters", _second)),
    Damage("a kept state is damaged", FindingKind.TREE_WRONG, state_scribbled),
    Damage("the work is forgotten", FindingKind.CHAPTER_LOST, work_forgotten),
)
