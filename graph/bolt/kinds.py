"""How the tree's rows lie in the graph: which are nodes, which are relationships, between what.

A label and a relationship type never share a name: ArcadeDB keeps both in one name space.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

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


@dataclass(frozen=True, slots=True)
class End:
    """A node that a row refers to: its label, and the row's field that holds its id."""

    label: str
    field: str


@dataclass(frozen=True, slots=True)
class Link:
    """The relationship that ties a node row to the node it belongs to."""

    type: str
    end: End


@dataclass(frozen=True, slots=True)
class NodeKind:
    """A row kept as a node. Without a `link` other rows refer to it, by the row's `id`."""

    row: type[TreeRow]
    label: str
    fields: tuple[str, ...]
    link: Link | None = None


@dataclass(frozen=True, slots=True)
class EdgeKind:
    """A row kept as a relationship from `source` to `target`; `fields` are its properties.

    It is looked for at its source, or `at_target` where a source has more and more of them: a
    server goes through them one by one.
    """

    row: type[TreeRow]
    type: str
    source: End
    target: End
    fields: tuple[str, ...]
    at_target: bool = False


SCENE: Final = "Scene"
STORYLINE: Final = "Storyline"
CHARACTER: Final = "Character"

NODE_KINDS: Final = (
    NodeKind(StorylineRow, STORYLINE, ("id", "kind", "from_ordinal")),
    NodeKind(CharacterRow, CHARACTER, ("id", "from_ordinal")),
    NodeKind(
        DescriptionRow,
        "Description",
        ("storyline", "from_ordinal", "chapter_id", "title", "synopsis", "inputs"),
        Link("DESCRIBES", End(STORYLINE, "storyline")),
    ),
    NodeKind(
        AliasRow,
        "Alias",
        ("character", "alias", "from_ordinal"),
        Link("NAMES", End(CHARACTER, "character")),
    ),
)
EDGE_KINDS: Final = (
    EdgeKind(
        ChildRow,
        "CHILD_OF",
        End(STORYLINE, "child"),
        End(STORYLINE, "parent"),
        ("from_ordinal", "until_ordinal"),
    ),
    EdgeKind(
        HomeRow,
        "HOME",
        End(SCENE, "scene"),
        End(STORYLINE, "storyline"),
        ("from_ordinal", "until_ordinal"),
    ),
    EdgeKind(
        TouchRow, "TOUCHES", End(SCENE, "scene"), End(STORYLINE, "storyline"), ("from_ordinal",)
    ),
    EdgeKind(
        IdentityRow,
        "IS",
        End(CHARACTER, "character"),
        End(CHARACTER, "same_as"),
        ("from_ordinal",),
    ),
    EdgeKind(
        AppearanceRow,
        "APPEARS_IN",
        End(CHARACTER, "character"),
        End(SCENE, "scene"),
        ("count", "from_ordinal"),
        at_target=True,
    ),
)
