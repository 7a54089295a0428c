"""The story's graph as of an ordinal, asked over Bolt: indexed statements, nothing cut out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from neo4j import AsyncTransaction

from contracts.ids import ChapterId, CharacterId, Generation, SceneId, StorylineId, WorkId
from contracts.ordinals import Ordinal
from contracts.story_graph import (
    NEWEST,
    SHORTEST_ID,
    Activity,
    Belonging,
    CastPlace,
    Member,
    PlacedScene,
    Stretch,
    ThreadPlace,
    Together,
)
from contracts.tree import (
    AliasRow,
    DescriptionRow,
    IdentityRow,
    StorylineKind,
    StorylineRow,
)
from contracts.words import folded
from graph.bolt import story_statements as statements
from graph.bolt.keys import chapter_key, node_key, work_key
from graph.bolt.reading import chapter_of, scene_of
from graph.bolt.rows import Columns
from graph.bolt.story_decoding import (
    Hidden,
    activity_of,
    alias_of,
    by_scene,
    description_of,
    identity_of,
    member_of,
    placed_of,
    plain,
    storyline_of,
)
from graph.bolt.transactions import rows_of
from graph.story_order import (
    NOWHERE,
    aliases_in_order,
    identities_in_order,
    last_versions,
    storylines_in_order,
)

_ABOVE_ALL: Final = CastPlace(2**53, -1, "")
_NO_ID: Final = "-"  # no id begins so
_BEFORE_ALL: Final = ThreadPlace(-1, "")


@dataclass(frozen=True, slots=True)
class BoltStoryGraph:
    """Implements `StoryGraph` in one transaction, which says before it what is hidden."""

    work_id: WorkId
    generation: Generation
    as_of: Ordinal
    _transaction: AsyncTransaction = field(repr=False)
    _hidden: Hidden = field(repr=False)

    # --- characters ---------------------------------------------------------------------------

    async def names(self, ids: Collection[CharacterId] | None = None) -> tuple[AliasRow, ...]:
        """Return names of characters (see `StoryGraph.names`)."""
        if ids is None:
            found = await self._told(statements.NAMES)
        else:
            found = await self._told(statements.NAMES_OF, keys=self._node_keys(ids))
        return aliases_in_order(map(alias_of, found))

    async def called(self, name: str) -> tuple[AliasRow, ...]:
        """Return the names of whom `name` may mean (see `StoryGraph.called`)."""
        wanted = folded(name)
        prefix = wanted if len(wanted) >= SHORTEST_ID else _NO_ID
        found = await self._told(statements.CALLED, prefix=prefix, words=wanted.split())
        return aliases_in_order(map(alias_of, found))

    async def cast(self, limit: int, after: CastPlace | None = None) -> tuple[Member, ...]:
        """Return a page of the characters (see `StoryGraph.cast`)."""
        place = after or _ABOVE_ALL
        found = await self._told(
            statements.CAST, limit=limit, scenes=place.scenes, since=place.since, id=place.id
        )
        return tuple(map(member_of, found))

    async def members(self, ids: Collection[CharacterId]) -> tuple[Member, ...]:
        """Return characters by id (see `StoryGraph.members`)."""
        found = await self._told(statements.MEMBERS, keys=self._node_keys(ids))
        return tuple(map(member_of, found))

    async def companions(self, ids: Collection[CharacterId]) -> tuple[Together, ...]:
        """Return with whom they are in scenes (see `StoryGraph.companions`)."""
        found = await self._told(statements.COMPANIONS, keys=self._node_keys(ids))
        return tuple(Together(each["one"], each["other"], each["scenes"]) for each in found)

    async def identities(self, ids: Collection[CharacterId]) -> tuple[IdentityRow, ...]:
        """Return the identities that they have a part in (see `StoryGraph.identities`)."""
        keys = self._node_keys(ids)
        found = [
            each
            for statement in statements.IDENTITIES
            for each in await self._told(statement, keys=keys)
        ]
        return identities_in_order(map(identity_of, found))

    async def revealed(self, ordinals: Collection[Ordinal]) -> tuple[IdentityRow, ...]:
        """Return the identities that these chapters reveal (see `StoryGraph.revealed`)."""
        found = await self._told(statements.REVEALED, ordinals=plain(ordinals))
        return identities_in_order(map(identity_of, found))

    async def first_seen(self, ordinals: Collection[Ordinal]) -> Mapping[CharacterId, SceneId]:
        """Return whom these chapters introduce, and where (see `StoryGraph.first_seen`)."""
        found = await self._told(statements.FIRST_SEEN, ordinals=plain(ordinals))
        return {CharacterId(each["id"]): SceneId(each["scene"]) for each in found}

    # --- storylines ---------------------------------------------------------------------------

    async def threads(
        self, limit: int, after: ThreadPlace | None = None
    ) -> tuple[StorylineRow, ...]:
        """Return a page of the threads (see `StoryGraph.threads`)."""
        place = after or _BEFORE_ALL
        found = await self._told(statements.THREADS, limit=limit, since=place.since, id=place.id)
        return tuple(map(storyline_of, found))

    async def storylines(self, prefix: str, limit: int) -> tuple[StorylineRow, ...]:
        """Return storylines by the beginning of their id (see `StoryGraph.storylines`)."""
        found = await self._told(statements.STORYLINES, prefix=prefix, limit=limit)
        return storylines_in_order(map(storyline_of, found))

    async def descriptions(
        self, ids: Collection[StorylineId]
    ) -> Mapping[StorylineId, DescriptionRow]:
        """Return the last versions (see `StoryGraph.descriptions`)."""
        found = await self._told(statements.DESCRIPTIONS, keys=self._node_keys(ids))
        rows = map(description_of, found)
        return last_versions(row for row in rows if self._hidden.scenes.isdisjoint(row.inputs))

    async def activity(self, ids: Collection[StorylineId]) -> Mapping[StorylineId, Activity]:
        """Return what lies in storylines (see `StoryGraph.activity`)."""
        beneath = self._pairs(await self._beneath(ids))
        home = await self._told(statements.AT_HOME, pairs=beneath, newest=NEWEST)
        alone = self._pairs({each: (each,) for each in ids})
        touching = await self._told(statements.TOUCHING, pairs=alone)
        newest = self._node_keys([id_ for each in home for id_ in each["newest"]])
        records = await self._told(statements.RECORDS, keys=newest)
        scenes = {str(each["id"]): scene_of(each) for each in records}
        at_home = {each["above"]: each for each in home}
        touched = {each["above"]: each for each in touching}
        return {each: activity_of(at_home.get(each), touched.get(each), scenes) for each in ids}

    # --- scenes -------------------------------------------------------------------------------

    async def newest_ordinals(self, limit: int) -> tuple[Ordinal, ...]:
        """Return where the last chapters stand (see `StoryGraph.newest_ordinals`)."""
        found = await self._told(statements.NEWEST_ORDINALS, limit=limit)
        return tuple(Ordinal(each["place"]) for each in found)

    async def stretch(self, wanted: Stretch) -> tuple[PlacedScene, ...]:
        """Return scenes in story order (see `StoryGraph.stretch`)."""
        range_ = self._range(wanted)
        if wanted.of_character is not None:
            of = node_key(self.generation, wanted.of_character)
            found = await self._told(statements.SCENES_OF_CHARACTER, of=of, **range_)
            return tuple(map(placed_of, found))
        if wanted.of_thread is not None:
            return await self._stretch_of_thread(wanted.of_thread, wanted.limit, range_)
        # The first of the chapters may be listed already, to its end.
        found = await self._told(statements.ALL_SCENES, chapters=wanted.limit + 1, **range_)
        return tuple(map(placed_of, found))

    async def shared(
        self, one: CharacterId, other: CharacterId, limit: int
    ) -> tuple[PlacedScene, ...]:
        """Return scenes in which both are (see `StoryGraph.shared`)."""
        first, second = self._node_keys([one]), self._node_keys([other])
        found = await self._told(statements.SHARED, one=first[0], other=second[0], limit=limit)
        return tuple(map(placed_of, found))

    async def belonging(self, ids: Collection[SceneId]) -> Mapping[SceneId, Belonging]:
        """Return who is in scenes, and where they belong (see `StoryGraph.belonging`)."""
        keys = self._node_keys(ids)
        present = by_scene(await self._told(statements.PRESENT, keys=keys))
        homes = {each["scene"]: each for each in await self._told(statements.HOMES, keys=keys)}
        also = by_scene(await self._told(statements.ALSO, keys=keys))
        arcs = [each["id"] for each in homes.values() if each["kind"] != StorylineKind.THREAD]
        above = await self._told(statements.ABOVE, keys=self._node_keys(arcs))
        thread = {each["storyline"]: each["id"] for each in above}
        return {
            SceneId(scene): Belonging(
                characters=tuple(map(CharacterId, present.get(scene, ()))),
                thread=StorylineId(thread.get(str(home["id"]), str(home["id"]))),
                also=tuple(map(StorylineId, also.get(scene, ()))),
            )
            for scene, home in homes.items()
        }

    async def chapter_titles(self, ids: Collection[ChapterId]) -> Mapping[ChapterId, str]:
        """Return the titles of chapters (see `StoryGraph.chapter_titles`)."""
        keys = [chapter_key(self.generation, self.work_id, each) for each in sorted(set(ids))]
        chapters = map(chapter_of, await self._told(statements.TITLES, keys=keys))
        return {chapter.chapter_id: chapter.title for chapter in chapters}

    # --- how ----------------------------------------------------------------------------------

    async def _told(self, statement: str, **parameters: object) -> Sequence[Columns]:
        """Run a statement, which is given the work and the as-of, and told what is hidden."""
        return await rows_of(
            self._transaction,
            statement,
            work=work_key(self.generation, self.work_id),
            as_of=int(self.as_of),
            **self._hidden.parameters,
            **parameters,
        )

    async def _beneath(
        self, ids: Collection[StorylineId]
    ) -> Mapping[StorylineId, tuple[StorylineId, ...]]:
        """Return each of the storylines with all that lie beneath, itself included."""
        found = await self._told(statements.BENEATH, keys=self._node_keys(ids))
        beneath = {each: [each] for each in ids}
        for each in found:
            beneath[each["above"]].append(each["id"])
        return {each: tuple(inner) for each, inner in beneath.items()}

    async def _stretch_of_thread(
        self, thread: StorylineId, limit: int, range_: Mapping[str, object]
    ) -> tuple[PlacedScene, ...]:
        keys = self._node_keys((await self._beneath([thread]))[thread])
        home = await self._told(statements.SCENES_BENEATH, keys=keys, **range_)
        of = node_key(self.generation, thread)
        touching = await self._told(statements.SCENES_TOUCHING, of=of, **range_)
        found = {each.place: each for each in (placed_of(row, home=False) for row in touching)}
        found |= {each.place: each for each in map(placed_of, home)}
        return tuple(found[place] for place in sorted(found)[:limit])

    def _range(self, wanted: Stretch) -> dict[str, object]:
        place = wanted.after or NOWHERE
        return {
            "first": max(int(wanted.first or 0), place.ordinal),
            "last": min(int(self.as_of), int(self.as_of if wanted.last is None else wanted.last)),
            "place": place.ordinal,
            "chapter": place.chapter_id,
            "nth": place.nth,
            "limit": wanted.limit,
        }

    def _node_keys(self, ids: Collection[str]) -> list[str]:
        return [node_key(self.generation, each) for each in sorted(set(ids))]

    def _pairs(self, of: Mapping[StorylineId, tuple[StorylineId, ...]]) -> list[dict[str, str]]:
        return [
            {"above": above, "key": node_key(self.generation, each)}
            for above, inner in of.items()
            for each in inner
        ]
