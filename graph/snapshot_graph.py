"""The story's graph cut from a snapshot: for a store that has all of it at hand anyway."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from contracts.ids import ChapterId, CharacterId, Generation, SceneId, StorylineId, WorkId
from contracts.ordinals import Ordinal
from contracts.ports import ChapterScenes, TreeSnapshot
from contracts.story_graph import (
    NEWEST,
    SHORTEST_ID,
    Activity,
    Belonging,
    CastPlace,
    Member,
    PlacedScene,
    StoryPlace,
    Stretch,
    ThreadPlace,
    Together,
)
from contracts.tree import AliasRow, DescriptionRow, IdentityRow, StorylineKind, StorylineRow
from contracts.words import folded
from contracts.works import ChapterRecord
from graph.story_order import (
    NOWHERE,
    aliases_in_order,
    identities_in_order,
    last_versions,
    storylines_in_order,
)


@dataclass(frozen=True, slots=True)
class SnapshotGraph:
    """Implements `StoryGraph` on what a view reads: its chapters, scenes and snapshot."""

    work_id: WorkId
    generation: Generation
    as_of: Ordinal
    read_chapters: tuple[ChapterRecord, ...] = field(repr=False)
    read_scenes: tuple[ChapterScenes, ...] = field(repr=False)
    snapshot: TreeSnapshot = field(repr=False)

    # --- characters ---------------------------------------------------------------------------

    async def names(self, ids: Collection[CharacterId] | None = None) -> tuple[AliasRow, ...]:
        """See `StoryGraph.names`."""
        rows = self.snapshot.aliases
        return aliases_in_order(row for row in rows if ids is None or row.character in ids)

    async def called(self, name: str) -> tuple[AliasRow, ...]:
        """See `StoryGraph.called`."""
        wanted = folded(name)
        words = set(wanted.split())
        by_id = len(wanted) >= SHORTEST_ID
        return aliases_in_order(
            row
            for row in self.snapshot.aliases
            if words <= set(folded(row.alias).split())
            or (by_id and row.character.startswith(wanted))
        )

    async def cast(self, limit: int, after: CastPlace | None = None) -> tuple[Member, ...]:
        """See `StoryGraph.cast`."""
        everyone = sorted(_members(self.snapshot), key=lambda each: _turn(each.place))
        later = (each for each in everyone if after is None or _turn(each.place) > _turn(after))
        return tuple(later)[:limit]

    async def members(self, ids: Collection[CharacterId]) -> tuple[Member, ...]:
        """See `StoryGraph.members`."""
        found = (each for each in _members(self.snapshot) if each.id in ids)
        return tuple(sorted(found, key=lambda each: each.id))

    async def companions(self, ids: Collection[CharacterId]) -> tuple[Together, ...]:
        """See `StoryGraph.companions`."""
        counts: Counter[tuple[str, str]] = Counter()
        for present in _present(self.snapshot).values():
            counts.update((one, o) for one in present if one in ids for o in present if o != one)
        found = (
            Together(CharacterId(one), CharacterId(other), scenes)
            for (one, other), scenes in counts.items()
        )
        return tuple(sorted(found, key=lambda each: (each.one, -each.scenes, each.other)))

    async def identities(self, ids: Collection[CharacterId]) -> tuple[IdentityRow, ...]:
        """See `StoryGraph.identities`."""
        rows = self.snapshot.identities
        return identities_in_order(r for r in rows if r.character in ids or r.same_as in ids)

    async def revealed(self, ordinals: Collection[Ordinal]) -> tuple[IdentityRow, ...]:
        """See `StoryGraph.revealed`."""
        rows = self.snapshot.identities
        return identities_in_order(row for row in rows if row.from_ordinal in ordinals)

    async def first_seen(self, ordinals: Collection[Ordinal]) -> Mapping[CharacterId, SceneId]:
        """See `StoryGraph.first_seen`."""
        snapshot = self.snapshot
        since = {row.id: row.from_ordinal for row in snapshot.characters}
        present = _present(snapshot)
        found: dict[CharacterId, SceneId] = {}
        for placed in _placed(self.read_scenes):
            if placed.scene is None or placed.place.ordinal not in ordinals:
                continue
            for id_ in present.get(placed.scene.scene_id, ()):
                if since[id_] == placed.place.ordinal:
                    found.setdefault(CharacterId(id_), placed.scene.scene_id)
        return found

    # --- storylines ---------------------------------------------------------------------------

    async def threads(
        self, limit: int, after: ThreadPlace | None = None
    ) -> tuple[StorylineRow, ...]:
        """See `StoryGraph.threads`."""
        rows = (
            row
            for row in self.snapshot.storylines
            if row.kind is StorylineKind.THREAD
            and (after is None or ThreadPlace(row.from_ordinal, row.id) > after)
        )
        return storylines_in_order(rows)[:limit]

    async def storylines(self, prefix: str, limit: int) -> tuple[StorylineRow, ...]:
        """See `StoryGraph.storylines`."""
        rows = self.snapshot.storylines
        return storylines_in_order(row for row in rows if row.id.startswith(prefix))[:limit]

    async def descriptions(
        self, ids: Collection[StorylineId]
    ) -> Mapping[StorylineId, DescriptionRow]:
        """See `StoryGraph.descriptions`."""
        rows = self.snapshot.descriptions
        return last_versions(row for row in rows if row.storyline in ids)

    async def activity(self, ids: Collection[StorylineId]) -> Mapping[StorylineId, Activity]:
        """See `StoryGraph.activity`."""
        placed = tuple(_placed(self.read_scenes))
        return {each: _activity(self.snapshot, placed, each) for each in ids}

    # --- scenes -------------------------------------------------------------------------------

    async def newest_ordinals(self, limit: int) -> tuple[Ordinal, ...]:
        """See `StoryGraph.newest_ordinals`."""
        told = [each.story_place for each in self.read_chapters if each.passages]
        return tuple(sorted(told, reverse=True)[:limit])

    async def stretch(self, wanted: Stretch) -> tuple[PlacedScene, ...]:
        """See `StoryGraph.stretch`."""
        placed = _placed(self.read_scenes)
        if wanted.of_character is not None:
            placed = _of_character(self.snapshot, placed, wanted.of_character)
        elif wanted.of_thread is not None:
            placed = _of_thread(self.snapshot, placed, wanted.of_thread)
        after = wanted.after or NOWHERE
        return tuple(
            each
            for each in placed
            if each.place > after
            and (wanted.first is None or each.ordinal >= wanted.first)
            and (wanted.last is None or each.ordinal <= wanted.last)
        )[: wanted.limit]

    async def shared(
        self, one: CharacterId, other: CharacterId, limit: int
    ) -> tuple[PlacedScene, ...]:
        """See `StoryGraph.shared`."""
        snapshot = self.snapshot
        placed = _of_character(snapshot, _placed(self.read_scenes), one)
        return tuple(_of_character(snapshot, placed, other))[:limit]

    async def belonging(self, ids: Collection[SceneId]) -> Mapping[SceneId, Belonging]:
        """See `StoryGraph.belonging`."""
        snapshot = self.snapshot
        present = _present(snapshot)
        also: defaultdict[str, list[str]] = defaultdict(list)
        for row in snapshot.touches:
            also[row.scene].append(row.storyline)
        return {
            SceneId(row.scene): Belonging(
                characters=tuple(map(CharacterId, sorted(present.get(row.scene, ())))),
                thread=_thread(snapshot, row.storyline),
                also=tuple(map(StorylineId, sorted(also[row.scene]))),
            )
            for row in snapshot.homes
            if row.scene in ids
        }

    async def chapter_titles(self, ids: Collection[ChapterId]) -> Mapping[ChapterId, str]:
        """See `StoryGraph.chapter_titles`."""
        return {e.chapter_id: e.title for e in self.read_chapters if e.chapter_id in ids}


def _turn(place: CastPlace) -> tuple[int, int, str]:
    return -place.scenes, place.since, place.id


def _members(snapshot: TreeSnapshot) -> Iterator[Member]:
    seen: defaultdict[str, list[int]] = defaultdict(list)
    for row in snapshot.appearances:
        seen[row.character].append(row.from_ordinal)
    for character in snapshot.characters:
        ordinals = seen.get(character.id, [])
        yield Member(
            CharacterId(character.id),
            Ordinal(character.from_ordinal),
            len(ordinals),
            Ordinal(min(ordinals)) if ordinals else None,
            Ordinal(max(ordinals)) if ordinals else None,
        )


def _present(snapshot: TreeSnapshot) -> Mapping[str, list[str]]:
    present: defaultdict[str, list[str]] = defaultdict(list)
    for row in snapshot.appearances:
        present[row.scene].append(row.character)
    return present


def _placed(chapters: Iterable[ChapterScenes]) -> Iterator[PlacedScene]:
    """Yield the scenes in story order, and chapters without any."""
    for chapter in chapters:
        if not chapter.scenes:
            yield PlacedScene(StoryPlace(int(chapter.ordinal), chapter.chapter_id, -1), None)
        for nth, scene in enumerate(chapter.scenes):
            yield PlacedScene(StoryPlace(int(chapter.ordinal), chapter.chapter_id, nth), scene)


def _of_character(
    snapshot: TreeSnapshot, placed: Iterable[PlacedScene], character: CharacterId
) -> Iterator[PlacedScene]:
    there = {row.scene for row in snapshot.appearances if row.character == character}
    return (each for each in placed if each.scene and each.scene.scene_id in there)


def _of_thread(
    snapshot: TreeSnapshot, placed: Iterable[PlacedScene], thread: StorylineId
) -> Iterator[PlacedScene]:
    beneath = _beneath(snapshot, thread)
    home = {row.scene for row in snapshot.homes if row.storyline in beneath}
    touching = {row.scene for row in snapshot.touches if row.storyline == thread} - home
    for each in placed:
        if each.scene and each.scene.scene_id in home:
            yield each
        elif each.scene and each.scene.scene_id in touching:
            yield PlacedScene(each.place, each.scene, home=False)


def _beneath(snapshot: TreeSnapshot, storyline: str) -> frozenset[str]:
    children: defaultdict[str, list[str]] = defaultdict(list)
    for row in snapshot.children:
        children[row.parent].append(row.child)
    found, waiting = {storyline}, [storyline]
    while waiting:
        waiting += (below := children[waiting.pop()])
        found.update(below)
    return frozenset(found)


def _activity(
    snapshot: TreeSnapshot, placed: Collection[PlacedScene], storyline: StorylineId
) -> Activity:
    home = [each for each in _of_thread(snapshot, placed, storyline) if each.home]
    touches = {row.scene for row in snapshot.touches if row.storyline == storyline}
    touching = [each for each in placed if each.scene and each.scene.scene_id in touches]
    return Activity(
        scenes=len(home),
        touching=len(touching),
        last=home[-1].ordinal if home else None,
        last_touched=touching[-1].ordinal if touching else None,
        newest=tuple(each.scene for each in home[-NEWEST:] if each.scene),
    )


def _thread(snapshot: TreeSnapshot, storyline: str) -> StorylineId:
    """Return the thread that the storyline is or lies in."""
    parents = {row.child: row.parent for row in snapshot.children}
    kinds = {row.id: row.kind for row in snapshot.storylines}
    path = [storyline]
    while path[-1] in parents:
        path.append(parents[path[-1]])
    threads = [each for each in path if kinds[each] is StorylineKind.THREAD]
    return StorylineId(threads[-1] if threads else storyline)
