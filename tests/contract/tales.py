"""Two small stories that the suites read as of each ordinal."""

from __future__ import annotations

from dataclasses import replace

from contracts.ids import SceneId
from contracts.ordinals import Ordinal
from contracts.ports import BoundStory, TreeSnapshot, TreeStore
from contracts.tree import (
    AliasRow,
    AppearanceRow,
    CharacterRow,
    ChildRow,
    DescriptionRow,
    HomeRow,
    IdentityRow,
    RowChanges,
    StorylineKind,
    StorylineRow,
    TouchRow,
)
from tests.contract.story import Writer, a_chapter, a_content, a_record, at, rows

PLACES = {"c1": "1", "c2": "2", "c2b": "2", "c3": "3", "c4": "999999999.999999999"}
ORDINALS = ["0", "1", "1.5", "2", "2.000000001", "3", "999999999.999999998", "999999999.999999999"]


async def seen(store: TreeStore, writer: Writer, as_of: Ordinal | None) -> BoundStory:
    view = await store.view(writer.work_id, as_of)
    assert view is not None
    return view


async def a_story(store: TreeStore) -> Writer:
    """Five chapters, two of them at one ordinal, the last at the highest ordinal there is."""
    writer = Writer(store)
    chapters = [a_chapter(c, place, position=n) for n, (c, place) in enumerate(PLACES.items())]
    contents = [a_content(writer.work_id, c, scenes=n) for n, c in enumerate(PLACES)]
    thread = StorylineRow(f"thread-{writer.work_id}", StorylineKind.THREAD, 0)
    homes = [
        HomeRow(inputs.scene.scene_id, thread.id, int(chapter.story_place), None)
        for chapter, content in zip(chapters, contents, strict=True)
        for inputs in content.scenes
    ]
    records = [a_record(chapter) for chapter in chapters]
    await writer.write(writer.commit(chapters, contents, rows(thread, *homes), records=records))
    return writer


def up_to(as_of: str) -> list[str]:
    return [chapter for chapter, place in PLACES.items() if at(place) <= at(as_of)]


class Tree:
    """Rows of every kind, in and out of force; `snapshot` says by hand what holds when."""

    def __init__(self, writer: Writer, scenes: tuple[SceneId, ...]) -> None:
        stem = writer.work_id
        self.one, self.two, self.three = scenes
        self.root = StorylineRow(f"{stem}-root", StorylineKind.GROUP, 1)
        self.thread = StorylineRow(f"{stem}-thread", StorylineKind.THREAD, 1)
        self.arc = StorylineRow(f"{stem}-arc", StorylineKind.ARC, 2)
        self.early = ChildRow(self.thread.id, self.root.id, 1, 3)
        self.late = ChildRow(self.thread.id, self.arc.id, 3, None)
        self.back = ChildRow(self.arc.id, self.root.id, 2, None)
        self.home = HomeRow(self.one, self.thread.id, 1, 2)
        self.moved = HomeRow(self.one, self.arc.id, 2, None)
        self.home_two = HomeRow(self.two, self.thread.id, 2, None)
        self.home_three = HomeRow(self.three, self.arc.id, 3, None)
        self.touch = TouchRow(self.two, self.arc.id, 2)
        self.first = DescriptionRow(self.thread.id, 1, "c1", "First", "so far", (self.one,))
        self.second = DescriptionRow(self.thread.id, 2, "c2", "Second", "more", (self.one,))
        self.tied = DescriptionRow(self.thread.id, 2, "c2b", "Tied", "more", (self.one, self.two))
        self.stranger = CharacterRow(f"{stem}-stranger", 1)
        self.griffin = CharacterRow(f"{stem}-griffin", 2)
        self.name = AliasRow(self.stranger.id, "the stranger", 1)
        self.other_name = AliasRow(self.stranger.id, "the invisible man", 3)
        self.griffins = AliasRow(self.griffin.id, "Griffin", 2)
        self.reveal = IdentityRow(self.stranger.id, self.griffin.id, 3)
        self.there = AppearanceRow(self.stranger.id, self.one, 3, 1)
        self.again = AppearanceRow(self.griffin.id, self.three, 1, 3)

    def changes(self) -> RowChanges:
        return rows(
            *(
                getattr(self, name)
                for name in vars(self)
                if not isinstance(getattr(self, name), str)
            )
        )

    def snapshot(self, as_of: int) -> TreeSnapshot:
        """What a reader at 1, 2 or 3 billionths knows, written out by hand."""
        open_ended = replace(self.early, until_ordinal=None)
        return [
            TreeSnapshot(),
            TreeSnapshot(
                storylines=tuple(sorted([self.root, self.thread], key=lambda s: s.id)),
                children=(open_ended,),
                homes=(replace(self.home, until_ordinal=None),),
                descriptions=(self.first,),
                characters=(self.stranger,),
                aliases=(self.name,),
                appearances=(self.there,),
            ),
            TreeSnapshot(
                storylines=tuple(sorted([self.root, self.thread, self.arc], key=lambda s: s.id)),
                children=tuple(sorted([open_ended, self.back], key=lambda c: c.child)),
                homes=tuple(sorted([self.moved, self.home_two], key=lambda h: h.scene)),
                touches=(self.touch,),
                descriptions=(self.tied,),
                characters=(self.griffin, self.stranger),
                aliases=(self.griffins, self.name),
                appearances=(self.there,),
            ),
            TreeSnapshot(
                storylines=tuple(sorted([self.root, self.thread, self.arc], key=lambda s: s.id)),
                children=tuple(sorted([self.late, self.back], key=lambda c: c.child)),
                homes=tuple(
                    sorted([self.moved, self.home_two, self.home_three], key=lambda h: h.scene)
                ),
                touches=(self.touch,),
                descriptions=(self.tied,),
                characters=(self.griffin, self.stranger),
                aliases=(self.griffins, self.other_name, self.name),
                identities=(self.reveal,),
                appearances=(self.again, self.there),
            ),
        ][as_of]


async def a_tree(store: TreeStore) -> tuple[Writer, Tree]:
    """Four chapters at ordinals of 1, 2 (twice) and 3 billionths, and rows of every kind."""
    writer = Writer(store)
    chapters = [
        a_chapter(c, f"0.00000000{n}") for c, n in [("c1", 1), ("c2", 2), ("c2b", 2), ("c3", 3)]
    ]
    contents = [a_content(writer.work_id, c, scenes=1) for c in ("c1", "c2", "c3")]
    tree = Tree(writer, tuple(c.scenes[0].scene.scene_id for c in contents))
    records = [a_record(chapter) for chapter in chapters]
    await writer.write(writer.commit(chapters, contents, tree.changes(), records=records))
    return writer, tree
