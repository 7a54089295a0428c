"""The events that publishers send, parsed once at the edge.

A publisher may add fields of its own: they are ignored, so that nobody's extra field costs a
chapter. What we do not know in `kind` or `schema_version` is an error.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Final, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    TypeAdapter,
    field_validator,
)

from contracts.budgets import USUAL, Budget
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal

SCHEMA_VERSION: Final = 1
_INVISIBLE: Final = "\ufeff\u200b\u200c\u200d\u2060\u00ad"
_ID_LIMIT: Final = 500


def is_blank(text: str) -> bool:
    """Say whether a reader would see nothing: white space and invisible marks only."""
    return not text.translate(dict.fromkeys(map(ord, _INVISIBLE))).strip()


def _fit_id(value: str) -> str:
    if is_blank(value) or len(value) > _ID_LIMIT or any(ord(c) < 32 for c in value):
        raise ValueError(f"an id has 1 to {_ID_LIMIT} visible characters, no control characters")
    return value


FitWorkId = Annotated[WorkId, AfterValidator(_fit_id)]
FitChapterId = Annotated[ChapterId, AfterValidator(_fit_id)]
Revision = Annotated[int, Field(ge=0, lt=2**62)]


class Format(StrEnum):
    """How a body is written."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    schema_version: Literal[1] = SCHEMA_VERSION
    work_id: FitWorkId
    revision: Revision | None = None

    def to_json(self) -> bytes:
        """Return the event as UTF-8 JSON, without the fields that hold nothing."""
        return self.model_dump_json(exclude_none=True).encode()


class ChapterPublished(_Event):
    """This is the chapter's text now: first time, edit, or re-publication."""

    kind: Literal["chapter.published"] = "chapter.published"
    chapter_id: FitChapterId
    ordinal: Ordinal
    title: str = ""
    body: str
    format: Format = Format.TEXT
    language: str | None = Field(default=None, description="BCP 47, like en or zh-Hans")
    published_at: datetime | None = None
    metadata: dict[str, JsonValue] = Field(default_factory=dict)

    @field_validator("body")
    @classmethod
    def _has_text(cls, body: str) -> str:
        if is_blank(body):
            raise ValueError("the body is empty; to take a chapter back, send chapter.withdrawn")
        return body


class ChapterWithdrawn(_Event):
    """The chapter is gone."""

    kind: Literal["chapter.withdrawn"] = "chapter.withdrawn"
    chapter_id: FitChapterId


class ChapterMoved(_Event):
    """The same text at another ordinal."""

    kind: Literal["chapter.moved"] = "chapter.moved"
    chapter_id: FitChapterId
    ordinal: Ordinal


class NewPlace(BaseModel):
    """One chapter's new ordinal in a renumbering."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    chapter_id: FitChapterId
    ordinal: Ordinal


class WorkReordered(_Event):
    """A renumbering of many chapters in one event."""

    kind: Literal["work.reordered"] = "work.reordered"
    chapters: tuple[NewPlace, ...] = Field(min_length=1)

    @field_validator("chapters")
    @classmethod
    def _each_once(cls, chapters: tuple[NewPlace, ...]) -> tuple[NewPlace, ...]:
        if len({place.chapter_id for place in chapters}) < len(chapters):
            raise ValueError("a chapter is named twice in one renumbering")
        return chapters


class WorkDescribed(_Event):
    """What the work is called; for display only."""

    kind: Literal["work.described"] = "work.described"
    title: str | None = None
    author: str | None = None
    language: str | None = None
    tags: tuple[str, ...] = ()


class WorkWithdrawn(_Event):
    """The whole work is gone; publishing it again starts a new incarnation."""

    kind: Literal["work.withdrawn"] = "work.withdrawn"


class ChapterPurged(_Event):
    """A publication whose text is gone, or needed no more; nobody sends it.

    A purge writes it in its place, and a rebuild that finds a newer text in the index passes it on.

    It counts for the chapter's order as the publication did. Without an ordinal it stands for
    one that was a dead letter and never counted.
    """

    kind: Literal["chapter.purged"] = "chapter.purged"
    chapter_id: FitChapterId
    ordinal: Ordinal | None = None


TextlessEvent = Annotated[
    ChapterWithdrawn | ChapterMoved | ChapterPurged | WorkReordered | WorkDescribed | WorkWithdrawn,
    Field(discriminator="kind"),
]
ChapterEvent = Annotated[
    ChapterPublished
    | ChapterWithdrawn
    | ChapterMoved
    | ChapterPurged
    | WorkReordered
    | WorkDescribed
    | WorkWithdrawn,
    Field(discriminator="kind"),
]
chapter_event: Final[TypeAdapter[ChapterEvent]] = TypeAdapter(ChapterEvent)


class QuestionAsked(BaseModel):
    """A question on the `questions` topic. `as_of` is required: nobody asks "now" by accident.

    `question_id` comes back with the answer. After its `deadline` it is answered as expired.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    schema_version: Literal[1] = SCHEMA_VERSION
    kind: Literal["question.asked"] = "question.asked"
    question_id: Annotated[str, AfterValidator(_fit_id)]
    work_id: FitWorkId
    question: str = Field(min_length=1, max_length=10_000)
    as_of: Ordinal
    words: int = Field(default=1_000, ge=1, le=100_000)
    budget: Budget = USUAL
    deadline: AwareDatetime | None = None
