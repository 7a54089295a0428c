"""How answers without a model do: `python -m replay.evaluation.answers [BOOK …]`.

For the questions of the annotated English novels: how often the whole story is answered, how
often an answer's citation touches the gold evidence (of those answered), how often a reader is
answered who has just read the chapter after which the answer can be known, and how often one who is
a chapter short of it is told nothing. When to answer was fitted on the ten other novels
(`replay.evaluation.fitting_answers`).
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
from replay.evaluation.fitting_answers import held_out_judge
from replay.evaluation.held_out_search import held_out_retriever
from replay.evaluation.held_out_segmenter import held_out_segmenter

_WORDS: Final = 1_000


@dataclass(frozen=True, slots=True)
class AnswerFigures:
    """Shares: of questions answered, of answers on the evidence, of those asked in time and early.

    `early` counts the questions that can be asked too early.
    """

    answered: float
    on_evidence: float
    answered_after: float
    early_abstained: float
    early: int


async def measure(name: str) -> AnswerFigures:
    """Ask a book's questions of its whole story, and around the chapter that makes them known."""
    embedder = SifEmbedder()
    indexed = await index(load(name), held_out_segmenter(name, embedder), embedder)
    retriever = held_out_retriever(indexed, embedder)
    answerer = Answerer(retriever, held_out_judge(name))
    questions = indexed.book.questions
    whole = [await _asked(answerer, indexed, each, None) for each in questions]
    hits = [
        _touches(answer, asked)
        for asked, answer in zip(questions, whole, strict=True)
        if not answer.abstained
    ]
    hidden = [each for each in questions if each.knowable_from > 0]
    after = [await _asked(answerer, indexed, each, each.knowable_from) for each in hidden]
    early = [await _asked(answerer, indexed, each, each.knowable_from - 1) for each in hidden]
    return AnswerFigures(
        answered=fmean(not answer.abstained for answer in whole),
        on_evidence=fmean(hits) if hits else 0.0,
        answered_after=fmean(not answer.abstained for answer in after) if after else 0.0,
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
        fmean(each.answered_after for each in figures),
        fmean(each.early_abstained for each in figures),
    ]
    shown = "".join(f"{column:14.3f}" for column in columns)
    print(f"{name:32}{shown}{sum(each.early for each in figures):8}")


async def _report(names: Sequence[str]) -> None:
    titles = ("answered", "on evidence", "after k", "before: none")
    print(f"{'':32}" + "".join(f"{title:>14}" for title in titles) + f"{'k > 0':>8}")
    measured = {}
    for name in names:
        measured[name] = await measure(name)
        _print(name, [measured[name]])
    _print("mean", list(measured.values()))


if __name__ == "__main__":
    asyncio.run(_report(sys.argv[1:] or ENGLISH))
