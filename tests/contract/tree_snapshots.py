"""The tree as readers see it, as of each ordinal, and after a withdrawal."""

from __future__ import annotations

from dataclasses import replace

from contracts.ids import ChapterId
from contracts.ordinals import Ordinal
from contracts.ports import TreeSnapshot, TreeStore
from contracts.tree import ChildRow, RowChanges, TreeRow
from tests.contract.story import a_chapter, keyed
from tests.contract.tales import a_story, a_tree, seen


class SnapshotContract:
    async def test_the_tree_as_of_each_ordinal(self, store: TreeStore) -> None:
        writer, tree = await a_tree(store)
        for as_of in range(4):
            view = await seen(store, writer, Ordinal(as_of))
            assert await view.snapshot() == tree.snapshot(as_of)

    async def test_rows_put_again_are_replaced_and_deleted_rows_go(self, store: TreeStore) -> None:
        writer, tree = await a_tree(store)
        longer = replace(tree.early, until_ordinal=None)
        gone: list[TreeRow] = [
            tree.late,
            tree.touch,
            tree.tied,
            tree.other_name,
            tree.reveal,
            tree.again,
        ]
        changes = RowChanges(puts=keyed([longer]), deletes=keyed(gone))
        await writer.write(writer.commit(changes=changes))
        snapshot = await (await seen(store, writer, None)).snapshot()
        assert longer in snapshot.children
        assert tree.late not in snapshot.children
        assert (snapshot.touches, snapshot.identities) == ((), ())
        assert snapshot.descriptions == (tree.second,)
        assert snapshot.aliases == (tree.griffins, tree.name)
        assert snapshot.appearances == (tree.there,)

    async def test_a_pair_may_hold_in_two_intervals(self, store: TreeStore) -> None:
        writer, tree = await a_tree(store)
        again = ChildRow(tree.thread.id, tree.root.id, 3, None)
        changes = RowChanges(puts=keyed([again]), deletes=keyed([tree.late]))
        await writer.write(writer.commit(changes=changes))
        for as_of, row in [(2, replace(tree.early, until_ordinal=None)), (3, again)]:
            view = await seen(store, writer, Ordinal(as_of))
            assert row in (await view.snapshot()).children

    async def test_a_node_may_go_with_all_that_refers_to_it(self, store: TreeStore) -> None:
        writer, tree = await a_tree(store)
        await writer.write(writer.commit(changes=RowChanges(deletes=tree.changes().puts)))
        assert await (await seen(store, writer, None)).snapshot() == TreeSnapshot()

    async def test_a_withdrawn_chapter_returns_nothing_at_once(self, store: TreeStore) -> None:
        writer = await a_story(store)
        ids = (await (await seen(store, writer, None)).scenes())[2].scenes
        await writer.write(writer.commit([a_chapter("c2b", 2, present=False, position=2)]))
        view = await seen(store, writer, None)
        assert [c.chapter_id for c in await view.chapters()] == ["c1", "c2", "c3", "c4"]
        assert [each.chapter_id for each in await view.scenes()] == ["c1", "c2", "c3", "c4"]
        assert await view.texts([ChapterId("c2b")]) == {}
        assert not {row.scene for row in (await view.snapshot()).homes} & {s.scene_id for s in ids}
        counts = await view.passage_counts(["emma", "c2b"])
        assert (counts.passages, counts.counts) == (16, {"emma": 8, "c2b": 0})
        assert await view.confirm([(each.scene_id, 2) for each in ids]) == frozenset()

    async def test_what_a_withdrawn_chapter_brought_in_is_not_told(self, store: TreeStore) -> None:
        writer, tree = await a_tree(store)
        await writer.write(writer.commit([a_chapter("c3", "0.000000003", present=False)]))
        snapshot = await (await seen(store, writer, Ordinal(3))).snapshot()
        assert snapshot.aliases == (tree.griffins, tree.name)
        assert snapshot.identities == ()
        assert snapshot.appearances == (tree.there,)
        assert {row.scene for row in snapshot.homes} == {tree.one, tree.two}
        assert tree.late in snapshot.children

    async def test_nor_who_it_introduced_nor_its_descriptions(self, store: TreeStore) -> None:
        writer, tree = await a_tree(store)
        await writer.write(writer.commit([a_chapter("c2", "0.000000002", present=False)]))
        snapshot = await (await seen(store, writer, Ordinal(3))).snapshot()
        assert snapshot.descriptions == (tree.first,)
        assert (snapshot.touches, snapshot.identities) == ((), ())
        assert snapshot.characters == (tree.stranger,)
        assert snapshot.aliases == (tree.other_name, tree.name)
        assert snapshot.appearances == (tree.there,)

    async def test_after_the_next_fold_all_is_told_again(self, store: TreeStore) -> None:
        writer, tree = await a_tree(store)
        gone = a_chapter("c2b", "0.000000002", present=False)
        await writer.write(
            writer.commit(
                [gone], contents_deleted=[gone.chapter_id], records_deleted=[gone.chapter_id]
            )
        )
        snapshot = await (await seen(store, writer, Ordinal(3))).snapshot()
        assert snapshot.characters == (tree.griffin, tree.stranger)
        assert snapshot.identities == (tree.reveal,)
