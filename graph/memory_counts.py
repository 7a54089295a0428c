"""The term index of a work in memory, brought up to date when the work has moved."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import count

from contracts.ids import ChapterId
from contracts.ordinals import Ordinal
from contracts.ports import PassageCounts
from contracts.works import ChapterContent, ChapterRecord
from graph.memory_state import WorkState
from graph.term_index import CountedChapter, TermIndex


class MemoryCounts:
    """Counts the passages of one work by term; what has not changed is not taken in again."""

    def __init__(self) -> None:
        self._state: WorkState | None = None
        self._index = TermIndex()
        self._taken: Mapping[ChapterId, tuple[ChapterContent, str]] = {}
        self._names = map(str, count())

    def count(self, state: WorkState, terms: Collection[str], as_of: Ordinal) -> PassageCounts:
        """Count passages of the live chapters of `state` at or below `as_of`."""
        if state is not self._state:
            self._take_in(state)
        return self._index.count(terms, int(as_of))

    def _take_in(self, state: WorkState) -> None:
        if self._index.is_worn:
            self._index, self._taken = TermIndex(), {}
        self._taken = {
            chapter.chapter_id: self._named(content)
            for chapter in state.live_chapters
            if (content := state.contents.get(chapter.chapter_id)) is not None
        }
        chapters = {str(each.chapter_id): self._counted(each) for each in state.live_chapters}
        for key in self._index.unknown(chapters):
            content, _ = self._taken[ChapterId(key)]
            self._index.add(key, chapters[key], content.term_counts)
        self._index.settle(chapters)
        self._state = state

    def _named(self, content: ChapterContent) -> tuple[ChapterContent, str]:
        """Return what was taken in with its name; another content gets another name."""
        taken = self._taken.get(content.chapter_id)
        return taken if taken and taken[0] is content else (content, next(self._names))

    def _counted(self, chapter: ChapterRecord) -> CountedChapter:
        _, name = self._taken.get(chapter.chapter_id, (None, None))
        return CountedChapter(int(chapter.story_place), chapter.passages, name)
