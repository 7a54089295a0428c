"""How an answer came about: what was looked at, and why.

All of it is as of the question's ordinal and the same for equal stories, but for what is in
`Timing`.
"""

from __future__ import annotations

from contracts.answers import Answer, FoundPassage
from contracts.budgets import Budget
from contracts.frozen import Frozen
from contracts.ids import ChapterId, SceneId, StorylineId
from contracts.ordinals import Ordinal


class MapSeen(Frozen):
    """The map that a model was shown last: of how many scenes how many, in how many tokens.

    `tokens` is the bound that the budget counts with, not what the model's tokeniser made of it.
    """

    scenes: int
    shown: int
    whole: bool
    tokens: int


class SceneSeen(Frozen):
    """A scene that a round added to the evidence, by its number on the map."""

    number: int
    scene_id: SceneId
    chapter_id: ChapterId
    ordinal: Ordinal
    title: str


class StorylineSeen(Frozen):
    """A storyline that a round opened, by its name on the map."""

    name: str
    storyline: StorylineId
    title: str


class ModelCall(Frozen):
    """One question to the model: why it was asked, what it read and wrote, what came of it.

    `map_tokens` and `other_tokens` are bounds of the prompt's two parts; `input_tokens` and
    `output_tokens` are the server's count. `outcome` is "read", or says why the answer could not
    be.
    """

    purpose: str
    map_tokens: int
    other_tokens: int
    input_tokens: int
    output_tokens: int
    outcome: str


class Round(Frozen):
    """One look: what was asked for, by whom, and what of it there was.

    `by` is "search", "map" or "passages": what made the choice. `dropped` counts ids that were
    named and not shown.
    """

    by: str
    query: str
    scenes: tuple[SceneSeen, ...]
    opened: tuple[StorylineSeen, ...]
    dropped: int
    calls: tuple[ModelCall, ...]


class Timing(Frozen):
    """What depends on the hour: seconds in all, of each call, and tokens that were cached."""

    seconds: float = 0.0
    call_seconds: tuple[float, ...] = ()
    cached_tokens: tuple[int, ...] = ()


class Explanation(Frozen):
    """What led to an answer.

    `ended` says why the walk stopped. `dropped_quotes` counts quotes that stand nowhere in the
    evidence; `fell_back` says why a model did not answer where one is set, "" where it did.
    """

    strategy: str
    model: str
    as_of: Ordinal
    budget: Budget
    map: MapSeen | None
    rounds: tuple[Round, ...]
    concluding: tuple[ModelCall, ...]
    evidence: tuple[FoundPassage, ...]
    dropped_quotes: int
    ended: str
    fell_back: str
    timing: Timing


class ExplainedAnswer(Frozen):
    """An answer and how it came about."""

    answer: Answer
    explanation: Explanation

    @property
    def as_of(self) -> Ordinal:
        """Return the ordinal that was meant."""
        return self.answer.as_of
