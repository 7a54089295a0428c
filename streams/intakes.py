"""Where each stage reads: its topic, how a record is decoded, and the name of its position."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar

from pydantic import TypeAdapter

from contracts import topics
from contracts.events import QuestionAsked, chapter_event
from contracts.ids import Generation
from contracts.messages import embedded_message, scenes_message

M = TypeVar("M")

question_event: Final = TypeAdapter(QuestionAsked)


@dataclass(frozen=True, slots=True)
class Intake(Generic[M]):
    """What a stage named `name` reads.

    `suffix` is that of the generation which the stage builds: positions of two builds of an
    index are two. It is empty where the stage belongs to none.
    """

    name: str
    source: str
    decode: TypeAdapter[M]
    suffix: str = ""

    @property
    def group(self) -> str:
        """The name of the stage's position in its source."""
        return self.name + self.suffix

    def of_generation(self, generation: Generation) -> Intake[M]:
        """Return the intake with the topic and the group of `generation`."""
        source = topics.physical(self.source, generation)
        return replace(self, source=source, suffix=f".{generation}")


HIDE: Final = Intake("hide", topics.CHAPTERS, chapter_event)
SEGMENT: Final = Intake("segment", topics.CHAPTERS, chapter_event)
CARRY: Final = Intake("carry", topics.SCENES, scenes_message)
CARRY_ROWS: Final = Intake("carry", topics.EMBEDDED, embedded_message)
EMBED: Final = Intake("embed", topics.SCENES, scenes_message)
GRAFT: Final = Intake("graft", topics.EMBEDDED, embedded_message)
ANSWER: Final = Intake("answer", topics.QUESTIONS, question_event)


def chapter_intakes(generation: Generation) -> tuple[Intake[Any], ...]:
    """Return where a chapter is read on its way, in order."""
    path: tuple[Intake[Any], ...] = (SEGMENT, EMBED, GRAFT)
    return tuple(intake.of_generation(generation) for intake in path)
