"""A long story is changed anywhere: it ends as a fresh build, and mostly stops long before."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hypothesis import example, given, settings
from hypothesis import strategies as st

from contracts import events
from contracts.ids import FIRST_GENERATION, ChapterId, WorkId
from contracts.messages import ChapterEmbedded, EmbeddedMessage, EventPassed
from contracts.ordinals import Ordinal
from graph.exporting import export
from graph.folding import Folded
from graph.grafter import Grafter
from graph.memory import MemoryTreeStore, MemoryVectorStore
from graph.projection import key_of
from tests.stories import SceneText, embedded, written
from tests.unit.graph.marks import assert_marks_are_sound, watched

W = WorkId("w")
CHAPTERS, SCENES = 30, 5
EXAMPLES = int(os.environ.get("LONG_HISTORIES", "8"))
AS_OFS = ("1", "7", "15", "30", "40")


@dataclass(frozen=True)
class Chapter:
    """Where it stands, and the number of each scene; scenes of one number say the same."""

    place: str
    scenes: tuple[int, ...]


Story = Mapping[str, Chapter]


def told(number: int) -> SceneText:
    """Return one of many scenes of one plot; every seventh is of another."""
    if number % 7 == 0:
        return f"Clemency tunes the piano {number} in the snowed pass", ["Clemency", "Bettina"]
    return f"Hedda weighs herring {number} at the harbour scale", ["Hedda", "Wim"][: 1 + number % 2]


BASE: Story = {
    f"c{nth:02}": Chapter(str(nth), tuple(range(nth * SCENES, (nth + 1) * SCENES)))
    for nth in range(1, CHAPTERS + 1)
}


@dataclass(frozen=True)
class Deed:
    """Something that happens to the `nth` chapter."""

    kind: str
    nth: int
    scene: int = 0

    @property
    def name(self) -> str:
        return f"c{self.nth:02}"

    def done_to(self, story: Story) -> Story:
        """Return the story afterwards; what cannot be done changes nothing."""
        chapter = story.get(self.name)
        if self.kind in {"insert", "insert nothing"}:
            added = Chapter(f"{self.nth}.5", (self.scene,) * 3 if self.kind == "insert" else ())
            return {**story, f"{self.name}+": added}
        if chapter is None:
            return story
        if self.kind == "edit":
            at = self.scene % SCENES
            scenes = (*chapter.scenes[:at], 1000 + self.scene, *chapter.scenes[at + 1 :])
            return {**story, self.name: replace(chapter, scenes=scenes)}
        if self.kind == "move":
            return {**story, self.name: replace(chapter, place=f"{self.nth + self.scene}.7")}
        return {name: each for name, each in story.items() if name != self.name}


DEEDS = st.lists(
    st.builds(
        Deed,
        kind=st.sampled_from(["edit", "edit", "edit", "insert nothing", "insert", "move", "gone"]),
        nth=st.integers(1, CHAPTERS),
        scene=st.integers(0, 6),
    ),
    min_size=1,
    max_size=6,
)


class Home:
    def __init__(self, every: int) -> None:
        self.tree, self.vectors = MemoryTreeStore(), MemoryVectorStore()
        self.every, self.position, self.story = every, 0, dict[str, Chapter]()
        self.grafter = self.starting()

    def starting(self) -> Grafter:
        return Grafter(self.tree, self.vectors, checkpoint_every=self.every)

    def messages(self, story: Story) -> list[EmbeddedMessage]:
        """Say what leads from the story as it is to `story`."""
        ids = sorted(self.story.keys() | story.keys(), key=lambda name: (name not in story, name))
        changed = [name for name in ids if self.story.get(name) != story.get(name)]
        made = [self.message(name, story.get(name)) for name in changed]
        self.story = dict(story)
        return made

    def message(self, name: str, chapter: Chapter | None) -> EmbeddedMessage:
        self.position += 1
        known, chapter_id = self.story.get(name), ChapterId(name)
        if chapter is None:
            gone = events.ChapterWithdrawn(work_id=W, chapter_id=chapter_id)
            return EventPassed(position=self.position, event=gone)
        if known is not None and known.scenes == chapter.scenes:
            at = Ordinal.parse(chapter.place)
            moved = events.ChapterMoved(work_id=W, chapter_id=chapter_id, ordinal=at)
            return EventPassed(position=self.position, event=moved)
        scenes = [told(number) for number in chapter.scenes]
        return embedded(W, name, self.position, chapter.place, scenes)

    async def graft(self, batch: Sequence[EmbeddedMessage]) -> None:
        for message in batch:
            if isinstance(message, ChapterEmbedded):
                await written(self.vectors, message)
        await self.grafter(batch)

    async def all_that_is_there(self) -> object:
        rows = await self.tree.rows(W, FIRST_GENERATION)
        keyed = {key_of(row): row for row in rows}
        assert len(keyed) == len(rows)
        views = [await self.tree.view(W, Ordinal.parse(place)) for place in AS_OFS]
        return (
            keyed,
            await self.tree.records(W, FIRST_GENERATION),
            [(await export(view, with_text=True)).to_json() for view in views if view],
        )


async def check(deeds: Sequence[Deed], every: int, data: st.DataObject | None) -> None:
    lived, story = Home(every), BASE
    await lived.graft(lived.messages(story))
    queued: list[EmbeddedMessage] = []
    for deed in deeds:
        story = deed.done_to(story)
        queued += lived.messages(story)
        if queued and (data is None or data.draw(st.booleans())):
            if data is None or data.draw(st.booleans()):
                lived.grafter = lived.starting()
            await lived.graft(queued)
            queued = []
            await assert_marks_are_sound(lived.tree, W, every)
    if queued:
        await lived.graft(queued)
    # What is known of the head must be as good as what is stored.
    story = {**story, "z": Chapter("99", (3, 7, 9))}
    await lived.graft(lived.messages(story))
    fresh = Home(32)
    ordered = sorted(story.items(), key=lambda each: (Ordinal.parse(each[1].place), each[0]))
    for name, chapter in ordered:
        await fresh.graft(fresh.messages({**fresh.story, name: chapter}))
    assert await lived.all_that_is_there() == await fresh.all_that_is_there()
    await assert_marks_are_sound(lived.tree, W, every)


def met(folded: Folded) -> bool:
    """Say whether a fold went on for a while, and stopped before the end."""
    return len(folded.new) > 1 and folded.spared > 0


@settings(max_examples=EXAMPLES, deadline=None, print_blob=True)
@given(deeds=DEEDS, every=st.integers(1, 5), data=st.data())
def test_whatever_happens_to_a_long_story(
    deeds: list[Deed], every: int, data: st.DataObject
) -> None:
    asyncio.run(check(deeds, every, data))


@settings(max_examples=EXAMPLES // 2, deadline=None, print_blob=True)
@given(nth=st.integers(1, CHAPTERS), scene=st.integers(0, SCENES - 1), every=st.integers(1, 5))
@example(nth=3, scene=1, every=2)
def test_a_scene_of_a_long_story_is_edited(nth: int, scene: int, every: int) -> None:
    asyncio.run(check([Deed("edit", nth, scene)], every, None))


async def test_edits_are_forgotten_long_before_the_end() -> None:
    with watched() as seen:
        for nth in (4, 13, 25):
            await check([Deed("edit", nth, scene=0)], 3, None)
    edits = [folded for folded in seen if folded.old]
    assert [folded.begun for folded in edits] == [3, 12, 24]
    assert all(met(folded) for folded in edits)
    assert max(len(folded.new) for folded in edits) < CHAPTERS // 3
