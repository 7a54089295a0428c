"""The story's graph, asked as of each ordinal: it tells what the snapshot tells, and no more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import combinations, pairwise
from typing import TypeVar

import pytest

from contracts.events import ChapterWithdrawn, WorkWithdrawn
from contracts.ids import ChapterId, CharacterId, SceneId, StorylineId, WorkId
from contracts.ordinals import Ordinal
from contracts.ports import BoundStory, TreeSnapshot, TreeStore
from contracts.story_graph import (
    Activity,
    Belonging,
    Member,
    PlacedScene,
    StoryGraph,
    StoryPlace,
    Stretch,
    ThreadPlace,
    Together,
)
from contracts.tree import IdentityRow
from graph.grafter import Grafter
from graph.hider import Hider
from graph.memory import MemoryVectorStore
from graph.snapshot_graph import SnapshotGraph
from tests.contract.story import a_chapter, at, new_work
from tests.contract.tales import a_story, a_tree, seen
from tests.stories import embedded, written

P = TypeVar("P")
A = TypeVar("A")

_MANY = 1_000
_CHAPTERS = 9
_SUBJECTS = ("the harbour and its ships", "a letter from the bank", "snow on the high pass")
_NAMES = ("Emma", "Mr. Knightley", "Harriet Smith", "Frank Churchill", "Jane Fairfax")


async def cut(view: BoundStory) -> SnapshotGraph:
    """What a view's snapshot tells, cut by the code that the store in memory is made of."""
    whole = (await view.chapters(), await view.scenes(), await view.snapshot())
    return SnapshotGraph(view.work_id, view.generation, view.as_of, *whole)


async def a_novel(store: TreeStore) -> WorkId:
    """Graft chapters of six scenes that go on in threads, which split; two stand at one ordinal."""
    work, vectors = new_work(), MemoryVectorStore()
    graft = Grafter(store, vectors)
    batch = []
    for number in range(_CHAPTERS):
        scenes = [
            (
                f"{_SUBJECTS[n % len(_SUBJECTS)]} again, in chapter {number} as scene {n}",
                [name for m, name in enumerate(_NAMES) if (number + n) % (m + 2) == 0],
            )
            for n in range(6)
        ]
        ordinal = str(min(number, _CHAPTERS - 2))
        message = embedded(work, f"c{number}", number, ordinal, scenes)
        batch.append(await written(vectors, message))
    await graft(batch)
    return work


async def everything(graph: StoryGraph, snapshot: TreeSnapshot) -> dict[str, object]:
    """Ask all there is to ask; the ids to ask about come from `snapshot`."""
    people = [CharacterId(row.id) for row in snapshot.characters]
    storylines = [StorylineId(row.id) for row in snapshot.storylines]
    scenes = [SceneId(row.scene) for row in snapshot.homes]
    ordinals = [Ordinal(row.from_ordinal) for row in snapshot.homes]
    told: dict[str, object] = {
        "names": await graph.names(),
        "names of some": await graph.names(people[::2]),
        "called Frank": await graph.called("  FRANK churchill"),
        "called by a word": await graph.called("smith"),
        "called by nothing": await graph.called(""),
        "cast": await graph.cast(_MANY),
        "members": await graph.members(people),
        "companions": await graph.companions(people),
        "identities": await graph.identities(people),
        "revealed": await graph.revealed(ordinals),
        "first seen": await graph.first_seen(ordinals),
        "threads": await graph.threads(_MANY),
        "storylines": await graph.storylines("", _MANY),
        "descriptions": await graph.descriptions(storylines),
        "activity": await graph.activity(storylines),
        "newest": await graph.newest_ordinals(3),
        "scenes": await graph.stretch(Stretch(_MANY)),
        "belonging": await graph.belonging(scenes),
        "titles": await graph.chapter_titles([ChapterId(f"c{n}") for n in range(_CHAPTERS)]),
    }
    for person in people:
        told[f"called {person}"] = await graph.called(person[:9].upper())
        told[f"scenes of {person}"] = await graph.stretch(Stretch(_MANY, of_character=person))
    for one, other in combinations(people, 2):
        told[f"shared by {one} and {other}"] = await graph.shared(one, other, 4)
    for storyline in storylines:
        told[f"scenes of {storyline}"] = await graph.stretch(Stretch(_MANY, of_thread=storyline))
    return told


async def assert_as_the_snapshot(view: BoundStory) -> None:
    graph = await cut(view)
    expected = await everything(graph, graph.snapshot)
    found = await view.consult(lambda real: everything(real, graph.snapshot))
    for name, answer in found.items():
        assert answer == expected[name], f"{name} as of {view.as_of}"


class StoryGraphContract:
    async def test_it_tells_what_the_snapshot_tells(self, store: TreeStore) -> None:
        writer, _ = await a_tree(store)
        for as_of in range(4):
            await assert_as_the_snapshot(await seen(store, writer, Ordinal(as_of)))

    async def test_of_a_grafted_novel_too(self, store: TreeStore) -> None:
        work = await a_novel(store)
        for as_of in (0, 3, _CHAPTERS):
            view = await store.view(work, at(as_of))
            assert view is not None
            await assert_as_the_snapshot(view)
            snapshot = await view.snapshot()
        assert len({row.kind for row in snapshot.storylines}) == 3  # it has split
        assert snapshot.touches

    async def test_what_a_hidden_chapter_brought_in_is_not_told(self, store: TreeStore) -> None:
        work = await a_novel(store)
        for hidden in ("c2", "c8"):
            gone = ChapterWithdrawn(work_id=work, chapter_id=ChapterId(hidden))
            await Hider(store)([(gone, 50)])
            view = await store.view(work, at(_CHAPTERS))
            assert view is not None
            await assert_as_the_snapshot(view)
            listed = await view.consult(lambda graph: graph.stretch(Stretch(_MANY)))
            assert hidden not in {each.chapter_id for each in listed}

    async def test_nor_whom_it_introduced_and_what_it_revealed(self, store: TreeStore) -> None:
        writer, tree = await a_tree(store)
        stranger, griffin = CharacterId(tree.stranger.id), CharacterId(tree.griffin.id)
        view = await seen(store, writer, Ordinal(3))
        assert await view.consult(lambda graph: graph.identities([griffin])) == (tree.reveal,)
        for gone, known in (("c3", (griffin, stranger)), ("c2", (stranger,))):
            chapter = a_chapter(gone, f"0.00000000{gone[1]}", present=False)
            await writer.write(writer.commit([chapter]))
            there = await view.consult(lambda graph: graph.members([stranger, griffin]))
            assert [each.id for each in there] == list(known)
            assert await view.consult(lambda graph: graph.identities([stranger])) == ()
            assert await view.consult(lambda graph: graph.called("invisible")) == ()
            await assert_as_the_snapshot(view)

    async def test_by_hand(self, store: TreeStore) -> None:
        writer, tree = await a_tree(store)
        stranger, griffin = CharacterId(tree.stranger.id), CharacterId(tree.griffin.id)

        async def late(graph: StoryGraph) -> None:
            there, again = Ordinal(1), Ordinal(3)
            assert await graph.cast(5) == (
                Member(stranger, Ordinal(1), 1, there, there),
                Member(griffin, Ordinal(2), 1, again, again),
            )
            assert await graph.names([stranger]) == (tree.name, tree.other_name)
            assert await graph.companions([stranger, griffin]) == ()
            revealed = (IdentityRow(stranger, griffin, 3),)
            assert await graph.identities([stranger]) == revealed
            assert await graph.revealed([Ordinal(2), Ordinal(3)]) == revealed
            assert await graph.revealed([Ordinal(2)]) == ()
            assert await graph.first_seen([there]) == {stranger: tree.one}
            assert await graph.first_seen([Ordinal(2), again]) == {}  # introduced, and seen later
            thread, arc = StorylineId(tree.thread.id), StorylineId(tree.arc.id)
            assert [row.id for row in await graph.threads(5)] == [thread]
            assert await graph.descriptions([thread, arc]) == {thread: tree.tied}
            activity = await graph.activity([thread, arc])
            assert [(a.scenes, a.touching, a.last, a.last_touched) for a in activity.values()] == [
                (1, 0, Ordinal(2), None),
                (3, 1, Ordinal(3), Ordinal(2)),  # with what lies in the thread beneath it
            ]
            assert await graph.belonging([tree.one, tree.two]) == {
                tree.one: Belonging((stranger,), arc, ()),
                tree.two: Belonging((), thread, (arc,)),
            }

        async def early(graph: StoryGraph) -> None:
            assert await graph.revealed([Ordinal(3)]) == ()
            assert [each.id for each in await graph.cast(5)] == [stranger, griffin]
            assert await graph.names([stranger]) == (tree.name,)
            assert await graph.called("the Invisible") == ()

        await (await seen(store, writer, Ordinal(3))).consult(late)
        await (await seen(store, writer, Ordinal(2))).consult(early)

    async def test_pages_follow_each_other(self, store: TreeStore) -> None:
        view = await store.view(await a_novel(store), None)
        assert view is not None
        await view.consult(assert_pages_make_lists)

    async def test_a_chapter_without_scenes_has_its_place(self, store: TreeStore) -> None:
        view = await seen(store, await a_story(store), None)
        first, *_ = await view.consult(lambda graph: graph.stretch(Stretch(3)))
        assert (first.place, first.scene) == (StoryPlace(int(at(1)), "c1", -1), None)
        later = await view.consult(lambda graph: graph.stretch(Stretch(3, after=first.place)))
        assert later[0].place == StoryPlace(int(at(2)), "c2", 0)

    async def test_whoever_is_not_there_is_left_out(self, store: TreeStore) -> None:
        view = await seen(store, await a_story(store), None)
        nobody, nothing = CharacterId("nobody"), StorylineId("nothing")

        async def read(graph: StoryGraph) -> None:
            assert await graph.members([nobody]) == ()
            assert await graph.names([nobody]) == ()
            assert await graph.called("nobody") == ()
            assert await graph.shared(nobody, nobody, 3) == ()
            assert await graph.stretch(Stretch(3, of_character=nobody)) == ()
            assert await graph.stretch(Stretch(3, of_thread=nothing)) == ()
            assert await graph.activity([nothing]) == {nothing: Activity()}
            assert await graph.descriptions([nothing]) == {}
            assert await graph.belonging([SceneId("none")]) == {}
            assert await graph.storylines("x", 3) == ()

        await view.consult(read)

    async def test_no_work_is_told_of_another(self, store: TreeStore) -> None:
        one, other = await a_novel(store), await a_novel(store)
        view, beside = await store.view(one, None), await store.view(other, None)
        assert view is not None
        assert beside is not None
        here = {member.id for member in await view.consult(lambda graph: graph.cast(_MANY))}
        there = {member.id for member in await beside.consult(lambda graph: graph.cast(_MANY))}
        assert here.isdisjoint(there)
        together = await view.consult(lambda graph: graph.companions(sorted(here)))
        assert {each.other for each in together} <= here
        assert Together(together[0].other, together[0].one, together[0].scenes) in together
        named = await view.consult(lambda graph: graph.called("emma"))
        assert {row.character for row in named} <= here

    async def test_a_hidden_work_tells_nothing(self, store: TreeStore) -> None:
        writer = await a_story(store)
        view = await seen(store, writer, None)
        await Hider(store)([(WorkWithdrawn(work_id=writer.work_id), 50)])
        assert await view.consult(lambda graph: graph.cast(3)) == ()
        assert await view.consult(lambda graph: graph.stretch(Stretch(3))) == ()

    async def test_all_questions_see_one_state_of_the_work(self, store: TreeStore) -> None:
        writer = await a_story(store)
        view = await seen(store, writer, at(9))
        withdrawn = [a_chapter("c2b", 2, present=False, position=2)]

        async def read(graph: StoryGraph) -> tuple[int, int]:
            before = len(await graph.stretch(Stretch(_MANY)))
            if withdrawn:
                await writer.write(writer.commit([withdrawn.pop()]))
            return before, len(await graph.stretch(Stretch(_MANY)))

        before, after = await view.consult(read)
        assert before == after

    async def test_what_goes_wrong_in_a_reading_is_raised(self, store: TreeStore) -> None:
        view = await seen(store, await a_story(store), None)

        async def read(graph: StoryGraph) -> None:
            await graph.cast(1)
            raise LookupError("nobody of that name")

        with pytest.raises(LookupError, match="of that name"):
            await view.consult(read)


async def assert_pages_make_lists(graph: StoryGraph) -> None:
    cast = await _paged(lambda after: graph.cast(2, after), lambda member: member.place)
    assert cast == list(await graph.cast(_MANY))
    threads = await _paged(
        lambda after: graph.threads(1, after), lambda row: ThreadPlace(row.from_ordinal, row.id)
    )
    assert threads == list(await graph.threads(_MANY))
    for of in (
        Stretch(4),
        Stretch(4, of_character=cast[0].id),
        Stretch(4, of_thread=StorylineId(threads[0].id)),
        Stretch(4, first=at(2), last=at(5)),
    ):
        scenes: list[PlacedScene] = []
        while page := await graph.stretch(replace(of, after=scenes[-1].place if scenes else None)):
            scenes += page
        assert scenes == list(await graph.stretch(replace(of, limit=_MANY)))
        assert all(one.place < other.place for one, other in pairwise(scenes))


async def _paged(
    read: Callable[[P | None], Awaitable[tuple[A, ...]]], place: Callable[[A], P]
) -> list[A]:
    found: list[A] = []
    after: P | None = None
    while page := await read(after):
        found += page
        after = place(page[-1])
    return found
