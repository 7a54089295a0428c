"""What holds of a commit in every store: what it must name, and what its rows refer to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from contracts.errors import PermanentError
from contracts.ids import Generation
from contracts.tree import (
    AliasRow,
    AppearanceRow,
    CharacterRow,
    ChildRow,
    DescriptionRow,
    HomeRow,
    IdentityRow,
    StorylineRow,
    TouchRow,
    TreeRow,
)
from contracts.works import Commit
from graph import vector_rules

NodeKind = Literal["scene", "storyline", "character"]
Reference = tuple[NodeKind, str]
_NAMELESS: Final = "an id is empty"


def check(commit: Commit) -> None:
    """Refuse a commit that no store should write.

    Raises:
        PermanentError: an id is empty (a store would take that for "no such thing"), or the
            numbers of the commit do not follow each other.
    """
    work = commit.work
    vector_rules.check_generation(work.generation)
    if not _follows(commit):
        raise PermanentError(
            f"work {work.work_id!r}: commit {work.commit_seq} cannot follow {commit.expected_seq}"
        )
    if not all(_ids(commit)):
        raise PermanentError(f"work {work.work_id!r}: {_NAMELESS}")


def check_erasable(generation: Generation, live: Generation) -> None:
    """Refuse to erase what readers see.

    Raises:
        PermanentError: `generation` is the live one.
    """
    if generation == live:
        raise PermanentError(f"{generation} is the live generation: nothing of it is erased")


def _follows(commit: Commit) -> bool:
    if commit.restores:
        return commit.expected_seq == 0 and commit.work.commit_seq > 0
    return commit.work.commit_seq == commit.expected_seq + 1


def references(row: TreeRow) -> tuple[Reference, ...]:
    """Return the nodes that must be there for `row` to be written."""
    match row:
        case StorylineRow() | CharacterRow():
            return ()
        case ChildRow():
            return (("storyline", row.child), ("storyline", row.parent))
        case HomeRow() | TouchRow():
            return (("scene", row.scene), ("storyline", row.storyline))
        case DescriptionRow():
            return (("storyline", row.storyline),)
        case _:
            return _of_a_character(row)


def _of_a_character(row: AliasRow | IdentityRow | AppearanceRow) -> tuple[Reference, ...]:
    match row:
        case AliasRow():
            return (("character", row.character),)
        case IdentityRow():
            return (("character", row.character), ("character", row.same_as))
        case AppearanceRow():
            return (("character", row.character), ("scene", row.scene))


def _ids(commit: Commit) -> Iterator[str]:
    yield commit.work.work_id
    for chapter in commit.chapters_put:
        yield chapter.chapter_id
    for content in commit.contents_put:
        yield content.chapter_id
        yield from (inputs.scene.scene_id for inputs in content.scenes)
    for record in commit.records_put:
        yield record.chapter_id
    for checkpoint in commit.checkpoints_put:
        yield checkpoint.chapter_id
    for key, row in commit.rows.puts.items():
        yield key
        yield from (id_ for _, id_ in references(row))
        if isinstance(row, StorylineRow | CharacterRow):
            yield row.id
