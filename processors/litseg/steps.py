"""Reads and validates the answers to the teacher's first two steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from processors.litseg.reading import read_answer
from processors.litseg.wire import Answer, Thread

_ALL: Final[dict[str, Any]] = {"events": [], "threads": [], "turning_points": [], "segments": []}
_BESIDE_EVENTS: Final = {part: none for part, none in _ALL.items() if part != "events"}
_NOTHING: Final = Answer(**_ALL)
_BESIDE_THREADS: Final = {part: none for part, none in _ALL.items() if part != "threads"}


@dataclass(slots=True)
class EventAttempts:
    """Reads events of a chunk of `count` sentences, and who is who.

    Valid are events whose sentences are there.
    """

    count: int
    usable: list[Answer] = field(default_factory=list)

    def read(self, text: str) -> Answer:
        """Return an answer of which only this step is told.

        Raises:
            ValueError: the answer does not conform, or an event is nowhere in the chunk.
        """
        reading = read_answer(text, _BESIDE_EVENTS)
        told = reading.answer.events
        kept = [each for each in told if 1 <= each.from_idx <= each.to_idx <= self.count]
        usable = reading.answer.model_copy(update={"events": kept})
        self.usable.append(usable)
        if not reading.conforms or len(kept) < len(told):
            raise ValueError("an event lies outside the text")
        return usable

    def best(self) -> Answer:
        """Return what is usable of the answer that has most events."""
        return max(self.usable, key=lambda each: len(each.events), default=_NOTHING)


@dataclass(slots=True)
class ThreadAttempts:
    """Reads threads of `count` events; valid are those that hold events of the list only."""

    count: int
    usable: list[list[Thread]] = field(default_factory=list)

    def read(self, text: str) -> list[Thread]:
        """Return the threads.

        Raises:
            ValueError: the answer does not conform, or a thread holds an event that is not there.
        """
        reading = read_answer(text, _BESIDE_THREADS)
        told = reading.answer.threads
        kept = [self._of_events(thread) for thread in told]
        self.usable.append(kept)
        if not reading.conforms or kept != told:
            raise ValueError("a thread holds an event that is not in the list")
        return kept

    def best(self) -> list[Thread]:
        """Return the usable threads of the answer that has most of them."""
        return max(self.usable, key=len, default=[])

    def _of_events(self, thread: Thread) -> Thread:
        numbers = [number for number in thread.events if 1 <= number <= self.count]
        return thread.model_copy(update={"events": numbers})
