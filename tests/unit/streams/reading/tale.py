"""A small story in a store in memory, made by hand, read as of any of its chapters.

Chapter 1: Silver and Jim at sea; Jim and a stranger at the inn. Chapter 2: Silver and Jim at sea
again, which the inn's thread touches. Chapter 3: Ben Gunn and Flint on the island. Chapter 4 has
no scene, and reveals that the stranger is Ben Gunn.
"""

from __future__ import annotations

from dataclasses import dataclass

from contracts.ids import SceneId, WorkId
from contracts.ports import BoundStory, TreeStore
from contracts.requests import HEAD, Page
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
from graph.memory import MemoryTreeStore
from tests.contract.story import Writer, a_chapter, a_content, a_record, at, rows

W = WorkId("tale")
SILVER, JIM, STRANGER, BEN, FLINT, CAT = "0001aa", "0001bb", "cc11", "cc22", "dd11", "ee11"
SEA, INN, ARC, ISLE, ROOT = "5ea1", "5ea2", "a4c", "151e", "4007"
_SCENES = {"c1": 2, "c2": 1, "c3": 1, "c4": 0}


@dataclass(frozen=True)
class Tale:
    store: TreeStore
    writer: Writer

    async def as_of(self, ordinal: object | None = None) -> BoundStory:
        view = await self.store.view(W, None if ordinal is None else at(str(ordinal)))
        assert view is not None
        return view

    async def withdraw(self, chapter: str) -> None:
        gone = a_chapter(chapter, chapter[1:], present=False)
        await self.writer.write(self.writer.commit([gone]))


def a_page(limit: int = 50, after: str | None = None) -> Page:
    return Page(work_id=W, as_of=HEAD, limit=limit, after=after)


async def a_tale() -> Tale:
    store = MemoryTreeStore()
    writer = Writer(store, W)
    chapters = [a_chapter(name, name[1:], position=n) for n, name in enumerate(_SCENES)]
    contents = [a_content(W, name, scenes=scenes) for name, scenes in _SCENES.items()]
    one, two, three, four = (i.scene.scene_id for c in contents for i in c.scenes)
    told = rows(*_plot(one, two, three, four), *_people(one, two, three, four))
    records = [a_record(chapter) for chapter in chapters]
    await writer.write(writer.commit(chapters, contents, told, records=records))
    return Tale(store, writer)


def _plot(one: SceneId, two: SceneId, three: SceneId, four: SceneId) -> list[TreeRow]:
    first, second, third = (int(at(n)) for n in (1, 2, 3))
    return [
        StorylineRow(ROOT, StorylineKind.GROUP, first),
        *(StorylineRow(each, StorylineKind.THREAD, first) for each in (SEA, INN)),
        StorylineRow(ARC, StorylineKind.ARC, second),
        StorylineRow(ISLE, StorylineKind.THREAD, third),
        *(ChildRow(each, ROOT, first, None) for each in (SEA, INN)),
        ChildRow(ARC, SEA, second, None),
        ChildRow(ISLE, ROOT, third, None),
        HomeRow(one, SEA, first, None),
        HomeRow(two, INN, first, None),
        HomeRow(three, ARC, second, None),
        TouchRow(three, INN, second),
        HomeRow(four, ISLE, third, None),
        *(
            DescriptionRow(each, at_, f"c{at_ // first}", f"Title of {each}", "So far.", (scene,))
            for each, at_, scene in ((SEA, first, one), (INN, first, two), (ISLE, third, four))
        ),
    ]


def _people(one: SceneId, two: SceneId, three: SceneId, four: SceneId) -> list[TreeRow]:
    first, second, third, fourth = (int(at(n)) for n in (1, 2, 3, 4))
    return [
        *(CharacterRow(each, first) for each in (SILVER, JIM, STRANGER, CAT)),
        *(CharacterRow(each, third) for each in (BEN, FLINT)),
        AliasRow(SILVER, "Long John Silver", first),
        AliasRow(SILVER, "Barbecue", second),
        AliasRow(JIM, "Jim Hawkins", first),
        AliasRow(JIM, "Jim", first),
        AliasRow(STRANGER, "the stranger", first),
        AliasRow(CAT, "Jim", first),
        AliasRow(BEN, "Ben Gunn", third),
        AliasRow(FLINT, "Captain Flint", third),
        IdentityRow(BEN, STRANGER, fourth),
        *(AppearanceRow(each, one, 2, first) for each in (SILVER, JIM)),
        *(AppearanceRow(each, two, 1, first) for each in (JIM, STRANGER)),
        *(AppearanceRow(each, three, 1, second) for each in (SILVER, JIM)),
        *(AppearanceRow(each, four, 1, third) for each in (BEN, FLINT)),
    ]
