"""A chapter that is hidden, and still folded into the tree, is told by no reading statement."""

from __future__ import annotations

from contracts.events import ChapterWithdrawn, WorkWithdrawn
from contracts.ids import ChapterId
from contracts.ports import TreeStore
from graph.exporting import export
from graph.hider import Hider
from tests.contract.story import Writer, a_chapter, at
from tests.contract.tales import PLACES, a_story, seen

C2, C4 = ChapterId("c2"), ChapterId("c4")


class HidingContract:
    async def test_nothing_of_a_hidden_chapter_is_read(self, store: TreeStore) -> None:
        writer = await a_story(store)
        before = await seen(store, writer, None)
        (gone,) = [each for each in await before.scenes() if each.chapter_id == C2]
        (record,) = [each for each in await before.chapters() if each.chapter_id == C2]
        pairs = [(scene.scene_id, record.row_position) for scene in gone.scenes]
        assert await before.confirm(pairs) == frozenset(pairs)
        counted = (await before.passage_counts(["c2", "emma"])).passages
        await Hider(store)([(ChapterWithdrawn(work_id=writer.work_id, chapter_id=C2), 50)])
        view = await seen(store, writer, None)
        assert C2 not in {each.chapter_id for each in await view.chapters()}
        assert C2 not in {each.chapter_id for each in await view.scenes()}
        assert await view.texts([C2]) == {}
        assert await view.confirm(pairs) == frozenset()
        counts = await view.passage_counts(["c2", "emma"])
        assert counts.counts["c2"] == 0
        assert counts.passages == counted - record.passages
        snapshot = await view.snapshot()
        hidden = {scene.scene_id for scene in gone.scenes}
        assert hidden.isdisjoint(row.scene for row in snapshot.homes)
        assert hidden.isdisjoint(row.scene for row in snapshot.appearances)
        assert all(hidden.isdisjoint(row.inputs) for row in snapshot.descriptions)
        exported = await export(view, with_text=True)
        assert C2 not in {each.chapter_id for each in exported.chapters}

    async def test_a_view_that_was_bound_before_hides_it_too(self, store: TreeStore) -> None:
        writer = await a_story(store)
        view = await seen(store, writer, at(9))
        await Hider(store)([(ChapterWithdrawn(work_id=writer.work_id, chapter_id=C2), 50)])
        assert C2 not in {each.chapter_id for each in await view.chapters()}
        assert await view.texts([C2]) == {}

    async def test_the_head_is_the_last_chapter_that_is_shown(self, store: TreeStore) -> None:
        writer = await a_story(store)
        await Hider(store)([(ChapterWithdrawn(work_id=writer.work_id, chapter_id=C4), 50)])
        assert (await seen(store, writer, None)).as_of == at(3)

    async def test_a_hidden_work_has_no_view_and_stays_known(self, store: TreeStore) -> None:
        writer = await a_story(store)
        await Hider(store)([(WorkWithdrawn(work_id=writer.work_id), 50)])
        assert await store.view(writer.work_id, None) is None
        loaded = await store.load(writer.work_id)
        assert loaded is not None
        assert (loaded.hidden_by, len(loaded.chapters)) == (50, len(PLACES))
        assert [chapter.hidden_by for chapter in loaded.chapters] == [50] * len(PLACES)
        assert len(await store.inputs(writer.work_id, writer.generation)) == len(PLACES)

    async def test_a_hide_is_a_commit_like_any_other(self, store: TreeStore) -> None:
        writer = await a_story(store)
        await Hider(store)([(ChapterWithdrawn(work_id=writer.work_id, chapter_id=C2), 50)])
        assert await store.commit(writer.commit([a_chapter("c9", 9)])) is False
        loaded = await store.load(writer.work_id)
        assert loaded is not None
        assert loaded.commit_seq == writer.seq + 1

    async def test_a_work_never_heard_of_remembers_what_is_hidden(self, store: TreeStore) -> None:
        writer = Writer(store)
        await Hider(store)([(ChapterWithdrawn(work_id=writer.work_id, chapter_id=C2), 0)])
        assert await store.view(writer.work_id, None) is None
        loaded = await store.load(writer.work_id)
        assert loaded is not None
        assert [(each.chapter_id, each.hidden_by) for each in loaded.chapters] == [("c2", 0)]
