"""Passage counts of one work by term, for any ordinal, kept up to date by appending; no I/O."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from contracts.ports import PassageCounts

_Ints = NDArray[np.int64]
_NO_SLOT: Final = -1


def _ints(numbers: Sequence[int]) -> _Ints:
    return np.array(numbers, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class CountedChapter:
    """A live chapter as counting sees it; `content` names what it holds, None for no text."""

    place: int
    passages: int
    content: str | None


@dataclass(frozen=True, slots=True)
class _Counted:
    """The chapters that count: a number each of its place, passages and slot, -1 for no content."""

    places: _Ints = field(default_factory=lambda: _ints([]))
    passages: _Ints = field(default_factory=lambda: _ints([]))
    slots: _Ints = field(default_factory=lambda: _ints([]))


@dataclass(slots=True)
class TermIndex:
    """Postings (slot, count) of every term; a slot is one content of one chapter.

    A content that is replaced or gone leaves its postings behind, under a slot that no chapter
    has; `is_worn` says when there are more of those than others, and a new index is due.
    """

    _counted: _Counted = field(default_factory=_Counted)
    _slots: dict[str, int] = field(default_factory=dict)  # by content
    _postings: dict[str, array[int]] = field(default_factory=dict)

    def unknown(self, chapters: Mapping[str, CountedChapter]) -> list[str]:
        """Return the keys of those of `chapters` whose term tables were not added yet."""
        return [
            key
            for key, chapter in chapters.items()
            if chapter.content is not None and self._name(key, chapter) not in self._slots
        ]

    def add(self, key: str, chapter: CountedChapter, table: Mapping[str, int]) -> None:
        """Take in the term table of a chapter's content; it may not have been added before."""
        slot = self._slots[self._name(key, chapter)] = len(self._slots)
        for term, count in table.items():
            posting = self._postings.get(term)
            if posting is None:
                self._postings[term] = array("q", (slot, count))
            else:
                posting.append(slot)
                posting.append(count)

    def settle(self, chapters: Mapping[str, CountedChapter]) -> None:
        """Count `chapters` from now on, and no others; none of them may be unknown."""
        self._counted = _Counted(
            _ints([chapter.place for chapter in chapters.values()]),
            _ints([chapter.passages for chapter in chapters.values()]),
            _ints(
                [
                    _NO_SLOT if each.content is None else self._slots[self._name(key, each)]
                    for key, each in chapters.items()
                ]
            ),
        )

    @property
    def is_worn(self) -> bool:
        """Whether most of what is held belongs to no chapter any more."""
        return len(self._slots) > 2 * len(self._counted.slots) + 16

    def count(self, terms: Collection[str], as_of: int) -> PassageCounts:
        """Count passages of the chapters at or below `as_of`."""
        seen = self._counted.places <= as_of
        counts = np.zeros(len(self._slots) + 1, dtype=bool)  # the last one is that of no content
        counts[self._counted.slots[seen]] = True
        return PassageCounts(
            passages=int(self._counted.passages[seen].sum()),
            counts={term: self._count(term, counts) for term in sorted(terms)},
        )

    def _count(self, term: str, counts: NDArray[np.bool_]) -> int:
        if term not in self._postings:
            return 0
        slots, held = np.frombuffer(self._postings[term], dtype=np.int64).reshape(-1, 2).T
        return int(held[counts[slots]].sum())

    @staticmethod
    def _name(key: str, chapter: CountedChapter) -> str:
        # One commit gives all the contents it writes the same name.
        return f"{chapter.content}:{key}"
