"""Whatever the history, the tree is that of the surviving chapters indexed in story order."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from contracts import events
from contracts.ids import FIRST_GENERATION, ChapterId, WorkId
from contracts.messages import ChapterEmbedded, EmbeddedMessage, EventPassed
from contracts.ordinals import Ordinal
from graph.exporting import export
from graph.grafter import Grafter
from graph.grafting_plan import linked_keys
from graph.memory import MemoryTreeStore, MemoryVectorStore
from tests.stories import SceneText, embedded, written

W = WorkId("w")
CHAPTERS = ("a", "b", "c", "d", "e", "f")
PLACES = ("1", "2", "2.5", "3", "10")
SCENES: tuple[SceneText, ...] = (
    ("Hedda weighs herring at the harbour scale", ["Hedda"]),
    ("Wim the clerk hides in the harbour office", ["Wim", "Hedda"]),
    ("Clemency tunes the piano in the snowed pass", ["Clemency"]),
    ("Bettina opens the station clock in the pass", ["Bettina", "Clemency"]),
    ("Vask drives the plough through the snow", ["Captain Vask"]),
)


@dataclass(frozen=True)
class Deed:
    """One event of one chapter; its revision is its rank among the chapter's."""

    kind: str
    chapter: str
    place: str
    scenes: tuple[int, ...]


deeds = st.lists(
    st.builds(
        Deed,
        kind=st.sampled_from(["publish", "publish", "publish", "withdraw", "move"]),
        chapter=st.sampled_from(CHAPTERS),
        place=st.sampled_from(PLACES),
        scenes=st.lists(st.integers(0, len(SCENES) - 1), min_size=1, max_size=4).map(tuple),
    ),
    min_size=1,
    max_size=14,
)


def message_of(deed: Deed, revision: int, position: int) -> EmbeddedMessage:
    chapter, place = ChapterId(deed.chapter), Ordinal.parse(deed.place)
    if deed.kind == "publish":
        scenes = [SCENES[index] for index in deed.scenes]
        return embedded(W, chapter, position, deed.place, scenes, revision)
    if deed.kind == "move":
        moved = events.ChapterMoved(work_id=W, chapter_id=chapter, ordinal=place, revision=revision)
        return EventPassed(position=position, event=moved)
    gone = events.ChapterWithdrawn(work_id=W, chapter_id=chapter, revision=revision)
    return EventPassed(position=position, event=gone)


def survivors(history: Sequence[Deed]) -> list[Deed]:
    """Say, from the rules alone, which chapters are there at the end, in story order."""
    there: dict[str, Deed] = {}
    places: dict[str, str] = {}
    for deed in history:
        if deed.kind == "publish":
            there[deed.chapter] = deed
        if deed.kind == "withdraw":
            there.pop(deed.chapter, None)
        else:
            places[deed.chapter] = deed.place
    ends = [Deed("publish", d.chapter, places[d.chapter], d.scenes) for d in there.values()]
    return sorted(ends, key=lambda d: (Ordinal.parse(d.place), d.chapter))


class Home:
    def __init__(self) -> None:
        self.tree, self.vectors = MemoryTreeStore(), MemoryVectorStore()
        self.grafter = Grafter(self.tree, self.vectors)

    async def graft(self, batch: Sequence[EmbeddedMessage], *, cold: bool = False) -> None:
        if cold:
            self.grafter = Grafter(self.tree, self.vectors)
        for message in batch:
            if isinstance(message, ChapterEmbedded):
                await written(self.vectors, message)
        await self.grafter(batch)

    async def shown(self, as_of: str) -> bytes | None:
        view = await self.tree.view(W, Ordinal.parse(as_of))
        return (await export(view, with_text=True)).to_json() if view else None

    async def rows(self) -> list[tuple[object, ...]]:
        keys = await self.vectors.keys(W, FIRST_GENERATION)
        rows = (await self.vectors.fetch(W, FIRST_GENERATION, keys)).values()
        return sorted((r.level, r.item_id, r.ordinal, r.text, r.dense, r.sparse) for r in rows)

    async def unlinked(self) -> frozenset[str]:
        work = await self.tree.load(W)
        linked = linked_keys(work, work.chapters) if work else []
        return await self.vectors.keys(W, FIRST_GENERATION) - frozenset(linked)


async def check(history: list[Deed], data: st.DataObject) -> None:
    ranks: dict[str, int] = {}
    messages = []
    for position, deed in enumerate(history):
        ranks[deed.chapter] = ranks.get(deed.chapter, -1) + 1
        messages.append(message_of(deed, ranks[deed.chapter], position))
    arrivals = data.draw(st.permutations(messages))
    arrivals += data.draw(st.lists(st.sampled_from(messages), max_size=3))
    lived = Home()
    while arrivals:
        size = data.draw(st.integers(1, len(arrivals)))
        await lived.graft(arrivals[:size], cold=data.draw(st.booleans()))
        arrivals = arrivals[size:]
    fresh = Home()
    seen_on_the_way: dict[str, bytes | None] = {}
    for position, deed in enumerate(survivors(history)):
        await fresh.graft([message_of(deed, 0, position)])
        seen_on_the_way[deed.place] = await fresh.shown(deed.place)
    for place in PLACES:
        assert await lived.shown(place) == await fresh.shown(place)
    for place, seen in seen_on_the_way.items():
        assert await fresh.shown(place) == seen, "what came later shows in what came before"
    assert await lived.tree.records(W, FIRST_GENERATION) == await fresh.tree.records(
        W, FIRST_GENERATION
    )
    assert await lived.rows() == await fresh.rows()
    assert await lived.unlinked() == frozenset()


@settings(max_examples=120, deadline=None, print_blob=True)
@given(history=deeds, data=st.data())
def test_any_history_ends_as_a_fresh_build(history: list[Deed], data: st.DataObject) -> None:
    asyncio.run(check(history, data))
