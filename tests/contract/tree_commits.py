"""What is written to a tree store, and what the fold reads of it."""

from __future__ import annotations

import asyncio

from contracts.ids import ChapterId, Generation, WorkId
from contracts.ports import TreeStore
from contracts.tree import (
    AppearanceRow,
    ChapterInputs,
    CharacterRow,
    HomeRow,
    RowChanges,
    StorylineKind,
    StorylineRow,
)
from tests.contract.story import (
    NOBODY,
    Writer,
    a_chapter,
    a_content,
    a_record,
    at,
    everything,
    hanging_rows,
    keyed,
    new_work,
    rows,
)


class CommitContract:
    async def test_prepare_is_safe_to_run_again_and_by_two_at_once(self, store: TreeStore) -> None:
        await store.prepare()
        await asyncio.gather(store.prepare(), store.prepare())

    async def test_a_work_never_heard_of_is_none(self, store: TreeStore) -> None:
        nobody = new_work()
        assert await store.load(nobody) is None
        assert await store.view(nobody, None) is None
        assert await store.view(nobody, at(3)) is None
        assert await store.inputs(nobody, Generation("g1")) == {}
        assert await store.records(nobody, Generation("g1")) == ()

    async def test_load_returns_the_work_as_it_was_written(self, store: TreeStore) -> None:
        writer = Writer(store)
        chapters = [a_chapter("b", 2), a_chapter("a", None, present=False)]
        await writer.write(writer.commit(chapters))
        loaded = await store.load(writer.work_id)
        assert loaded == writer.work(1).model_copy(update={"chapters": tuple(chapters[::-1])})

    async def test_of_the_works_chapters_only_those_put_are_written(self, store: TreeStore) -> None:
        writer = Writer(store)
        first, second = a_chapter("c1", 1), a_chapter("c2", 2)
        await writer.write(writer.commit([first]))
        await writer.write(writer.commit([second]))
        loaded = await store.load(writer.work_id)
        assert loaded is not None
        assert loaded.chapters == (first, second)
        assert loaded.commit_seq == 2

    async def test_a_chapter_put_again_replaces_the_old_record(self, store: TreeStore) -> None:
        writer = Writer(store)
        await writer.write(writer.commit([a_chapter("c1", 1)]))
        unplaced = a_chapter("c1", None, present=False, position=9)
        await writer.write(writer.commit([unplaced]))
        loaded = await store.load(writer.work_id)
        assert loaded is not None
        assert loaded.chapters == (unplaced,)

    async def test_works_lists_live_generations_by_id(self, store: TreeStore) -> None:
        writers = [Writer(store) for _ in range(3)]
        for writer in writers:
            await writer.publish("c1", 1)
        await writers[0].write(writers[0].commit(drop_all=True))
        other = Writer(store, generation=Generation("g2"))
        await other.write(other.commit([a_chapter("c1", 1)]))
        ours = {writer.work_id for writer in writers}
        listed = await store.works()
        assert [work.work_id for work in listed] == sorted(work.work_id for work in listed)
        assert [w for w in listed if w.work_id in ours] == [
            await store.load(work_id) for work_id in sorted(ours)
        ]
        assert other.work_id not in {work.work_id for work in listed}

    async def test_generations_do_not_see_each_other(self, store: TreeStore) -> None:
        live = Writer(store)
        await live.publish("c1", 1)
        shadow = Writer(store, live.work_id, Generation("g2"))
        before = await everything(store, live)
        await shadow.write(shadow.commit([a_chapter("c9", 9)], [a_content(live.work_id, "c9")]))
        assert await everything(store, live) == before
        assert set(await store.inputs(live.work_id, Generation("g2"))) == {"c9"}

    async def test_works_do_not_see_each_other(self, store: TreeStore) -> None:
        one, two = Writer(store), Writer(store)
        await one.publish("c1", 1)
        before = await everything(store, one)
        await two.publish("c1", 5)
        await two.write(two.commit(drop_all=True))
        assert await everything(store, one) == before

    async def test_ids_that_join_to_one_text_stay_apart(self, store: TreeStore) -> None:
        stem = new_work()
        one, two = Writer(store, WorkId(f"{stem}:a")), Writer(store, stem)
        await one.write(one.commit([a_chapter("b", 1)]))
        await two.write(two.commit([a_chapter("a:b", 2)]))
        loaded = [await store.load(one.work_id), await store.load(two.work_id)]
        assert [work and [c.chapter_id for c in work.chapters] for work in loaded] == [
            ["b"],
            ["a:b"],
        ]

    async def test_inputs_hold_every_chapter_with_text_and_place(self, store: TreeStore) -> None:
        writer = Writer(store)
        live, gone = a_chapter("live", 1), a_chapter("gone", "2.5", present=False)
        unplaced, textless = a_chapter("unplaced", None), a_chapter("textless", 4)
        contents = [
            a_content(writer.work_id, "live", scenes=12),
            a_content(writer.work_id, "gone", scenes=0),
            a_content(writer.work_id, "unplaced"),
        ]
        await writer.write(writer.commit([live, gone, unplaced, textless], contents))
        assert await store.inputs(writer.work_id, writer.generation) == {
            "live": ChapterInputs(ChapterId("live"), at(1), "en", contents[0].scenes),
            "gone": ChapterInputs(ChapterId("gone"), at("2.5"), "en", ()),
        }

    async def test_a_moved_chapter_takes_its_scenes_along(self, store: TreeStore) -> None:
        writer = Writer(store)
        ids = await writer.publish("c1", 1)
        await writer.publish("c2", 2)
        moved = a_chapter("c1", 3, position=8)
        await writer.write(writer.commit([moved]))
        inputs = await store.inputs(writer.work_id, writer.generation)
        assert inputs[ChapterId("c1")].ordinal == at(3)
        early, late = (
            await store.view(writer.work_id, at(2)),
            await store.view(writer.work_id, at(3)),
        )
        assert early is not None
        assert late is not None
        assert [each.chapter_id for each in await early.scenes()] == ["c2"]
        assert [each.chapter_id for each in await late.scenes()] == ["c2", "c1"]
        assert await early.texts([ChapterId("c1")]) == {}
        assert await late.confirm([(ids[0], 8), (ids[0], 1)]) == {(ids[0], 8)}

    async def test_records_come_in_story_order(self, store: TreeStore) -> None:
        writer = Writer(store)
        chapters = [
            a_chapter(chapter_id, place)
            for chapter_id, place in {"z": "1", "b": "10", "a": "10", "c": "9.999999999"}.items()
        ]
        records = [a_record(chapter) for chapter in chapters]
        await writer.write(writer.commit(chapters, records=records))
        stored = await store.records(writer.work_id, writer.generation)
        assert [record.chapter_id for record in stored] == ["z", "c", "a", "b"]
        assert set(stored) == set(records)

    async def test_records_are_replaced_and_deleted(self, store: TreeStore) -> None:
        writer = Writer(store)
        chapters = [a_chapter("c1", 1), a_chapter("c2", 2)]
        await writer.write(writer.commit(chapters, records=[a_record(c) for c in chapters]))
        new = a_record(chapters[0], digest="other")
        await writer.write(
            writer.commit(records=[new], records_deleted=[ChapterId("c2"), ChapterId("never")])
        )
        assert await store.records(writer.work_id, writer.generation) == (new,)

    async def test_new_content_replaces_text_and_scenes(self, store: TreeStore) -> None:
        writer = Writer(store)
        old = await writer.publish("c1", 1, scenes=3)
        content = a_content(writer.work_id, "c1", scenes=2, text="New.", terms={"new": 1})
        await writer.write(writer.commit(contents=[content]))
        inputs = await store.inputs(writer.work_id, writer.generation)
        assert inputs[ChapterId("c1")].scenes == content.scenes
        view = await store.view(writer.work_id, None)
        assert view is not None
        assert await view.texts([ChapterId("c1")]) == {"c1": "New."}
        assert (await view.passage_counts(["emma", "new"])).counts == {"emma": 0, "new": 1}
        # The scene that went took its edge with it; those that stayed kept theirs.
        assert {row.scene for row in (await view.snapshot()).homes} == set(old[:2])
        assert await view.confirm([(each, 1) for each in old]) == {(e, 1) for e in old[:2]}

    async def test_deleted_content_leaves_the_chapter_known(self, store: TreeStore) -> None:
        writer = Writer(store)
        await writer.publish("c1", 1)
        gone = [ChapterId("c1"), ChapterId("never")]
        await writer.write(writer.commit(contents_deleted=gone))
        assert await store.inputs(writer.work_id, writer.generation) == {}
        view = await store.view(writer.work_id, None)
        assert view is not None
        assert [each.scenes for each in await view.scenes()] == [()]
        assert await view.texts([ChapterId("c1")]) == {}
        assert (await view.snapshot()).homes == ()

    async def test_drop_all_forgets_everything_first(self, store: TreeStore) -> None:
        writer = Writer(store)
        await writer.publish("c1", 1)
        await writer.publish("c2", 2)
        again = a_chapter("c1", 1)
        await writer.write(writer.commit([again], drop_all=True))
        loaded = await store.load(writer.work_id)
        assert loaded is not None
        assert loaded.chapters == (again,)
        assert await store.inputs(writer.work_id, writer.generation) == {}
        assert await store.records(writer.work_id, writer.generation) == ()
        view = await store.view(writer.work_id, None)
        assert view is not None
        assert (await view.snapshot()).storylines == ()
        await writer.publish("c2", 2)
        assert set(await store.inputs(writer.work_id, writer.generation)) == {"c2"}

    async def test_deleting_rows_that_are_not_there_is_no_error(self, store: TreeStore) -> None:
        writer = Writer(store)
        ids = await writer.publish("c1", 1)
        stray = hanging_rows("a thread", "a person", ids[0])
        stray += [
            HomeRow(ids[0], "other", 1, None),
            StorylineRow(NOBODY, StorylineKind.ARC, 1),
            CharacterRow(NOBODY, 1),
        ]
        before = await everything(store, writer)
        await writer.write(writer.commit(changes=RowChanges(deletes=keyed(stray))))
        after = await everything(store, writer)
        assert str(before).replace("commit_seq=1", "commit_seq=2") == str(after)

    async def test_of_many_edges_of_one_node_many_are_deleted(self, store: TreeStore) -> None:
        """A server may keep a node's edges in pieces, and go through them as they vanish."""
        writer, many = Writer(store), 300
        scenes = await writer.publish("c1", 1, scenes=many)
        people = [CharacterRow(f"{nth}-{writer.work_id}", 1) for nth in range(many)]
        seen = [AppearanceRow(people[0].id, scene, 1, 1) for scene in scenes]
        seen += [AppearanceRow(person.id, scenes[0], 1, 1) for person in people[1:]]
        await writer.write(writer.commit(changes=rows(*people, *seen)))
        await writer.write(writer.commit(changes=RowChanges(deletes=keyed(seen[5:-5]))))
        found = await store.rows(writer.work_id, writer.generation)
        left = [row for row in found if isinstance(row, AppearanceRow)]
        assert keyed(left) == keyed([*seen[:5], *seen[-5:]])
        fewer = a_content(writer.work_id, "c1", scenes=1)
        gone = RowChanges(deletes=keyed([*seen[1:5], *seen[-5:], *people[-5:]]))
        await writer.write(writer.commit(contents=[fewer], changes=gone))
        found = await store.rows(writer.work_id, writer.generation)
        assert [row for row in found if isinstance(row, AppearanceRow)] == [seen[0]]

    async def test_closing_twice_does_nothing_more(self, store: TreeStore) -> None:
        await store.close()
        await store.close()
