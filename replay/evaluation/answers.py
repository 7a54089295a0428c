"""How answers without a model do: `python -m replay.evaluation.answers [BOOK …]`.

For the questions of the annotated English novels: how often the whole story is answered, how
often an answer's citation touches the gold evidence (of those answered), and how often a reader
who is not that far yet is told nothing. The threshold was chosen on the books in `CHOSEN_ON`.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from contracts.answers import Answer
from contracts.ids import WorkId
from contracts.ordinals import Ordinal
from processors.answerer import Answerer
from processors.lexicon import Lexicon
from processors.retriever import Retriever
from processors.sif import SifEmbedder
from replay.evaluation.annotated import (
    ENGLISH,
    AskedQuestion,
    Evidence,
    IndexedBook,
    index,
    load,
    share_held,
)
from replay.evaluation.held_out_segmenter import held_out_segmenter
from replay.evaluation.recall import CHOSEN_ON

_WORDS: Final = 1_000


@dataclass(frozen=True, slots=True)
class AnswerFigures:
    """Shares: of questions answered, of answers on the evidence, of early ones abstained from."""

    answered: float
    on_evidence: float
    early_abstained: float
    early: int


async def measure(name: str) -> AnswerFigures:
    """Ask a book's questions of its whole story, and one chapter before they can be known."""
    embedder = SifEmbedder()
    indexed = await index(load(name), held_out_segmenter(name, embedder), embedder)
    answerer = Answerer(Retriever(embedder, Lexicon(), indexed.vectors))
    questions = indexed.book.questions
    whole = [await _asked(answerer, indexed, each, None) for each in questions]
    hits = [
        _touches(answer, asked)
        for asked, answer in zip(questions, whole, strict=True)
        if not answer.abstained
    ]
    early = [
        await _asked(answerer, indexed, each, each.knowable_from - 1)
        for each in questions
        if each.knowable_from > 0
    ]
    return AnswerFigures(
        answered=fmean(not answer.abstained for answer in whole),
        on_evidence=fmean(hits) if hits else 0.0,
        early_abstained=fmean(answer.abstained for answer in early) if early else 0.0,
        early=len(early),
    )


async def _asked(
    answerer: Answerer, indexed: IndexedBook, asked: AskedQuestion, as_of: int | None
) -> Answer:
    ordinal = None if as_of is None else Ordinal.parse(as_of)
    view = await indexed.tree.view(WorkId(indexed.book.name), ordinal)
    if view is None:
        raise SystemExit(f"{indexed.book.name} has no chapters")
    return await answerer.answer(view, asked.question, _WORDS)


def _touches(answer: Answer, asked: AskedQuestion) -> bool:
    shown = [Evidence(each.chapter_id, each.start, each.end) for each in answer.citations]
    return share_held(asked.evidence, shown) > 0


def _print(name: str, figures: Sequence[AnswerFigures]) -> None:
    columns = [
        fmean(each.answered for each in figures),
        fmean(each.on_evidence for each in figures),
        fmean(each.early_abstained for each in figures),
    ]
    shown = "".join(f"{column:12.3f}" for column in columns)
    print(f"{name:32}{shown}{sum(each.early for each in figures):8}")


async def _report(names: Sequence[str]) -> None:
    print(f"{'':32}{'answered':>12}{'on evidence':>12}{'early: none':>12}{'early':>8}")
    measured = {}
    for name in names:
        measured[name] = await measure(name)
        _print(name, [measured[name]])
    apart = [figures for name, figures in measured.items() if name not in CHOSEN_ON]
    if apart:
        _print("mean of books not chosen on", apart)


if __name__ == "__main__":
    asyncio.run(_report(sys.argv[1:] or ENGLISH))
