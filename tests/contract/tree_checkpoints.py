"""What lets a fold be taken up again: checkpoints, and readings of a part of a work."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from contracts.errors import PermanentError
from contracts.ids import ChapterId, Generation, SceneId
from contracts.ports import TreeStore
from contracts.works import Checkpoint
from tests.contract.story import Writer, a_chapter, a_content, a_record, everything, new_work

C1, C2, C3, NEVER = (ChapterId(name) for name in ("c1", "c2", "c3", "never"))


async def marked(store: TreeStore) -> tuple[Writer, Checkpoint, Checkpoint]:
    """Return the writer of a work with two checkpoints, and those."""
    writer = Writer(store)
    await writer.publish(C1, 1)
    await writer.publish(C2, 2)
    # The second is larger than any part that it is stored in, and nothing of it compresses.
    one, two = Checkpoint(C1, "d1", b"state 1"), Checkpoint(C2, "d2", os.urandom(3_000_000))
    await writer.write(replace(writer.commit(), checkpoints_put=(one, two)))
    return writer, one, two


async def checkpoint(store: TreeStore, writer: Writer, chapter_id: ChapterId) -> Checkpoint | None:
    return await store.checkpoint(writer.work_id, writer.generation, chapter_id)


async def checkpointed(store: TreeStore, writer: Writer) -> frozenset[ChapterId]:
    return await store.checkpointed(writer.work_id, writer.generation)


class CheckpointContract:
    async def test_a_checkpoint_is_read_as_it_was_put(self, store: TreeStore) -> None:
        writer, one, two = await marked(store)
        assert await checkpointed(store, writer) == {C1, C2}
        assert await checkpoint(store, writer, C1) == one
        assert await checkpoint(store, writer, C2) == two
        assert await checkpoint(store, writer, NEVER) is None

    async def test_works_and_generations_have_their_own(self, store: TreeStore) -> None:
        writer, one, _ = await marked(store)
        shadow = Writer(store, writer.work_id, Generation("g2"))
        other = Checkpoint(C1, "d9", b"another state")
        await shadow.write(replace(shadow.commit([a_chapter(C1, 1)]), checkpoints_put=(other,)))
        assert await checkpoint(store, writer, C1) == one
        assert await checkpoint(store, shadow, C1) == other
        assert await checkpointed(store, shadow) == {C1}
        nobody = new_work()
        assert await store.checkpointed(nobody, writer.generation) == frozenset()
        assert await store.checkpoint(nobody, writer.generation, C1) is None

    async def test_a_checkpoint_put_again_replaces_the_old_one(self, store: TreeStore) -> None:
        writer, one, _ = await marked(store)
        new = Checkpoint(C2, "other", b"smaller")
        await writer.write(replace(writer.commit(), checkpoints_put=(new,)))
        assert await checkpoint(store, writer, C2) == new
        assert await checkpoint(store, writer, C1) == one
        assert await checkpointed(store, writer) == {C1, C2}

    async def test_checkpoints_are_deleted(self, store: TreeStore) -> None:
        writer, one, _ = await marked(store)
        await writer.write(replace(writer.commit(), checkpoints_deleted=(C2, NEVER)))
        assert await checkpointed(store, writer) == {C1}
        assert await checkpoint(store, writer, C1) == one
        assert await checkpoint(store, writer, C2) is None

    @pytest.mark.parametrize("drop", ["drop_all", "drop_tree"])
    async def test_checkpoints_go_with_the_tree(self, store: TreeStore, drop: str) -> None:
        writer, one, _ = await marked(store)
        other, kept, _ = await marked(store)
        anew = replace(writer.commit([a_chapter("c1", 1)]), checkpoints_put=(one,))
        await writer.write(
            replace(anew, drop_all=drop == "drop_all", drop_tree=drop == "drop_tree")
        )
        assert await checkpointed(store, writer) == {C1}
        assert await checkpoint(store, writer, C1) == one
        assert await checkpoint(store, writer, C2) is None
        assert await checkpoint(store, other, C1) == kept

    async def test_a_checkpoint_of_an_unknown_chapter_is_unfit(self, store: TreeStore) -> None:
        writer, one, _ = await marked(store)
        before = await everything(store, writer)
        for name in (NEVER, ChapterId("")):
            unfit = replace(writer.commit(), checkpoints_put=(replace(one, chapter_id=name),))
            with pytest.raises(PermanentError):
                await store.commit(unfit)
        assert await everything(store, writer) == before
        assert await checkpointed(store, writer) == {C1, C2}

    async def test_a_lost_commit_leaves_checkpoints_as_they_are(self, store: TreeStore) -> None:
        writer, one, two = await marked(store)
        late = replace(
            writer.commit(),
            expected_seq=1,
            work=writer.work(2),
            checkpoints_put=(replace(one, digest="late"),),
            checkpoints_deleted=(C2,),
        )
        assert not await store.commit(late)
        assert await checkpoint(store, writer, C1) == one
        assert await checkpoint(store, writer, C2) == two


class SelectionContract:
    async def test_inputs_and_records_of_some_chapters(self, store: TreeStore) -> None:
        writer = Writer(store)
        chapters = [a_chapter("c1", 3), a_chapter("c2", 2), a_chapter("c3", 1)]
        contents = [a_content(writer.work_id, each.chapter_id) for each in chapters]
        records = [a_record(each) for each in chapters]
        await writer.write(writer.commit(chapters, contents, records=records))
        other = Writer(store)
        await other.publish("c1", 1)
        key = (writer.work_id, writer.generation)
        asked = [C1, C3, NEVER, C1]
        whole = await store.inputs(*key)
        assert await store.inputs(*key, asked) == {each: whole[each] for each in (C1, C3)}
        assert await store.records(*key, asked) == (records[2], records[0])
        assert await store.inputs(*key, []) == {}
        assert await store.records(*key, []) == ()

    async def test_chapters_without_text_or_place_have_no_inputs_then_either(
        self, store: TreeStore
    ) -> None:
        writer = Writer(store)
        unplaced, textless = a_chapter("c1", None), a_chapter("c2", 4)
        gone = a_chapter("c3", 5, present=False)
        contents = [a_content(writer.work_id, each) for each in ("c1", "c3")]
        await writer.write(writer.commit([unplaced, textless, gone], contents))
        asked = [C1, C2, C3]
        assert set(await store.inputs(writer.work_id, writer.generation, asked)) == {"c3"}

    async def test_scenes_are_found_by_id(self, store: TreeStore) -> None:
        writer = Writer(store)
        await writer.publish("c1", 1)
        content = a_content(writer.work_id, "c1")
        await writer.write(writer.commit([a_chapter("c1", 1, present=False)]))
        (first, second), key = content.scenes, (writer.work_id, writer.generation)
        asked = [second.scene.scene_id, SceneId("never")]
        assert await store.scenes(*key, asked) == {second.scene.scene_id: second}
        assert await store.scenes(*key, []) == {}
        assert await store.scenes(writer.work_id, Generation("g2"), [first.scene.scene_id]) == {}
