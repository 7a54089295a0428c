"""What may be purged: what is withdrawn, when nothing is on its way."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from contracts.errors import PermanentError, TransientError
from contracts.events import ChapterMoved, ChapterPublished, ChapterWithdrawn, WorkWithdrawn
from contracts.ids import FIRST_GENERATION, ChapterId, Generation, RowKey, WorkId
from contracts.ordinals import Ordinal
from contracts.topics import CHAPTERS
from contracts.works import WorkRecord
from graph.memory import MemoryTreeStore, MemoryVectorStore
from streams.not_found import NotFound
from streams.purge import store_copying
from streams.purge.purge_journal import PurgeOrder
from streams.purge.purge_ordering import PurgeRefused, order_of, settled
from streams.purge.purging import purge
from streams.purge.store_copying import copy_rows, copy_tree
from streams.session import Home
from streams.wiring import open_home
from tests.e2e.homes import exported, in_memory, publish
from tests.unit.streams.stand_ins import published

W = WorkId("w")
C1, C2, C3 = ChapterId("1"), ChapterId("2"), ChapterId("3")


def _chapter(n: str, work: str = "w") -> ChapterPublished:
    body = f"Hedda weighs herring number {n} at the harbour. Bettina winds the clock. " * 4
    return published(n, body, work)


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Home]:
    """Chapters 1 to 3, of which 2 is withdrawn; a fourth was moved and never published."""
    async with open_home(in_memory(tmp_path)) as home:
        events = [_chapter(n) for n in ("1", "2", "3")]
        moved = ChapterMoved(work_id=W, chapter_id=ChapterId("4"), ordinal=Ordinal.parse(4))
        withdrawn = ChapterWithdrawn(work_id=W, chapter_id=C2)
        await publish(home, [*events, moved, withdrawn])
        yield home


async def _order(home: Home, *named: str) -> PurgeOrder:
    work = await settled(home, W)
    return await order_of(home, work, [ChapterId(each) for each in named] or None)


async def test_with_no_chapter_named_every_withdrawn_one_goes(home: Home) -> None:
    assert await _order(home) == PurgeOrder(
        work_id=W, chapter_ids=(C2,), earlier=None, floor=-1, until=await home.log.end(CHAPTERS)
    )


async def test_a_named_chapter_goes_alone(home: Home) -> None:
    await publish(home, [ChapterWithdrawn(work_id=W, chapter_id=C3)])
    assert (await _order(home, "3")).chapter_ids == (C3,)
    assert (await _order(home)).chapter_ids == (C2, C3)


async def test_a_live_chapter_is_refused_with_what_to_do(home: Home) -> None:
    with pytest.raises(PurgeRefused, match=r"'1' .* not withdrawn: run `storygraft withdraw w 1`"):
        await _order(home, "2", "1")


@pytest.mark.parametrize("chapter", ["4", "nobody"])
async def test_a_chapter_that_was_never_there_is_refused(home: Home, chapter: str) -> None:
    with pytest.raises(PurgeRefused, match="no withdrawn chapter"):
        await _order(home, chapter)


async def test_a_work_of_which_nothing_is_withdrawn_is_refused(home: Home) -> None:
    await publish(home, [_chapter("1", work="v")])
    work = await settled(home, WorkId("v"))
    with pytest.raises(PurgeRefused, match="Nothing of work 'v' is withdrawn"):
        await order_of(home, work, None)


async def test_a_work_that_nobody_knows_is_not_found(home: Home) -> None:
    with pytest.raises(NotFound, match="no work"):
        await settled(home, WorkId("nobody"))


async def test_of_a_withdrawn_work_all_that_was_before_goes(home: Home) -> None:
    await publish(home, [WorkWithdrawn(work_id=W), _chapter("1")])
    order = await _order(home)
    assert (order.chapter_ids, order.earlier, order.floor) == ((), None, 5)
    assert order.takes("1", 0)
    assert not order.takes("1", 6)
    assert (await _order(home, "3")).earlier == (C3,)
    with pytest.raises(PurgeRefused, match="not withdrawn"):
        await _order(home, "1")


async def test_what_waits_is_indexed_first(home: Home) -> None:
    withdrawn = ChapterWithdrawn(work_id=W, chapter_id=C1)
    await publish(home, [withdrawn, _chapter("1")])
    with pytest.raises(PurgeRefused, match="not withdrawn"):
        await _order(home, "1")


async def test_while_a_stage_is_held_nothing_is_purged(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def down(*_: object) -> None:
        raise TransientError("the vector store is down")

    with monkeypatch.context() as patched:
        patched.setattr(MemoryVectorStore, "upsert", down)
        await publish(home, [_chapter("5")])
        with pytest.raises(PurgeRefused, match=r"wait to be indexed.*vector store is down.*again"):
            await _order(home)


async def test_nothing_is_indexed_in_an_empty_home(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="Nothing is indexed"):
        await purge(in_memory(tmp_path).model_copy(update={"log": "sqlite:"}), W)


# --- copies of stores -----------------------------------------------------------------------------


@pytest.mark.parametrize("at_once", [1, 2, 256])
async def test_a_copied_work_reads_like_its_original_and_goes_on(
    home: Home, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(store_copying, "_CHAPTERS_AT_ONCE", at_once)
    await publish(home, [_chapter("1", work="v")])
    await publish(home, [WorkWithdrawn(work_id=WorkId("u"))])
    tree, vectors = MemoryTreeStore(), MemoryVectorStore()
    assert await copy_tree(home.tree, tree) == 3
    rows = await copy_rows(home.tree, home.vectors, vectors)
    assert await tree.works() == await home.tree.works()
    assert await tree.records(W, FIRST_GENERATION) == await home.tree.records(W, FIRST_GENERATION)
    assert await tree.inputs(W, FIRST_GENERATION) == await home.tree.inputs(W, FIRST_GENERATION)
    kept = await home.vectors.keys(W, FIRST_GENERATION)
    assert await vectors.keys(W, FIRST_GENERATION) == kept
    assert await vectors.fetch(W, FIRST_GENERATION, kept) == await home.vectors.fetch(
        W, FIRST_GENERATION, kept
    )
    assert rows == len(kept) + len(await vectors.keys(WorkId("v"), FIRST_GENERATION))


async def test_rows_that_nothing_links_are_not_copied(home: Home) -> None:
    keys = await home.vectors.keys(W, FIRST_GENERATION)
    (row,) = (await home.vectors.fetch(W, FIRST_GENERATION, sorted(keys)[:1])).values()
    stray = replace(row, key=RowKey("0" * 32))
    await home.vectors.upsert(W, FIRST_GENERATION, [stray])
    vectors = MemoryVectorStore()
    await copy_rows(home.tree, home.vectors, vectors)
    assert await vectors.keys(W, FIRST_GENERATION) == keys


async def test_a_lost_row_or_text_is_not_copied_away(home: Home) -> None:
    keys = await home.vectors.keys(W, FIRST_GENERATION)
    await home.vectors.delete(W, FIRST_GENERATION, sorted(keys)[:1])
    with pytest.raises(PermanentError, match=r"1 rows of it are missing.*doctor --repair"):
        await copy_rows(home.tree, home.vectors, MemoryVectorStore())


async def test_a_copy_that_reads_otherwise_is_refused(home: Home) -> None:
    class Forgetful(MemoryTreeStore):
        async def load(
            self, work_id: WorkId, generation: Generation | None = None
        ) -> WorkRecord | None:
            work = await super().load(work_id, generation)
            return work and work.model_copy(update={"floor": 99})

    before = await exported(home, W)
    with pytest.raises(PermanentError, match="does not read like its original"):
        await copy_tree(home.tree, Forgetful())
    assert await exported(home, W) == before


async def test_a_copy_has_the_same_live_generation() -> None:
    source, target = MemoryTreeStore(), MemoryTreeStore()
    await source.point(Generation("g3"), FIRST_GENERATION)
    assert await copy_tree(source, target) == 0
    assert await target.live() == "g3"
