"""Mends a segmentation: afterwards every sentence has exactly one home, in order, in one piece.

Everybody's segments pass here, a model's and our own. What was mended is counted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import itemgetter
from typing import Final

from contracts.scenes import ChapterText, Repairs, Segment, Segmentation

_COUNTS: Final = tuple(Repairs.model_fields)


@dataclass(frozen=True, slots=True)
class CoveredSegment:
    """A segment and its home: sentences `home_first` to `home_last`, from 1, both included.

    `extra` are ranges of the segment that are the home of an earlier one.
    """

    segment: Segment
    home_first: int
    home_last: int
    extra: tuple[tuple[int, int], ...] = ()

    @property
    def sentences(self) -> int:
        """How many sentences the home has."""
        return self.home_last - self.home_first + 1


@dataclass(frozen=True, slots=True)
class Covered:
    """Segments in order whose homes follow each other without a gap, and what was mended."""

    segments: tuple[CoveredSegment, ...]
    repairs: Repairs


@dataclass(frozen=True, slots=True, order=True)
class Faults:
    """What the paper's semantic validation finds wrong, counted; nothing where an answer is valid.

    The order is how much repair has to guess: a sentence that nobody claimed weighs most, an
    index of context least. Ranges may overlap, and may be told in any order.
    """

    missing_sentences: int = 0
    invalid_ranges: int = 0
    invalid_context: int = 0

    def __bool__(self) -> bool:
        return self != Faults()


def faults(segments: Sequence[Segment], last: int) -> Faults:
    """Validate `segments` of the sentences 1 to `last`.

    A range is valid that starts no later than it ends and lies within them; every sentence must
    lie in a valid one. A context index is valid that lies within some segment's valid range.
    """
    usable = in_range(segments, last)
    missing = _missing(usable, last)
    context = [index for segment in segments for index in segment.context]
    return Faults(
        missing_sentences=len(missing),
        invalid_ranges=len(segments) - len(usable),
        invalid_context=sum(not 1 <= index <= last or index in missing for index in context),
    )


def in_range(segments: Sequence[Segment], last: int) -> list[Segment]:
    """Return the segments whose ranges are valid."""
    return [s for s in segments if 1 <= s.from_idx <= s.to_idx <= last]


def _missing(usable: Sequence[Segment], last: int) -> frozenset[int]:
    """Return the sentences that lie in no range."""
    missing: set[int] = set()
    covered = 0
    for segment in sorted(usable, key=lambda s: s.from_idx):
        missing.update(range(covered + 1, segment.from_idx))
        covered = max(covered, segment.to_idx)
    missing.update(range(covered + 1, last + 1))
    return frozenset(missing)


def repair(chapter: ChapterText, segmentation: Segmentation) -> Covered:
    """Give every sentence of `chapter` exactly one home.

    - A segment that ends before it starts or leaves the chapter is dropped, not clamped: the
      paper's validation calls its range invalid, and where it was meant to lie is not known.
    - A sentence's home is the first segment, by first then last sentence, that covers it; what
      a segment shares with earlier ones is its `extra`. A segment without home is dropped.
    - A home that crosses into another stretch is cut there. The longest piece (the first of
      equals) keeps title, synopsis, significance and context, since they tell most of it; the
      first keeps the extra, which lies before it; the last the turning point, at which the
      segment ends, and who proved to be who; all keep its threads and characters.
    - Missing sentences join the segment at their left within the stretch, else the one at
      their right; a stretch without any segment is one of its own, with empty fields.
    - Without a usable segment the whole chapter is one, cut at the stretches.
    - Context indices outside the chapter are dropped: every other sentence now has a home.

    Returns:
        The segments in the order of the text, empty only for a chapter without sentences, and
        the counts added to those that `segmentation` brought.
    """
    last = len(chapter.sentences)
    stretches = _stretches(chapter)
    usable = in_range(segmentation.segments, last)
    whole = bool(stretches) and not usable
    homes = _homes(usable or ([Segment(from_idx=1, to_idx=last)] if whole else []), stretches)
    pieces = [piece for home in homes for piece in _cut(home, stretches)]
    filled = _filled(pieces, stretches)
    cleaned = [_context_cleaned(piece, last) for piece in filled]
    mended = Repairs(
        attempts=0,
        dropped_segments=len(segmentation.segments) - (0 if whole else len(homes)),
        missing_sentences=last - sum(piece.sentences for piece in pieces),
        dropped_context=_contexts(filled) - _contexts(cleaned),
        cut_at_paratext=len(pieces) - len(homes),
        whole_chunk=int(whole),
    )
    return Covered(tuple(cleaned), added(segmentation.repairs, mended))


def _stretches(chapter: ChapterText) -> list[tuple[int, int]]:
    """Return the sentence range of each stretch."""
    if not chapter.sentences:
        return []
    starts = sorted({1, *chapter.stretch_starts})
    return [(a, b - 1) for a, b in pairwise([*starts, len(chapter.sentences) + 1])]


def _homes(
    segments: Sequence[Segment], stretches: Sequence[tuple[int, int]]
) -> list[CoveredSegment]:
    """Leave each segment what no earlier one covers; leave out those that keep nothing."""
    homes = []
    covered = 0
    for segment in sorted(segments, key=lambda s: (s.from_idx, s.to_idx)):
        if segment.to_idx <= covered:
            continue
        first = max(segment.from_idx, covered + 1)
        extra = tuple(_within(stretches, segment.from_idx, first - 1))
        homes.append(CoveredSegment(segment, first, segment.to_idx, extra))
        covered = segment.to_idx
    return homes


def _within(
    stretches: Sequence[tuple[int, int]], first: int, last: int
) -> Iterator[tuple[int, int]]:
    """Yield the parts of a range of sentences that lie in one stretch each."""
    at = bisect_right(stretches, first, key=itemgetter(0)) - 1
    while first <= last:
        yield first, min(last, stretches[at][1])
        first = stretches[at][1] + 1
        at += 1


def _cut(home: CoveredSegment, stretches: Sequence[tuple[int, int]]) -> list[CoveredSegment]:
    """Cut a home where a stretch starts inside it, and share its fields out."""
    ranges = list(_within(stretches, home.home_first, home.home_last))
    if len(ranges) == 1:
        return [home]
    longest = max(range(len(ranges)), key=lambda nth: ranges[nth][1] - ranges[nth][0])
    whole = home.segment
    bare = Segment(from_idx=0, to_idx=0, characters=whole.characters, threads=whole.threads)
    pieces = []
    for nth, (first, last) in enumerate(ranges):
        told = whole if nth == len(ranges) - 1 else bare
        segment = (whole if nth == longest else bare).model_copy(
            update={
                "from_idx": first,
                "to_idx": last,
                "turning_point": told.turning_point,
                "identities": told.identities,
            }
        )
        pieces.append(CoveredSegment(segment, first, last, () if nth else home.extra))
    return pieces


def _filled(
    pieces: Sequence[CoveredSegment], stretches: Sequence[tuple[int, int]]
) -> list[CoveredSegment]:
    """Stretch the pieces over the missing sentences, stretch by stretch."""
    filled: list[CoveredSegment] = []
    rest = list(reversed(pieces))
    for first, last in stretches:
        inside = []
        while rest and rest[-1].home_first <= last:
            inside.append(rest.pop())
        filled.extend(_joined(inside, first, last))
    return filled


def _joined(inside: Sequence[CoveredSegment], first: int, last: int) -> Iterator[CoveredSegment]:
    if not inside:
        yield CoveredSegment(Segment(from_idx=first, to_idx=last), first, last)
        return
    starts = [first, *(piece.home_first for piece in inside[1:]), last + 1]
    for piece, (start, after) in zip(inside, pairwise(starts), strict=True):
        yield replace(piece, home_first=start, home_last=after - 1)


def _context_cleaned(piece: CoveredSegment, last: int) -> CoveredSegment:
    kept = tuple(index for index in piece.segment.context if 1 <= index <= last)
    if len(kept) == len(piece.segment.context):
        return piece
    return replace(piece, segment=piece.segment.model_copy(update={"context": kept}))


def _contexts(segments: Sequence[CoveredSegment]) -> int:
    return sum(len(piece.segment.context) for piece in segments)


def added(before: Repairs, *mended: Repairs) -> Repairs:
    """Add up counts."""
    return Repairs(
        **{name: sum(getattr(each, name) for each in (before, *mended)) for name in _COUNTS}
    )
