"""What an adviser says of a chapter's scenes, as the tree takes it and keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from contracts.frozen import Frozen
from contracts.ids import CharacterId, StorylineId

MAX_TOUCHES: Final = 2
"""Most threads that a scene touches beside its own."""


class SceneAdvice(Frozen):
    """Where a scene belongs: in `home`, or, where that is null, in a thread that it opens.

    `number` is the scene's place in the chapter, from 1. `opens` is the new thread's number, from
    1 in the order of the scenes: scenes of one number share it. `touches` are other threads that
    were shown.
    """

    number: int
    home: StorylineId | None
    opens: int | None = None
    touches: Annotated[tuple[StorylineId, ...], Field(max_length=MAX_TOUCHES)] = ()


class PersonAdvice(Frozen):
    """That the chapter makes known who `person` is, whom the story had only described."""

    person: CharacterId
    same_as: CharacterId


class Advice(Frozen):
    """Advice on scenes, by number, and on persons; on one that is missing there is none.

    `dropped` counts what was said of threads, scenes or persons that were not shown.
    """

    scenes: tuple[SceneAdvice, ...]
    persons: tuple[PersonAdvice, ...] = ()
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class Advised:
    """How asking went; `advice` is None where the scores must decide.

    The tokens are those of all `attempts`, whoever paid for them and when; `calls` says how many
    were made now.
    """

    advice: Advice | None
    attempts: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    calls: int = 0

    @property
    def tokens(self) -> int:
        """Tokens of input and output together."""
        return self.input_tokens + self.output_tokens
