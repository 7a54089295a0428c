"""Whether two trees are the same, and where not."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from contracts.frozen import Frozen
from contracts.ids import WorkId
from contracts.ordinals import Ordinal


class ComparedTree(Frozen):
    """One of two trees that are compared, and how much it holds."""

    work_id: WorkId
    generation: str
    as_of: Ordinal
    chapters: int
    scenes: int
    storylines: int
    characters: int


class Part(StrEnum):
    """A sort of things that a tree holds."""

    CHAPTER = "chapter"
    SCENE = "scene"
    STORYLINE = "storyline"
    CHARACTER = "character"


class Difference(Frozen):
    """A thing that only tree `only` holds, or whose `field` is `a` in one and `b` in the other.

    `id` is its id, or where two works are compared its place; `name` is its title or name;
    `ordinal` is where in the story it stands or begins. Values are told in short, texts by length.
    """

    part: Part
    id: str
    name: str
    ordinal: Ordinal | None
    only: Literal["a", "b"] | None = None
    field: str | None = None
    a: str | None = None
    b: str | None = None


class CompareReport(Frozen):
    """Whether two trees are the same, and if not in what they differ, part by part.

    Things are matched by id within a work (`by` is `id`), and by their place in the story
    between two works (`place`). A chapter that only one holds stands for its scenes.
    """

    a: ComparedTree
    b: ComparedTree
    by: Literal["id", "place"]
    same: bool
    differences: tuple[Difference, ...]
