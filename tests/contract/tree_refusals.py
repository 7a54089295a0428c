"""Commits that come late, are unfit, compete or break off: they leave nothing."""

from __future__ import annotations

import asyncio
import time

import pytest

from contracts.errors import PermanentError
from contracts.ids import ChapterId, SceneId, WorkId
from contracts.ports import TreeStore
from contracts.tree import CharacterRow, HomeRow, RowChanges, StorylineKind, StorylineRow
from tests.contract.story import (
    Writer,
    a_chapter,
    a_content,
    a_record,
    at,
    everything,
    hanging_rows,
    keyed,
    rows,
)

_ROUNDS = 200
_CANCELLATIONS = 10


class RefusalContract:
    async def test_another_commit_seq_changes_nothing(self, store: TreeStore) -> None:
        writer = Writer(store)
        await writer.publish("c1", 1)
        before = await everything(store, writer)
        for wrong in (0, 2, 7):
            writer.seq = wrong
            late = writer.commit([a_chapter("c1", 5)], [a_content(writer.work_id, "c1", text="x")])
            assert await store.commit(late) is False
        assert await everything(store, writer) == before

    async def test_a_work_never_heard_of_is_at_zero(self, store: TreeStore) -> None:
        writer = Writer(store, seq=1)
        assert await store.commit(writer.commit([a_chapter("c1", 1)])) is False
        assert await store.load(writer.work_id) is None

    async def test_of_competing_commits_exactly_one_wins(self, store: TreeStore) -> None:
        writer = Writer(store)
        for round_ in range(_ROUNDS):
            rivals = [writer.commit([a_chapter("c1", 1 + n)]) for n in range(2)]
            outcomes = await asyncio.gather(*(store.commit(each) for each in rivals))
            assert sorted(outcomes) == [False, True], f"round {round_}"
            writer.seq += 1
            loaded = await store.load(writer.work_id)
            assert loaded is not None
            assert loaded.commit_seq == writer.seq
            assert [chapter.place for chapter in loaded.chapters] == [at(1 + outcomes.index(True))]

    async def test_the_loser_of_two_commits_leaves_nothing(self, store: TreeStore) -> None:
        writer = Writer(store)
        for _ in range(10):
            rivals = [
                writer.commit(
                    [a_chapter("c1", 1 + n)], [a_content(writer.work_id, "c1", text=str(n))]
                )
                for n in range(2)
            ]
            outcomes = await asyncio.gather(*(store.commit(each) for each in rivals))
            view = await store.view(writer.work_id, None)
            assert view is not None
            assert view.as_of == at(1 + outcomes.index(True))
            assert await view.texts([ChapterId("c1")]) == {"c1": str(outcomes.index(True))}
            writer.seq += 1

    async def test_a_row_that_refers_to_nothing_changes_nothing(self, store: TreeStore) -> None:
        writer = Writer(store)
        await writer.publish("c1", 1)
        before = await everything(store, writer)
        content = a_content(writer.work_id, "c2")
        thread = StorylineRow(f"{writer.work_id}-t", StorylineKind.THREAD, 1)
        person = CharacterRow(f"{writer.work_id}-p", 1)
        scene = content.scenes[0].scene.scene_id
        for row in hanging_rows(thread.id, person.id, scene):
            unfit = writer.commit([a_chapter("c2", 2)], [content], rows(thread, person, row))
            with pytest.raises(PermanentError):
                await store.commit(unfit)
        assert await everything(store, writer) == before

    async def test_a_graft_record_of_an_unknown_chapter_changes_nothing(
        self, store: TreeStore
    ) -> None:
        writer = Writer(store)
        with pytest.raises(PermanentError):
            await store.commit(writer.commit(records=[a_record(a_chapter("c1", 1))]))
        assert await store.load(writer.work_id) is None

    async def test_content_of_an_unknown_chapter_changes_nothing(self, store: TreeStore) -> None:
        writer = Writer(store)
        unfit = writer.commit([a_chapter("c1", 1)], [a_content(writer.work_id, "c2")])
        with pytest.raises(PermanentError):
            await store.commit(unfit)
        assert await store.load(writer.work_id) is None

    async def test_a_storyline_in_use_is_not_deleted(self, store: TreeStore) -> None:
        writer = Writer(store)
        await writer.publish("c1", 1)
        before = await everything(store, writer)
        thread = StorylineRow(f"thread-{writer.work_id}", StorylineKind.THREAD, 0)
        unfit = writer.commit([a_chapter("c2", 2)], changes=RowChanges(deletes=keyed([thread])))
        with pytest.raises(PermanentError):
            await store.commit(unfit)
        assert await everything(store, writer) == before

    async def test_an_empty_id_is_refused(self, store: TreeStore) -> None:
        writer = Writer(store)
        nameless = [
            Writer(store, WorkId("")).commit(),
            writer.commit([a_chapter("", 1)]),
            writer.commit(changes=rows(CharacterRow("", 1))),
            writer.commit(changes=rows(HomeRow(SceneId(""), "t", 1, None))),
        ]
        for commit in nameless:
            with pytest.raises(PermanentError):
                await store.commit(commit)

    async def test_a_commit_cancelled_in_the_middle_leaves_all_or_nothing(
        self, store: TreeStore
    ) -> None:
        writer = Writer(store)
        await writer.publish("c1", 1, scenes=10)
        started = time.monotonic()
        await writer.publish("c2", 2, scenes=10)
        # So that whatever the store's speed, each part of a commit is hit.
        step = (time.monotonic() - started) / _CANCELLATIONS
        for n in range(_CANCELLATIONS):
            before, known = await everything(store, writer), writer.seq
            task = asyncio.create_task(writer.publish(f"d{n}", 3 + n, scenes=10))
            await asyncio.sleep(step * n)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            # What was sent may still come to pass: read first, then ask whether it has.
            after = await everything(store, writer)
            loaded = await store.load(writer.work_id)
            assert loaded is not None
            if loaded.commit_seq == known:
                assert after == before
                continue
            writer.seq = loaded.commit_seq
            view = await store.view(writer.work_id, at(3 + n))
            assert view is not None
            assert len((await view.scenes())[-1].scenes) == 10
            assert len((await view.snapshot()).homes) == 10 * len(await view.chapters())
