"""Records of the statements on a story's graph as values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from contracts.ids import CharacterId
from contracts.ordinals import Ordinal
from contracts.scenes import Scene
from contracts.story_graph import Activity, Member, PlacedScene, StoryPlace
from contracts.tree import AliasRow, DescriptionRow, IdentityRow, StorylineKind, StorylineRow
from graph.bolt.reading import scene_of
from graph.bolt.rows import Columns


@dataclass(frozen=True, slots=True)
class Hidden:
    """Chapters that are not live: their ids and ordinals where they are folded, their scenes."""

    ids: frozenset[str]
    ordinals: frozenset[int]
    scenes: frozenset[str]

    @property
    def parameters(self) -> Mapping[str, list[str] | list[int]]:
        """What statements are told of them."""
        return {
            "absent_ids": sorted(self.ids),
            "absent": sorted(self.ordinals),
            "hidden": sorted(self.scenes),
        }


def hidden_of(found: Collection[Columns]) -> Hidden:
    """Return what the statement `HIDDEN` has found."""
    folded = [each for each in found if each["ordinal"] is not None]
    return Hidden(
        ids=frozenset(str(each["chapter_id"]) for each in folded),
        ordinals=frozenset(int(each["ordinal"]) for each in folded),
        scenes=frozenset(str(each["scene"]) for each in found if each["scene"] is not None),
    )


def plain(ordinals: Collection[Ordinal]) -> list[int]:
    """Return ordinals as plain numbers, each once."""
    return sorted({int(each) for each in ordinals})


def member_of(columns: Columns) -> Member:
    """Return the character that a record holds."""
    first, last = columns["first"], columns["last"]
    return Member(
        CharacterId(columns["id"]),
        Ordinal(columns["since"]),
        columns["scenes"],
        None if first is None else Ordinal(first),
        None if last is None else Ordinal(last),
    )


def alias_of(columns: Columns) -> AliasRow:
    """Return the name that a record holds."""
    return AliasRow(columns["character"], columns["alias"], columns["from_ordinal"])


def identity_of(columns: Columns) -> IdentityRow:
    """Return the identity that a record holds."""
    return IdentityRow(columns["character"], columns["same_as"], columns["from_ordinal"])


def storyline_of(columns: Columns) -> StorylineRow:
    """Return the storyline that a record holds."""
    return StorylineRow(columns["id"], StorylineKind(columns["kind"]), columns["from_ordinal"])


def description_of(columns: Columns) -> DescriptionRow:
    """Return the description that a record holds."""
    return DescriptionRow(
        columns["storyline"],
        columns["from_ordinal"],
        columns["chapter_id"],
        columns["title"],
        columns["synopsis"],
        tuple(columns["inputs"]),
    )


def activity_of(
    home: Columns | None, touching: Columns | None, scenes: Mapping[str, Scene]
) -> Activity:
    """Return what lies in a storyline, from what was counted at home and touching it."""
    return Activity(
        scenes=home["scenes"] if home else 0,
        touching=touching["scenes"] if touching else 0,
        last=Ordinal(home["last"]) if home else None,
        last_touched=Ordinal(touching["last"]) if touching else None,
        newest=tuple(scenes[id_] for id_ in reversed(home["newest"])) if home else (),
    )


def placed_of(columns: Columns, *, home: bool = True) -> PlacedScene:
    """Return the scene that a record holds, or the chapter without one."""
    place = StoryPlace(columns["place"], columns["chapter_id"], columns["nth"])
    return PlacedScene(place, scene_of(columns) if columns["record"] else None, home)


def by_scene(found: Collection[Columns]) -> Mapping[str, list[str]]:
    """Return the ids that records hold, by scene, in their order."""
    groups: dict[str, list[str]] = {}
    for each in found:
        groups.setdefault(each["scene"], []).append(each["id"])
    return groups
