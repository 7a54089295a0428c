"""What search must beat: fixed windows of words, ranked by the same words and the same meaning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from contracts.ports import PassageCounts, TextEmbedder
from contracts.words import iter_words
from processors.lexicon import Lexicon
from replay.evaluation.annotated import AnnotatedBook, Evidence

_RANK_CONSTANT = 60


@dataclass(frozen=True, slots=True)
class Windows:
    """A book cut into windows, with their vectors; none crosses a chapter."""

    language: str
    spans: tuple[Evidence, ...]
    texts: tuple[str, ...]
    sparse: tuple[dict[int, int], ...]
    dense: NDArray[np.float64]
    counts: PassageCounts

    @classmethod
    async def of(cls, book: AnnotatedBook, size: int, embedder: TextEmbedder) -> Windows:
        """Cut a book into windows of `size` words."""
        lexicon = Lexicon()
        spans = tuple(_spans(book, size))
        bodies = {chapter.chapter_id: chapter.body for chapter in book.chapters}
        texts = tuple(bodies[each.chapter_id][each.start : each.end] for each in spans)
        terms = [lexicon.terms(text, book.language) for text in texts]
        counts = Counter(term for words in terms for term in set(words))
        dense = await embedder.embed(texts, book.language)
        return cls(
            book.language,
            spans,
            texts,
            tuple(dict(lexicon.document(words)) for words in terms),
            np.array([np.frombuffer(vector, dtype="<i2") for vector in dense], dtype=np.float64),
            PassageCounts(len(texts), counts),
        )

    async def best(self, question: str, words: int, embedder: TextEmbedder) -> list[Evidence]:
        """Return the first `words` words of the windows ranked for a question."""
        lexicon = Lexicon()
        terms = lexicon.terms(question, self.language)
        query = lexicon.query(terms, self.counts, self.language)
        by_words = np.array(
            [sum(weight * row.get(term, 0) for term, weight in query) for row in self.sparse]
        )
        (vector,) = await embedder.embed([question], self.language)
        by_meaning = self.dense @ np.frombuffer(vector, dtype="<i2").astype(np.float64)
        fused = _reciprocal_ranks(by_words) + _reciprocal_ranks(by_meaning)
        return self._first_words(np.argsort(-fused, kind="stable").tolist(), words)

    def _first_words(self, ranked: Sequence[int], words: int) -> list[Evidence]:
        shown: list[Evidence] = []
        for nth in ranked:
            span = self.spans[nth]
            ends = [end for _, end in iter_words(self.texts[nth])][:words]
            if not ends:
                break
            shown.append(Evidence(span.chapter_id, span.start, span.start + ends[-1]))
            words -= len(ends)
        return shown


def _spans(book: AnnotatedBook, size: int) -> list[Evidence]:
    spans = []
    for chapter in book.chapters:
        words = list(iter_words(chapter.body))
        for first in range(0, len(words), size):
            last = words[min(first + size, len(words)) - 1]
            spans.append(Evidence(chapter.chapter_id, words[first][0], last[1]))
    return spans


def _reciprocal_ranks(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    ranks = np.empty(len(scores))
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return np.where(scores > 0, 1 / (_RANK_CONSTANT + ranks), 0.0)
