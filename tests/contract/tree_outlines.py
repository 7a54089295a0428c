"""The outline tells what scenes and snapshot tell, in few words, and every description."""

from __future__ import annotations

from contracts.events import ChapterWithdrawn
from contracts.ids import ChapterId
from contracts.ordinals import Ordinal
from contracts.outline import OutlineScene
from contracts.ports import StoryView, TreeStore
from graph.hider import Hider
from tests.contract.story import a_content, at
from tests.contract.tales import ORDINALS, a_story, a_tree, seen


async def expected_scenes(view: StoryView) -> list[OutlineScene]:
    homes = {row.scene: row.storyline for row in (await view.snapshot()).homes}
    return [
        OutlineScene(
            scene.scene_id,
            chapter.chapter_id,
            chapter.ordinal,
            scene.title,
            scene.synopsis,
            homes.get(scene.scene_id, ""),
        )
        for chapter in await view.scenes()
        for scene in chapter.scenes
    ]


class OutlineContract:
    async def test_an_outline_holds_the_scenes_of_the_view(self, store: TreeStore) -> None:
        writer = await a_story(store)
        for as_of in ORDINALS:
            view = await seen(store, writer, at(as_of))
            assert list((await view.outline()).scenes) == await expected_scenes(view)

    async def test_an_outline_holds_the_storylines_of_the_snapshot(self, store: TreeStore) -> None:
        writer, _ = await a_tree(store)
        for as_of in range(4):
            view = await seen(store, writer, Ordinal(as_of))
            outline, snapshot = await view.outline(), await view.snapshot()
            assert outline.storylines == snapshot.storylines
            assert outline.children == snapshot.children
            assert list(outline.scenes) == await expected_scenes(view)

    async def test_an_outline_holds_every_version_up_to_the_as_of(self, store: TreeStore) -> None:
        writer, tree = await a_tree(store)
        versions = [(), (tree.first,), (tree.first, tree.second, tree.tied)]
        for as_of, expected in enumerate([*versions, versions[-1]]):
            view = await seen(store, writer, Ordinal(as_of))
            assert (await view.outline()).versions == expected

    async def test_an_outline_follows_every_commit(self, store: TreeStore) -> None:
        writer = await a_story(store)
        view = await seen(store, writer, at(3))
        await view.outline()
        new = a_content(writer.work_id, "c2", scenes=3)
        await writer.write(writer.commit(contents=[new]))
        assert list((await view.outline()).scenes) == await expected_scenes(view)
        assert len([s for s in (await view.outline()).scenes if s.chapter_id == "c2"]) == 3

    async def test_an_outline_leaves_out_what_is_hidden(self, store: TreeStore) -> None:
        writer, tree = await a_tree(store)
        view = await seen(store, writer, Ordinal(3))
        assert tree.tied in (await view.outline()).versions
        gone = ChapterWithdrawn(work_id=writer.work_id, chapter_id=ChapterId("c2b"))
        await Hider(store)([(gone, 50)])
        outline = await view.outline()
        assert tree.tied not in outline.versions
        assert list(outline.scenes) == await expected_scenes(view)
