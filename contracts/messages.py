"""What travels between the stages: `scenes`, `embedded` and `grafts`.

Every message carries its event's identity, revision and position. An event without text passes
through every stage unchanged, so that the order of a work's events is kept.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Final, Literal, Self

from pydantic import Field, TypeAdapter

from contracts.events import SCHEMA_VERSION, ChapterPublished, Format, TextlessEvent
from contracts.frozen import Frozen, Span
from contracts.ids import ChapterId, WorkId, content_hash
from contracts.ordinals import Ordinal
from contracts.scenes import Dropped, Paratext, Repairs, Scene, Warned


class ChapterHead(Frozen):
    """A published chapter without its body. `position` is its place in the `chapters` log."""

    work_id: WorkId
    chapter_id: ChapterId
    ordinal: Ordinal
    revision: int | None = None
    position: int
    title: str
    format: Format
    content_hash: str
    published_at: datetime | None = None

    @classmethod
    def of(cls, event: ChapterPublished, position: int) -> Self:
        """Return the head of the publication `event` at `position`."""
        return cls(
            work_id=event.work_id,
            chapter_id=event.chapter_id,
            ordinal=event.ordinal,
            revision=event.revision,
            position=position,
            title=event.title,
            format=event.format,
            content_hash=content_hash(event.format, event.language, event.title, event.body),
            published_at=event.published_at,
        )


class ChapterSegmented(Frozen):
    """A chapter cut into scenes.

    `text` is what every span counts in; `sentences[0]` is number 1. From `segmenter` on it says
    where the scenes come from (`contracts.scenes.Segmentation`).
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    kind: Literal["chapter.segmented"] = "chapter.segmented"
    head: ChapterHead
    language: str
    text: str
    sentences: tuple[Span, ...]
    scenes: tuple[Scene, ...]
    paratext: tuple[Paratext, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    warnings: tuple[Warned, ...] = ()
    segmenter: str
    repairs: Repairs = Repairs()
    calls: int = 0
    tokens: int = 0
    model: str = ""
    server: str = ""


class EventPassed(Frozen):
    """An event without text on its way through the stages."""

    schema_version: Literal[1] = SCHEMA_VERSION
    kind: Literal["event.passed"] = "event.passed"
    position: int
    event: TextlessEvent


class ChapterEmbedded(Frozen):
    """A segmented chapter whose rows are in the vector store.

    `items` are the ids of its scene rows and passage rows; with generation and position they
    make the row keys. `term_counts` says in how many of its passages each term stands.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    kind: Literal["chapter.embedded"] = "chapter.embedded"
    segmented: ChapterSegmented
    items: tuple[str, ...]
    passages: int
    term_counts: dict[str, int]


class Outcome(StrEnum):
    """What an event did."""

    INDEXED = "indexed"
    EDITED = "edited"
    UNCHANGED = "unchanged"
    STALE = "stale"
    MOVED = "moved"
    WAITING = "waiting"
    WITHDRAWN = "withdrawn"
    REORDERED = "reordered"
    DESCRIBED = "described"
    WORK_WITHDRAWN = "work_withdrawn"
    PURGED = "purged"


class ChapterGrafted(Frozen):
    """What one event did to the tree; no text. `commit_seq` numbers the work's commits.

    With the chapter's last message in a batch stand what a model read and wrote to place its
    scenes (`placement_tokens`), and with the batch's last one how many chapters were folded again
    and how often a model was called (`model_calls`).
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    kind: Literal["chapter.grafted"] = "chapter.grafted"
    work_id: WorkId
    chapter_id: ChapterId | None = None
    position: int
    outcome: Outcome
    commit_seq: int
    scenes: int = 0
    storylines_opened: int = 0
    scenes_moved: int = 0
    refolded_chapters: int = 0
    placement_tokens: int = 0
    model_calls: int = 0


ScenesMessage = Annotated[ChapterSegmented | EventPassed, Field(discriminator="kind")]
EmbeddedMessage = Annotated[ChapterEmbedded | EventPassed, Field(discriminator="kind")]
scenes_message: Final[TypeAdapter[ScenesMessage]] = TypeAdapter(ScenesMessage)
embedded_message: Final[TypeAdapter[EmbeddedMessage]] = TypeAdapter(EmbeddedMessage)
grafts_message: Final[TypeAdapter[ChapterGrafted]] = TypeAdapter(ChapterGrafted)
