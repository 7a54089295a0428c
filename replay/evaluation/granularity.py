"""At which rank evidence comes first, counted in cells of equal size for every method.

A long unit is easy to hit, so ranks of unequal units do not compare. What a method shows, in its
order, is read into cells of 100 words of the chapters' text: each cell counts where it is first
shown, and a long unit takes as many ranks as it has cells.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from contracts.events import ChapterPublished
from contracts.ids import ChapterId
from contracts.words import iter_words
from replay.evaluation.annotated import Evidence

CELL_WORDS: Final = 100


@dataclass(frozen=True, slots=True)
class Cells:
    """By chapter, the code points at which its cells start."""

    starts: Mapping[ChapterId, Sequence[int]]

    @classmethod
    def of(cls, chapters: Sequence[ChapterPublished]) -> Cells:
        """Cut chapters into cells."""
        return cls(
            {
                each.chapter_id: [start for start, _ in iter_words(each.body)][::CELL_WORDS]
                for each in chapters
            }
        )

    def rank(self, evidence: Sequence[Evidence], shown: Sequence[Evidence]) -> int | None:
        """Return the place, from 1, of the first cell shown that holds evidence; None if none."""
        wanted = {cell for span in evidence for cell in self._cells(span)}
        ranked = dict.fromkeys(cell for span in shown for cell in self._cells(span))
        return next((nth for nth, cell in enumerate(ranked, start=1) if cell in wanted), None)

    def _cells(self, span: Evidence) -> list[tuple[ChapterId, int]]:
        starts = self.starts[span.chapter_id]
        first = max(bisect_right(starts, span.start) - 1, 0)
        after = bisect_right(starts, max(span.end - 1, span.start))
        return [(span.chapter_id, cell) for cell in range(first, max(after, first + 1))]
