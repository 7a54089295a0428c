"""What is stored as it is stored, and a tree that is written anew."""

from __future__ import annotations

from dataclasses import replace

import pytest

from contracts.errors import PermanentError
from contracts.ids import ChapterId
from contracts.ports import TreeStore
from contracts.tree import (
    AliasRow,
    AppearanceRow,
    CharacterRow,
    ChildRow,
    DescriptionRow,
    HomeRow,
    IdentityRow,
    StorylineKind,
    StorylineRow,
    TouchRow,
    TreeRow,
)
from tests.contract.story import (
    Writer,
    a_chapter,
    a_content,
    a_record,
    hanging_rows,
    new_work,
    rows,
)


def every_kind(writer: Writer, scene: str) -> list[TreeRow]:
    thread, arc = f"thread-{writer.work_id}", f"arc-{writer.work_id}"
    her, him = f"her-{writer.work_id}", f"him-{writer.work_id}"
    return [
        StorylineRow(arc, StorylineKind.ARC, 5),
        CharacterRow(her, 1),
        CharacterRow(him, 1),
        ChildRow(arc, thread, 5, 7),
        ChildRow(arc, thread, 7, None),
        HomeRow(scene, arc, 5, 6),
        TouchRow(scene, thread, 5),
        DescriptionRow(thread, 1, "c1", "old", "old", (scene,)),
        DescriptionRow(thread, 2, "c1", "new", "new", ()),
        AliasRow(her, "Emma", 1),
        IdentityRow(her, him, 9),
        AppearanceRow(her, scene, 2, 1),
    ]


class RawContract:
    async def test_rows_are_all_that_is_stored_of_the_tree(self, store: TreeStore) -> None:
        writer = Writer(store)
        (scene, *_) = await writer.publish("c1", 1)
        more = every_kind(writer, scene)
        await writer.write(writer.commit(changes=rows(*more)))
        other = Writer(store)
        await other.publish("c1", 1)
        found = await store.rows(writer.work_id, writer.generation)
        thread = StorylineRow(f"thread-{writer.work_id}", StorylineKind.THREAD, 0)
        assert {*more, thread} <= set(found)
        assert len(found) == len(set(found)) == len(more) + 3
        assert await store.rows(new_work(), writer.generation) == ()

    async def test_contents_are_texts_scenes_and_counts_live_or_not(self, store: TreeStore) -> None:
        writer = Writer(store)
        await writer.publish("c1", 1)
        await writer.publish("c2", 2)
        gone = a_chapter("c2", 2, present=False)
        await writer.write(writer.commit([gone]))
        asked = [ChapterId("c2"), ChapterId("c1"), ChapterId("never")]
        found = await store.contents(writer.work_id, writer.generation, asked)
        assert found == {each: a_content(writer.work_id, each) for each in ("c1", "c2")}
        assert await store.contents(writer.work_id, writer.generation, []) == {}

    async def test_a_chapter_without_text_has_no_content(self, store: TreeStore) -> None:
        writer = Writer(store)
        await writer.publish("c1", 1)
        await writer.write(writer.commit(contents_deleted=[ChapterId("c1")]))
        assert await store.contents(writer.work_id, writer.generation, [ChapterId("c1")]) == {}

    async def test_works_that_link_rows_are_known(self, store: TreeStore) -> None:
        writer, without = Writer(store), Writer(store)
        await writer.publish("c1", 1)
        bare = a_chapter("c1", 1).model_copy(update={"passages": 0, "items": ()})
        await without.write(without.commit([bare]))
        found = await store.linking()
        assert (writer.work_id, writer.generation) in found
        assert without.work_id not in {work_id for work_id, _ in found}

    async def test_a_tree_is_dropped_and_written_anew_and_texts_stay(
        self, store: TreeStore
    ) -> None:
        writer = Writer(store)
        scenes = await writer.publish("c1", 1)
        await writer.write(writer.commit(changes=rows(*every_kind(writer, scenes[0]))))
        other = Writer(store)
        await other.publish("c1", 1)
        thread = StorylineRow(f"new-{writer.work_id}", StorylineKind.THREAD, 1)
        home = HomeRow(scenes[1], thread.id, 1, None)
        record = a_record(a_chapter("c1", 1), "another")
        anew = writer.commit(changes=rows(thread, home), records=[record])
        await writer.write(replace(anew, drop_tree=True))
        assert set(await store.rows(writer.work_id, writer.generation)) == {thread, home}
        assert await store.records(writer.work_id, writer.generation) == (record,)
        content = await store.contents(writer.work_id, writer.generation, [ChapterId("c1")])
        assert content == {"c1": a_content(writer.work_id, "c1")}
        loaded = await store.load(writer.work_id)
        assert loaded is not None
        assert [each.chapter_id for each in loaded.chapters] == ["c1"]
        assert len(await store.rows(other.work_id, other.generation)) == 3

    async def test_a_tree_dropped_in_an_unfit_commit_is_still_there(self, store: TreeStore) -> None:
        writer = Writer(store)
        (scene, *_) = await writer.publish("c1", 1)
        before = await store.rows(writer.work_id, writer.generation)
        unfit = rows(hanging_rows("a thread", "a person", scene)[0])
        with pytest.raises(PermanentError):
            await store.commit(replace(writer.commit(changes=unfit), drop_tree=True))
        after = await store.rows(writer.work_id, writer.generation)
        assert set(after) == set(before)
