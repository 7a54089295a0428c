"""The serial that comes with the product: its chapters, and questions that show what it can do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from contracts.ids import WorkId
from contracts.ordinals import Ordinal
from streams.inputs.folder import read_folder
from streams.inputs.values import ChapterInput, Naming

_FOLDER: Final = Path(__file__).parent / "demo"


class DemoQuestion(BaseModel):
    """A question and its answer; a `reveal` cannot be known before its chapter."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str
    answer: str
    chapter: Ordinal
    kind: Literal["fact", "reveal"]


class _About(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    title: str
    author: str
    language: str
    questions: tuple[DemoQuestion, ...]


@dataclass(frozen=True, slots=True)
class DemoStory:
    """The serial as `index` would read it, and its questions."""

    given: ChapterInput
    questions: tuple[DemoQuestion, ...]

    @property
    def work_id(self) -> WorkId:
        """The serial's work id."""
        return self.given.described.work_id

    def up_to(self, chapters: int) -> ChapterInput:
        """Return the input as it was when so many chapters were out."""
        return replace(self.given, chapters=self.given.chapters[:chapters])

    def first(self, kind: Literal["fact", "reveal"]) -> DemoQuestion:
        """Return the first question of a kind."""
        return next(question for question in self.questions if question.kind == kind)


def read_story() -> DemoStory:
    """Read the serial from the installed package."""
    about = _About.model_validate_json((_FOLDER / "about.json").read_bytes())
    given = read_folder(_FOLDER / "serial", Naming(about.id, about.title, about.language))
    described = given.described.model_copy(update={"author": about.author})
    return DemoStory(replace(given, described=described), about.questions)
