"""The storyline tree as values: a graft's operations, and the rows that stores keep.

Validity is in story time: `from_ordinal` is when a fact begins to hold, `until_ordinal` when it
ends (null while it holds); the interval is `[from, until)` and empty ones are never stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Final, Literal

from pydantic import Field, TypeAdapter

from contracts.advice import Advice, Advised
from contracts.frozen import Frozen
from contracts.ids import ChapterId, CharacterId, SceneId, StorylineId
from contracts.ordinals import Ordinal
from contracts.scenes import Scene

CAPACITY: Final = 12
"""Most children of a storyline."""

WINDOW: Final = 12
"""How many of its last scenes a storyline or a character remembers."""


class StorylineKind(StrEnum):
    """`thread` opened as a plot thread; `arc` part of one, by split; `group` above threads.

    The root is a `group`.
    """

    THREAD = "thread"
    ARC = "arc"
    GROUP = "group"


# --- operations: what one chapter did to the tree ---------------------------------------------


class OpenStoryline(Frozen):
    """A storyline begins under `parent` (null for the root)."""

    op: Literal["open_storyline"] = "open_storyline"
    storyline: StorylineId
    kind: StorylineKind
    parent: StorylineId | None


class AttachScene(Frozen):
    """A scene finds its one home."""

    op: Literal["attach_scene"] = "attach_scene"
    scene: SceneId
    storyline: StorylineId


class TouchStoryline(Frozen):
    """A scene also belongs, less, to another thread."""

    op: Literal["touch_storyline"] = "touch_storyline"
    scene: SceneId
    storyline: StorylineId


class MoveStoryline(Frozen):
    """A split moves a storyline from one parent, where it was since `since`, to another."""

    op: Literal["move_storyline"] = "move_storyline"
    storyline: StorylineId
    source: StorylineId
    target: StorylineId
    since: Ordinal


class MoveScene(Frozen):
    """A split moves a scene's home, where it was since `since`, to another storyline."""

    op: Literal["move_scene"] = "move_scene"
    scene: SceneId
    source: StorylineId
    target: StorylineId
    since: Ordinal


class Describe(Frozen):
    """A new version of a storyline's title and synopsis, made from `inputs` (live scenes)."""

    op: Literal["describe"] = "describe"
    storyline: StorylineId
    title: str
    synopsis: str
    inputs: tuple[SceneId, ...]


class IntroduceCharacter(Frozen):
    """A person appears for the first time, under `name`."""

    op: Literal["introduce_character"] = "introduce_character"
    character: CharacterId
    name: str


class LinkAlias(Frozen):
    """A character is called by a further name from this chapter on."""

    op: Literal["link_alias"] = "link_alias"
    character: CharacterId
    alias: str


class LinkIdentity(Frozen):
    """The chapter reveals that two lasting characters are one; both ids stay."""

    op: Literal["link_identity"] = "link_identity"
    character: CharacterId
    same_as: CharacterId


class Appear(Frozen):
    """A character appears in a scene, named `count` times."""

    op: Literal["appear"] = "appear"
    character: CharacterId
    scene: SceneId
    count: int


Operation = Annotated[
    OpenStoryline
    | AttachScene
    | TouchStoryline
    | MoveStoryline
    | MoveScene
    | Describe
    | IntroduceCharacter
    | LinkAlias
    | LinkIdentity
    | Appear,
    Field(discriminator="op"),
]


class GraftRecord(Frozen):
    """What one chapter did to the tree, and a digest of what later decisions read after it.

    `advice` is what an adviser said where the scores were undecided, `tokens` what a model read
    and wrote for it.
    """

    chapter_id: ChapterId
    ordinal: Ordinal
    operations: tuple[Operation, ...]
    digest: str
    advice: Advice | None = None
    tokens: int = 0

    @property
    def advised(self) -> Advised:
        """What the graft was told, so that telling it again gives this record."""
        return Advised(self.advice, input_tokens=self.tokens)


graft_record: Final[TypeAdapter[GraftRecord]] = TypeAdapter(GraftRecord)


# --- inputs of the fold -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SceneInputs:
    """All that the fold reads of a scene: int16 vector (`contracts.vectors.Dense`) and fields."""

    scene: Scene
    dense: bytes


@dataclass(frozen=True, slots=True)
class ChapterInputs:
    """A surviving chapter as the fold reads it, scenes in the order of the text."""

    chapter_id: ChapterId
    ordinal: Ordinal
    language: str
    scenes: tuple[SceneInputs, ...]


# --- rows: what a store keeps of the tree -----------------------------------------------------


@dataclass(frozen=True, slots=True)
class StorylineRow:
    """A storyline, from the chapter that opened it."""

    id: str
    kind: StorylineKind
    from_ordinal: int


@dataclass(frozen=True, slots=True)
class ChildRow:
    """`child` (a storyline) lies under `parent`."""

    child: str
    parent: str
    from_ordinal: int
    until_ordinal: int | None


@dataclass(frozen=True, slots=True)
class HomeRow:
    """The one home edge of `scene` while it holds."""

    scene: str
    storyline: str
    from_ordinal: int
    until_ordinal: int | None


@dataclass(frozen=True, slots=True)
class TouchRow:
    """`scene` also touches `storyline`."""

    scene: str
    storyline: str
    from_ordinal: int


@dataclass(frozen=True, slots=True)
class DescriptionRow:
    """A version of a storyline's title and synopsis, valid from an ordinal to the next one's.

    `chapter_id` made it; of two versions at one ordinal the one of the later chapter counts.
    """

    storyline: str
    from_ordinal: int
    chapter_id: str
    title: str
    synopsis: str
    inputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CharacterRow:
    """A character, from the chapter that introduced it."""

    id: str
    from_ordinal: int


@dataclass(frozen=True, slots=True)
class AliasRow:
    """A name of a character, from the chapter that first uses or reveals it."""

    character: str
    alias: str
    from_ordinal: int


@dataclass(frozen=True, slots=True)
class IdentityRow:
    """`character` is `same_as`, for who has read the chapter at `from_ordinal`."""

    character: str
    same_as: str
    from_ordinal: int


@dataclass(frozen=True, slots=True)
class AppearanceRow:
    """`character` is named `count` times in `scene`."""

    character: str
    scene: str
    count: int
    from_ordinal: int


TreeRow = (
    StorylineRow
    | ChildRow
    | HomeRow
    | TouchRow
    | DescriptionRow
    | CharacterRow
    | AliasRow
    | IdentityRow
    | AppearanceRow
)
"""Rows are keyed by their identifying fields: see `graph.projection.key_of`."""


@dataclass(frozen=True, slots=True)
class RowChanges:
    """Rows to write (whole) and keys of rows to delete; no key is in both."""

    puts: Mapping[str, TreeRow] = field(default_factory=dict)
    deletes: Mapping[str, TreeRow] = field(default_factory=dict)
