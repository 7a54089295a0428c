"""The four searches of a question, of which only rows that the view confirms count."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from contracts.ids import SceneId
from contracts.ports import SearchScope, StoryView, VectorStore
from contracts.vectors import Dense, Hit, Level, Sparse
from processors.fusion import Searches

_MOST_ROWS: Final = 16_000  # what a vector store returns at most

RowPair = tuple[SceneId, int]
"""A scene and the position of the event that wrote its rows: what a view can confirm."""


@dataclass(frozen=True, slots=True)
class Searcher:
    """Searches the rows of one view, `limit` confirmed hits a search."""

    vectors: VectorStore
    view: StoryView
    limit: int

    async def search(self, sparse: Sparse, dense: Dense) -> Searches:
        """Search both levels by words and by meaning."""
        return Searches(
            passage_words=await self._words(Level.PASSAGE, sparse),
            passage_meaning=await self._meaning(Level.PASSAGE, dense),
            scene_words=await self._words(Level.SCENE, sparse),
            scene_meaning=await self._meaning(Level.SCENE, dense),
        )

    async def _words(self, level: Level, sparse: Sparse) -> Sequence[Hit]:
        scope = self._scope(level)
        return await self._confirmed(
            lambda rows: self.vectors.search_sparse(scope, sparse, rows),
        )

    async def _meaning(self, level: Level, dense: Dense) -> Sequence[Hit]:
        scope = self._scope(level)
        return await self._confirmed(lambda rows: self.vectors.search_dense(scope, dense, rows))

    def _scope(self, level: Level) -> SearchScope:
        return SearchScope(self.view.work_id, self.view.generation, self.view.as_of, level)

    async def _confirmed(self, search: Callable[[int], Awaitable[Sequence[Hit]]]) -> list[Hit]:
        """Return the best hits as if there were no dead rows: more are fetched in their place."""
        rows = self.limit
        while True:
            hits = await search(rows)
            known = await self.view.confirm({row_pair(hit) for hit in hits})
            confirmed = [hit for hit in hits if row_pair(hit) in known]
            if len(confirmed) >= self.limit or len(hits) < rows or rows >= _MOST_ROWS:
                return confirmed[: self.limit]
            rows = min(2 * rows, _MOST_ROWS)


def row_pair(hit: Hit) -> RowPair:
    """Return what a view confirms of a hit."""
    return SceneId(hit.scene_id), hit.position


async def unconfirmed(view: StoryView, hits: Iterable[Hit]) -> frozenset[RowPair]:
    """Return those pairs of `hits` that the view no longer confirms."""
    used = frozenset(map(row_pair, hits))
    return used - await view.confirm(used) if used else used
