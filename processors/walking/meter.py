"""Asks a budget before anything is spent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from contracts.budgets import Budget
from contracts.chat import ChatAnswer

Clock = Callable[[], float]
"""Seconds from any fixed moment."""


@dataclass(slots=True)
class Meter:
    """What of one question's budget is spent."""

    budget: Budget
    clock: Clock
    rounds: int = 0
    searches: int = 0
    model_calls: int = 0
    tokens: int = 0
    started: float = field(init=False)

    def __post_init__(self) -> None:
        self.started = self.clock()

    @property
    def seconds(self) -> float:
        """Return how long it has been under way."""
        return self.clock() - self.started

    @property
    def seconds_left(self) -> float:
        """Return how long it may go on; never below zero."""
        return max(0.0, self.budget.seconds - self.seconds)

    def affords_round(self) -> bool:
        """Say whether another look may be taken."""
        return self.rounds < self.budget.rounds and self.seconds_left > 0

    def affords_call(self, most_tokens: int, spare_calls: int = 0) -> bool:
        """Say whether a call may be made that reads and writes at most `most_tokens`.

        `spare_calls` are to be left after it, each as large.
        """
        calls = 1 + spare_calls
        return (
            self.model_calls + calls <= self.budget.model_calls
            and self.tokens + calls * most_tokens <= self.budget.tokens
            and self.seconds_left > 0
        )

    def begin_call(self) -> None:
        """Count a call; it counts whether or not an answer comes."""
        self.model_calls += 1

    def charge(self, answer: ChatAnswer | None, most_read: int) -> None:
        """Count what a call read and wrote: at most `most_read` tokens where nobody told."""
        self.tokens += (answer.input_tokens if answer else 0) or most_read
        self.tokens += answer.output_tokens if answer else 0
