"""Whatever the history, the tree is that of the surviving chapters indexed in story order."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from contracts import events
from contracts.ids import FIRST_GENERATION
from contracts.messages import ChapterEmbedded, EmbeddedMessage, EventPassed
from contracts.ordinals import Ordinal
from contracts.tree import TreeRow
from graph.exporting import export
from graph.grafter import Grafter
from graph.grafting_plan import linked_keys
from graph.hider import Hider
from graph.memory import MemoryTreeStore, MemoryVectorStore
from graph.projection import key_of
from tests.histories import PLACES, History, W, histories, survivors
from tests.stories import SceneText, embedded, written
from tests.unit.graph.marks import assert_marks_are_sound

SCENES: tuple[SceneText, ...] = (
    ("Hedda weighs herring at the harbour scale", ["Hedda"]),
    ("Wim the clerk hides in the harbour office", ["Wim", "Hedda"]),
    ("Clemency tunes the piano in the snowed pass", ["Clemency"]),
    ("Bettina opens the station clock in the pass", ["Bettina", "Clemency"]),
    ("Vask drives the plough through the snow", ["Captain Vask"]),
)
TOLD = ("0", "1", "4", "01", "20", "233", "0123", "4301", "-")
"""Bodies: which scenes a chapter has, by number; one has none."""

deeds = histories(TOLD, 9)
comings_and_goings = histories(
    TOLD[:3], 7, kinds=["publish", "withdraw"], chapters=("a", "b"), incarnations=2
)


def message_of(event: events.ChapterEvent, position: int) -> EmbeddedMessage:
    if not isinstance(event, events.ChapterPublished):
        return EventPassed(position=position, event=event)
    scenes = [SCENES[int(number)] for number in event.body if number != "-"]
    place = str(event.ordinal)
    return embedded(W, event.chapter_id, position, place, scenes, event.revision)


class Home:
    def __init__(self, every: int) -> None:
        self.tree, self.vectors = MemoryTreeStore(), MemoryVectorStore()
        self.every = every
        self.grafter = self.starting()
        self.withdrawn: list[tuple[str | None, int]] = []

    def starting(self) -> Grafter:
        """Return a grafter that remembers nothing."""
        return Grafter(self.tree, self.vectors, checkpoint_every=self.every)

    async def hide(self, messages: Sequence[EmbeddedMessage]) -> None:
        """Look ahead at what of `messages` was withdrawn."""
        for message in messages:
            if isinstance(message, EventPassed):
                await Hider(self.tree)([(message.event, message.position)])
                if isinstance(message.event, events.ChapterWithdrawn):
                    self.withdrawn.append((message.event.chapter_id, message.position))
                if isinstance(message.event, events.WorkWithdrawn):
                    self.withdrawn.append((None, message.position))

    async def assert_nobody_sees_what_was_withdrawn(self) -> None:
        """Whoever is seen was published by a later event than any that was hidden."""
        for place in PLACES:
            view = await self.tree.view(W, Ordinal.parse(place))
            seen = await view.chapters() if view else ()
            for chapter in seen:
                presence = chapter.registers.presence
                hidden = [at for name, at in self.withdrawn if name in (chapter.chapter_id, None)]
                assert presence is not None
                assert all(at < presence[1] for at in hidden)
            if view is None:
                continue
            told = [scene for each in await view.scenes() for scene in each.scenes]
            assert len((await view.snapshot()).homes) == len(told)
            exported = await export(view, with_text=True)
            assert [c.chapter_id for c in exported.chapters] == [c.chapter_id for c in seen]

    async def graft(self, batch: Sequence[EmbeddedMessage], *, cold: bool = False) -> None:
        if cold:
            self.grafter = self.starting()
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


async def tree_rows(home: Home) -> dict[str, TreeRow]:
    rows = await home.tree.rows(W, FIRST_GENERATION)
    keyed = {key_of(row): row for row in rows}
    assert len(keyed) == len(rows)
    return keyed


async def live(home: Home, arrivals: Sequence[EmbeddedMessage], data: st.DataObject) -> None:
    """Hide and graft what arrives; either may run any distance before the other."""
    hidden, grafted = data.draw(st.integers(0, len(arrivals))), 0
    await home.hide(arrivals[:hidden])
    sizes = st.sampled_from((1, 1, 2, len(arrivals)))
    while max(len(arrivals) - hidden, len(arrivals) - grafted):
        left = len(arrivals) - hidden
        if left and (grafted == len(arrivals) or data.draw(st.booleans())):
            batch = arrivals[hidden:][: data.draw(sizes)]
            await home.hide(batch)
            hidden += len(batch)
        else:
            batch = arrivals[grafted:][: data.draw(sizes)]
            await home.graft(batch, cold=data.draw(st.booleans()))
            grafted += len(batch)
        await home.assert_nobody_sees_what_was_withdrawn()
        if hidden and data.draw(st.integers(0, 5)) == 5:  # its last batches are delivered again
            hidden = data.draw(st.integers(0, hidden - 1))


async def check(history: History, data: st.DataObject) -> None:
    """Let the events arrive in any order at all: each has the position that it was given first."""
    events_in_order = [event for part in history.incarnations for event in part]
    messages = [message_of(event, position) for position, event in enumerate(events_in_order)]
    arrivals = data.draw(st.permutations(messages))
    arrivals += data.draw(st.lists(st.sampled_from(messages), max_size=3))
    lived = Home(every=data.draw(st.integers(1, 3)))
    await live(lived, arrivals, data)
    fresh = Home(every=2)
    seen_on_the_way: dict[str, bytes | None] = {}
    for position, event in enumerate(survivors(history)):
        await fresh.graft([message_of(event, position)])
        seen_on_the_way[str(event.ordinal)] = await fresh.shown(str(event.ordinal))
    for place in PLACES:
        assert await lived.shown(place) == await fresh.shown(place)
    for place, seen in seen_on_the_way.items():
        assert await fresh.shown(place) == seen, "what came later shows in what came before"
    assert await lived.tree.records(W, FIRST_GENERATION) == await fresh.tree.records(
        W, FIRST_GENERATION
    )
    assert await tree_rows(lived) == await tree_rows(fresh)
    await assert_marks_are_sound(lived.tree, W, lived.every)
    assert await lived.rows() == await fresh.rows()
    assert await lived.unlinked() == frozenset()


@settings(max_examples=80, deadline=None, print_blob=True)
@given(history=deeds, data=st.data())
def test_any_history_ends_as_a_fresh_build(history: History, data: st.DataObject) -> None:
    asyncio.run(check(history, data))


@settings(max_examples=80, deadline=None, print_blob=True)
@given(history=comings_and_goings, data=st.data())
def test_what_is_withdrawn_shows_again_only_when_it_is_published_again(
    history: History, data: st.DataObject
) -> None:
    asyncio.run(check(history, data))
