"""What search may learn from: the clues of the sentences found for annotated questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from contracts.ports import BoundStory
from processors.clues import Clue
from processors.extracts import Extract
from processors.ranking import Asking
from processors.retriever import Retriever
from replay.evaluation.annotated import Evidence, IndexedBook

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SearchLesson:
    """The sentences found for one question.

    `clues` has a row a sentence and a column a clue; `shares` says which share of the evidence
    that was found stands in each, `lengths` how many code points it has.
    """

    clues: Floats
    shares: Floats
    lengths: Floats


async def lessons_of(retriever: Retriever, indexed: IndexedBook, words: int) -> list[SearchLesson]:
    """Ask a book its questions; those of whose evidence nothing is found teach nothing."""
    view = await story_view(indexed)
    lessons = []
    for asked in indexed.book.questions:
        reading, found = await retriever.find(view, asked.question, words)
        if not found.sentences:
            continue
        shares = shares_of(asked.evidence, found.sentences)
        if not shares.any():
            continue
        asking = Asking(reading.question, reading.rarities)
        _, columns = retriever.ranker.clues(found.sentences, found.texts, asking)
        lengths = np.array([each.end - each.start for each in found.sentences], dtype=np.float64)
        clues = np.stack([columns[clue] for clue in Clue], axis=1)
        lessons.append(SearchLesson(clues, shares / shares.sum(), lengths))
    return lessons


async def story_view(indexed: IndexedBook) -> BoundStory:
    """Return the view of the whole book."""
    view = await indexed.tree.view(indexed.book.chapters[0].work_id, None)
    if view is None:
        raise RuntimeError(f"{indexed.book.name} was not indexed")
    return view


def shares_of(evidence: Sequence[Evidence], sentences: Sequence[Extract]) -> Floats:
    """Return how many code points of the evidence stand in each sentence."""
    return np.array(
        [
            sum(
                max(0, min(one.end, each.end) - max(one.start, each.start))
                for one in evidence
                if one.chapter_id == each.candidate.chapter_id
            )
            for each in sentences
        ],
        dtype=np.float64,
    )
