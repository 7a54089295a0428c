"""What readers see of a tree store, as of each ordinal."""

from __future__ import annotations

from contracts.ids import ChapterId, SceneId
from contracts.ports import ChapterScenes, PassageCounts, TreeStore
from tests.contract.story import Writer, a_chapter, a_content, at
from tests.contract.tales import ORDINALS, PLACES, a_story, seen, up_to


class ViewContract:
    async def test_a_view_tells_what_it_is_bound_to(self, store: TreeStore) -> None:
        writer = await a_story(store)
        view = await seen(store, writer, at("1.5"))
        assert (view.work_id, view.generation) == (writer.work_id, "g1")
        assert (view.as_of, str(view.as_of)) == (at("1.5"), "1.5")

    async def test_none_stands_for_the_head(self, store: TreeStore) -> None:
        writer = await a_story(store)
        assert (await seen(store, writer, None)).as_of == at(PLACES["c4"])

    async def test_the_head_is_the_last_live_chapter(self, store: TreeStore) -> None:
        writer = await a_story(store)
        await writer.write(writer.commit([a_chapter("c4", PLACES["c4"], present=False)]))
        view = await seen(store, writer, None)
        assert view.as_of == at(3)

    async def test_no_live_chapter_no_view(self, store: TreeStore) -> None:
        writer = Writer(store)
        textless = a_chapter("c3", 3).model_copy(update={"content_hash": ""})
        dead = [a_chapter("c1", 1, present=False), a_chapter("c2", None), textless]
        await writer.write(writer.commit(dead))
        assert await store.view(writer.work_id, None) is None
        assert await store.view(writer.work_id, at(9)) is None

    async def test_a_view_before_the_first_chapter_is_empty(self, store: TreeStore) -> None:
        writer = await a_story(store)
        view = await seen(store, writer, at(0))
        assert await view.chapters() == ()
        assert await view.scenes() == ()
        assert (await view.snapshot()).homes == ()
        assert (await view.passage_counts(["emma"])).counts == {"emma": 0}

    async def test_chapters_at_or_below_the_as_of(self, store: TreeStore) -> None:
        writer = await a_story(store)
        for as_of in ORDINALS:
            view = await seen(store, writer, at(as_of))
            expected = [
                a_chapter(chapter, place, position=n)
                for n, (chapter, place) in enumerate(PLACES.items())
                if chapter in up_to(as_of)
            ]
            assert list(await view.chapters()) == expected

    async def test_scenes_and_texts_of_those_chapters(self, store: TreeStore) -> None:
        writer = await a_story(store)
        wanted = [*map(ChapterId, PLACES), ChapterId("never")]
        contents = [a_content(writer.work_id, c, scenes=n) for n, c in enumerate(PLACES)]
        expected = [
            ChapterScenes(c.chapter_id, at(place), tuple(each.scene for each in c.scenes))
            for c, place in zip(contents, PLACES.values(), strict=True)
        ]
        for as_of in ORDINALS:
            view, known = await seen(store, writer, at(as_of)), len(up_to(as_of))
            assert list(await view.scenes()) == expected[:known]
            assert await view.texts(wanted) == {c.chapter_id: c.text for c in contents[:known]}

    async def test_ordinals_come_back_as_ordinals(self, store: TreeStore) -> None:
        writer = await a_story(store)
        view = await seen(store, writer, None)
        assert str((await view.scenes())[-1].ordinal) == "999999999.999999999"
        inputs = await store.inputs(writer.work_id, writer.generation)
        assert str(inputs[ChapterId("c4")].ordinal) == "999999999.999999999"

    async def test_texts_returns_what_was_asked_for_only(self, store: TreeStore) -> None:
        writer = await a_story(store)
        view = await seen(store, writer, at(2))
        assert set(await view.texts([ChapterId("c1"), ChapterId("c3")])) == {"c1"}
        assert await view.texts([]) == {}

    async def test_passages_are_counted_as_of_the_ordinal(self, store: TreeStore) -> None:
        writer = await a_story(store)
        for as_of in ORDINALS:
            view, known = await seen(store, writer, at(as_of)), up_to(as_of)
            assert await view.passage_counts(["emma", "c2", "never"]) == PassageCounts(
                passages=4 * len(known),
                counts={"emma": 2 * len(known), "c2": int("c2" in known), "never": 0},
            )

    async def test_counts_follow_every_commit(self, store: TreeStore) -> None:
        writer = await a_story(store)
        view = await seen(store, writer, at(3))
        assert (await view.passage_counts(["emma"])).counts == {"emma": 8}
        new = a_content(writer.work_id, "c1", terms={"emma": 40, "frank": 1})
        await writer.write(writer.commit(contents=[new]))
        assert (await view.passage_counts(["emma", "frank"])).counts == {"emma": 46, "frank": 1}
        await writer.write(writer.commit([a_chapter("c1", 7)]))
        assert (await view.passage_counts(["emma", "frank"])).counts == {"emma": 6, "frank": 0}
        await writer.write(writer.commit([a_chapter("c1", "0.5")]))
        assert (await view.passage_counts(["emma", "frank"])).counts == {"emma": 46, "frank": 1}
        await writer.write(writer.commit(drop_all=True))
        await writer.publish("c1", 1)
        assert (await view.passage_counts(["emma"])).counts == {"emma": 2}

    async def test_counting_no_terms_counts_the_passages(self, store: TreeStore) -> None:
        writer = await a_story(store)
        counted = await (await seen(store, writer, at(1))).passage_counts([])
        assert (counted.passages, counted.counts) == (4, {})

    async def test_confirm_knows_scenes_and_positions(self, store: TreeStore) -> None:
        writer = await a_story(store)
        view = await seen(store, writer, at(2))
        two, three = [
            [scene.scene_id for scene in each.scenes]
            for each in (await (await seen(store, writer, None)).scenes())[1:4:2]
        ]
        right, wrong_position, later = (two[0], 1), (two[0], 2), (three[0], 3)
        asked = [right, wrong_position, later, (SceneId("never"), 1)]
        assert await view.confirm(iter(asked)) == {right}
        for not_linked in asked[1:]:
            assert await view.confirm([not_linked]) == frozenset()
        assert await view.confirm([]) == frozenset()
