"""Which answers are valid, which invalid one is the best, and what is left of it.

Two levels of validation, as in the paper: the answer conforms to its schema, and its segments have
no `Faults`. Of answers that all have some, the one that leaves the least to guess is mended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from contracts.scenes import Repairs, Segment
from processors.coverage import Faults, faults, in_range
from processors.litseg.fields import segments_of
from processors.litseg.reading import Reading, read_answer
from processors.litseg.told_language import in_language
from processors.litseg.wire import Answer
from processors.told_names import names_two_ways


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer on a chunk of `count` sentences; `strange` counts what it says of nothing."""

    answer: Answer
    segments: tuple[Segment, ...]
    count: int
    faults: Faults
    conforms: bool
    unreadable: int
    strange: int

    @classmethod
    def of(cls, reading: Reading, count: int) -> Judged:
        """Judge an answer that could be read."""
        segments, strange = segments_of(reading.answer, count)
        found = faults(segments, count)
        if reading.unreadable:
            found = replace(found, invalid_ranges=found.invalid_ranges + reading.unreadable)
        return cls(
            reading.answer, segments, count, found, reading.conforms, reading.unreadable, strange
        )

    @property
    def valid(self) -> bool:
        """Whether nothing has to be mended."""
        return self.conforms and not self.faults


@dataclass(slots=True)
class Attempts:
    """Reads the answers on one chunk of `count` sentences and remembers them.

    `read` is a `remembering.Parse`: pure but for what it remembers. `found` holds what earlier
    steps have found, which this one was not asked for.
    """

    count: int
    found: Answer | None = None
    readable: list[Judged] = field(default_factory=list)

    def read(self, text: str) -> Judged:
        """Return the judged answer.

        Raises:
            ValueError: it is not valid.
        """
        given = (
            self.found.model_dump(include={"events", "identities", "threads"}) if self.found else {}
        )
        judged = Judged.of(read_answer(text, given), self.count)
        self.readable.append(judged)
        if not judged.valid:
            raise ValueError(f"the answer has faults: {judged.faults}")
        return judged

    def best(self) -> Judged | None:
        """Return the answer that has the least to mend, the earliest of equals; None if none."""
        return min(
            self.readable,
            key=lambda each: (not in_range(each.segments, each.count), each.faults, each.strange),
            default=None,
        )


def usable(
    judged: Judged | None, count: int, language: str, text: str
) -> tuple[tuple[Segment, ...], Repairs]:
    """Return the segments of the best answer on a chunk that can be used, and what was dropped.

    Of who is who only that is used whose names both stand in `text`, which is what the model was
    shown: it may know the story from elsewhere, and what comes later in it. Gaps stay for
    `coverage.repair`. Without any usable segment the whole chunk is one.
    """
    told = judged.segments if judged else ()
    kept = [_context_in_chunk(segment, count) for segment in in_range(told, count)]
    named = [_named_in(segment, text) for segment in kept]
    segments, foreign = in_language(named, language)
    mended = Repairs(
        attempts=0,
        dropped_segments=len(told) - len(kept) + (judged.unreadable if judged else 0),
        dropped_context=_contexts(in_range(told, count)) - _contexts(kept),
        whole_chunk=int(not kept),
        dropped_fields=foreign
        + (judged.strange if judged else 0)
        + sum(len(segment.identities) for segment in kept)
        - sum(len(segment.identities) for segment in named),
    )
    return segments or (Segment(from_idx=1, to_idx=count),), mended


def _context_in_chunk(segment: Segment, count: int) -> Segment:
    kept = tuple(index for index in segment.context if 1 <= index <= count)
    return segment.model_copy(update={"context": kept})


def _named_in(segment: Segment, text: str) -> Segment:
    kept = tuple(pair for pair in segment.identities if names_two_ways(pair, text))
    return segment.model_copy(update={"identities": kept})


def _contexts(segments: Sequence[Segment]) -> int:
    return sum(len(segment.context) for segment in segments)
