"""The four searches of a question, of which only rows that the view's chapters link count."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from contracts.ids import ChapterId, SceneId
from contracts.ports import SearchScope, StoryView, VectorStore
from contracts.vectors import Dense, Hit, Level, Sparse
from contracts.works import ChapterRecord
from processors.fusion import Searches

_MOST_ROWS: Final = 16_000  # what a vector store returns at most

RowPair = tuple[SceneId, int]
"""A scene and the position of the event that wrote its rows: what a view can confirm."""

_Search: TypeAlias = Callable[[int], Awaitable[Sequence[Hit]]]
"""Takes how many rows to fetch."""


@dataclass(frozen=True, slots=True)
class Searcher:
    """Searches the rows of one view, `limit` linked hits a search.

    `chapters` are the view's: they say which rows they link, so that no hit need be asked about.
    """

    vectors: VectorStore
    view: StoryView
    chapters: Sequence[ChapterRecord]
    limit: int

    async def search(self, sparse: Sparse, dense: Dense) -> Searches:
        """Search both levels by words and by meaning, as if there were no dead rows."""
        open_ones = [
            _Sought(self._words(Level.PASSAGE, sparse), self.limit),
            _Sought(self._meaning(Level.PASSAGE, dense), self.limit),
            _Sought(self._words(Level.SCENE, sparse), self.limit),
            _Sought(self._meaning(Level.SCENE, dense), self.limit),
        ]
        chapters = {chapter.chapter_id: chapter for chapter in self.chapters}
        searches = tuple(open_ones)
        while open_ones:
            for sought in open_ones:
                sought.hits = await sought.search(sought.rows)
            open_ones = [sought for sought in open_ones if sought.wants_more(chapters, self.limit)]
        return Searches(*(sought.linked for sought in searches))

    def _words(self, level: Level, sparse: Sparse) -> _Search:
        scope = self._scope(level)
        return lambda rows: self.vectors.search_sparse(scope, sparse, rows)

    def _meaning(self, level: Level, dense: Dense) -> _Search:
        scope = self._scope(level)
        return lambda rows: self.vectors.search_dense(scope, dense, rows)

    def _scope(self, level: Level) -> SearchScope:
        return SearchScope(self.view.work_id, self.view.generation, self.view.as_of, level)


@dataclass(slots=True)
class _Sought:
    """One search: how many rows it asks for, what it found, and what of that is linked."""

    search: _Search
    rows: int
    hits: Sequence[Hit] = ()
    linked: Sequence[Hit] = ()

    def wants_more(self, chapters: Mapping[ChapterId, ChapterRecord], limit: int) -> bool:
        """Keep the hits that `chapters` link; say whether to fetch rows in place of others."""
        kept = [hit for hit in self.hits if _links(chapters.get(ChapterId(hit.chapter_id)), hit)]
        self.linked = kept[:limit]
        if len(kept) >= limit or len(self.hits) < self.rows or self.rows >= _MOST_ROWS:
            return False
        self.rows = min(2 * self.rows, _MOST_ROWS)
        return True


def _links(chapter: ChapterRecord | None, hit: Hit) -> bool:
    """Say whether the row that was hit is one of the chapter's; an item is of one chapter only."""
    return (
        chapter is not None
        and hit.position == chapter.row_position
        and hit.item_id in chapter.items
    )


def row_pair(hit: Hit) -> RowPair:
    """Return what a view confirms of a hit."""
    return SceneId(hit.scene_id), hit.position


async def unconfirmed(view: StoryView, hits: Iterable[Hit]) -> frozenset[RowPair]:
    """Return those pairs of `hits` that the view no longer confirms."""
    used = frozenset(map(row_pair, hits))
    return used - await view.confirm(used) if used else used
