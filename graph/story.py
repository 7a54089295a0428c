"""The story that a tree is folded from, as values, and where two stories part and meet; pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from contracts.ids import ChapterId
from contracts.works import ChapterRecord, WorkRecord


class Told(NamedTuple):
    """A chapter as the fold is told of it; compares in story order.

    The rows and scenes of an event never change: where it was `written` says what its text is.
    """

    ordinal: int
    chapter_id: ChapterId
    written: int
    content_hash: str
    language: str


Story = Sequence[Told]
"""Chapters in story order, of each work one for each chapter."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How many chapters two stories share before they part, and how many after they meet again.

    No chapter is counted twice.
    """

    kept: int
    same: int


def told(chapter: ChapterRecord) -> Told:
    """Return a chapter that is in the story as the fold is told of it."""
    return Told(
        int(chapter.story_place),
        chapter.chapter_id,
        chapter.row_position,
        chapter.content_hash,
        chapter.language,
    )


def story_of(work: WorkRecord) -> Story:
    """Return the story of a work."""
    return tuple(sorted(told(chapter) for chapter in work.chapters if chapter.in_story))


def retold(
    story: Story, chapters: Sequence[ChapterRecord], left: Collection[ChapterRecord] = ()
) -> Story:
    """Return the story with `chapters` as they are now, and without those that are `left`."""
    otherwise = {chapter.chapter_id for chapter in (*chapters, *left)}
    if not otherwise:
        return story
    stay = [each for each in story if each.chapter_id not in otherwise]
    stay += [told(chapter) for chapter in chapters if chapter.in_story]
    return tuple(sorted(stay))  # nearly sorted already: one pass


def difference(old: Story, new: Story) -> Difference:
    """Compare two stories."""
    most = min(len(old), len(new))
    kept = 0
    while kept < most and old[kept] == new[kept]:
        kept += 1
    same = 0
    while same < most - kept and old[-same - 1] == new[-same - 1]:
        same += 1
    return Difference(kept, same)
