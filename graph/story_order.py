"""In which order a story's graph is told, the same in every store; pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from contracts.ids import StorylineId
from contracts.story_graph import StoryPlace
from contracts.tree import AliasRow, DescriptionRow, IdentityRow, StorylineRow

NOWHERE: Final = StoryPlace(-1, "", -2)
"""A place before every scene, and before every chapter that has none."""


def aliases_in_order(rows: Iterable[AliasRow]) -> tuple[AliasRow, ...]:
    """Order names by character, then by when they were first used."""
    return tuple(sorted(rows, key=lambda row: (row.character, row.from_ordinal, row.alias)))


def identities_in_order(rows: Iterable[IdentityRow]) -> tuple[IdentityRow, ...]:
    """Order identities by when they are revealed; each comes once."""
    found = {(row.from_ordinal, row.character, row.same_as): row for row in rows}
    return tuple(found[place] for place in sorted(found))


def storylines_in_order(rows: Iterable[StorylineRow]) -> tuple[StorylineRow, ...]:
    """Order storylines by age."""
    return tuple(sorted(rows, key=lambda row: (row.from_ordinal, row.id)))


def last_versions(rows: Iterable[DescriptionRow]) -> Mapping[StorylineId, DescriptionRow]:
    """Keep each storyline's last version; of a tie, the later chapter's."""
    versions = sorted(rows, key=lambda row: (row.storyline, row.from_ordinal, row.chapter_id))
    return {StorylineId(version.storyline): version for version in versions}
