"""Passage counts of one work by term, for any ordinal, kept up to date by appending; no I/O."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from contracts.ports import PassageCounts


@dataclass(frozen=True, slots=True)
class CountedChapter:
    """A live chapter as counting sees it; `content` names what it holds, None for no text."""

    place: int
    passages: int
    content: str | None


@dataclass(slots=True)
class TermIndex:
    """Postings (slot, count) of every term; a slot is one content of one chapter.

    A content that is replaced or gone leaves its postings behind, under a slot that no chapter
    has; `is_worn` says when there are more of those than others, and a new index is due.
    """

    chapters: Mapping[str, CountedChapter] = field(default_factory=dict)
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

    @property
    def is_worn(self) -> bool:
        """Whether most of what is held belongs to no chapter any more."""
        return len(self._slots) > 2 * len(self.chapters) + 16

    def count(self, terms: Collection[str], as_of: int) -> PassageCounts:
        """Count passages of the chapters at or below `as_of`."""
        seen = {key: chapter for key, chapter in self.chapters.items() if chapter.place <= as_of}
        slots = {
            self._slots[self._name(key, chapter)]
            for key, chapter in seen.items()
            if chapter.content is not None
        }
        return PassageCounts(
            passages=sum(chapter.passages for chapter in seen.values()),
            counts={term: self._count(term, slots) for term in sorted(terms)},
        )

    def _count(self, term: str, slots: Collection[int]) -> int:
        held = self._postings.get(term, ())
        return sum(held[n + 1] for n in range(0, len(held), 2) if held[n] in slots)

    @staticmethod
    def _name(key: str, chapter: CountedChapter) -> str:
        # One commit gives all the contents it writes the same name.
        return f"{chapter.content}:{key}"
