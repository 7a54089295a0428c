"""How answers without a model do: `python -m replay.evaluation.answers [BOOK …]`.

For the questions of the annotated English novels: how often the whole story is answered, and how
often an answer's citation touches the gold evidence (of those answered). Then as readers who are
somewhere in the story. One who has just read the chapter after which the answer can be known: how
often is there an answer, and how much of the evidence is found in 1,000 words? One who is a chapter
short of it: how often is there none? And those of whom the annotators say what they know then: how
often is there no answer where nothing is known, how often is there one where another answer is
true then, and how often do its quotes hold at least half of that answer's terms?

When to answer was fitted on the ten other novels (`replay.evaluation.fitting_answers`).
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean
from typing import Final

from contracts.answers import Answer
from contracts.ids import WorkId
from contracts.ordinals import Ordinal
from contracts.ports import BoundStory
from processors.answerer import Answerer
from processors.sif import SifEmbedder
from processors.terms import terms_of
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
_UNKNOWN: Final = "unknown"
"""How an annotator's answer as of then begins where there is none."""

_ENOUGH_TERMS: Final = 0.5


@dataclass(frozen=True, slots=True)
class AnswerFigures:
    """A value a question, of those for which it means something; of recall, a share.

    At the head: was it `answered`, was the answer `on_evidence`. After the chapter that makes it
    known: `answered_after`, evidence `recall_after`; before it: `abstained_before`. Of readers
    between: `abstained_unknown` where nothing is known yet, `answered_then` where another answer
    is, `told_then` of the answers they got.
    """

    answered: Sequence[bool]
    on_evidence: Sequence[bool]
    answered_after: Sequence[bool]
    recall_after: Sequence[float]
    abstained_before: Sequence[bool]
    abstained_unknown: Sequence[bool]
    answered_then: Sequence[bool]
    told_then: Sequence[bool]


COLUMNS: Final[Mapping[str, Callable[[AnswerFigures], Sequence[float]]]] = {
    "answered": lambda figures: figures.answered,
    "evidence": lambda figures: figures.on_evidence,
    "after k": lambda figures: figures.answered_after,
    "recall": lambda figures: figures.recall_after,
    "before: none": lambda figures: figures.abstained_before,
    "unknown: none": lambda figures: figures.abstained_unknown,
    "then": lambda figures: figures.answered_then,
    "told then": lambda figures: figures.told_then,
}
"""The figures that are printed, by their heads."""


@dataclass(frozen=True, slots=True)
class Readers:
    """Asks a book's questions as readers of it."""

    indexed: IndexedBook
    answerer: Answerer

    async def asks(self, asked: AskedQuestion, as_of: int | None = None) -> Answer:
        """Return what a reader is told who is at `as_of`, or at the head."""
        return await self.answerer.answer(await self._view(as_of), asked.question, _WORDS)

    async def recall(self, asked: AskedQuestion, as_of: int) -> float:
        """Return the share of the evidence that is found by then."""
        view = await self._view(as_of)
        reading = await self.answerer.retriever.read(view, asked.question, _WORDS)
        shown = [Evidence(e.candidate.chapter_id, e.start, e.end) for e in reading.extracts]
        return share_held(asked.evidence, shown)

    async def _view(self, as_of: int | None) -> BoundStory:
        ordinal = None if as_of is None else Ordinal.parse(as_of)
        view = await self.indexed.tree.view(WorkId(self.indexed.book.name), ordinal)
        if view is None:
            raise SystemExit(f"{self.indexed.book.name} has no chapters")
        return view


async def measure(name: str) -> AnswerFigures:
    """Ask a book's questions of its whole story, and as of the chapters that matter for them."""
    embedder = SifEmbedder()
    indexed = await index(load(name), held_out_segmenter(name, embedder), embedder)
    answerer = Answerer(held_out_retriever(indexed, embedder), held_out_judge(name))
    readers, questions = Readers(indexed, answerer), indexed.book.questions
    whole = [(each, await readers.asks(each)) for each in questions]
    hidden = [each for each in questions if each.knowable_from > 0]
    after = [await readers.asks(each, each.knowable_from) for each in hidden]
    before = [await readers.asks(each, each.knowable_from - 1) for each in hidden]
    between = [(each, as_of, then) for each in questions for as_of, then in each.earlier]
    unknown = [await readers.asks(each, as_of) for each, as_of, then in between if _none(then)]
    known = [
        (await readers.asks(each, as_of), then) for each, as_of, then in between if not _none(then)
    ]
    return AnswerFigures(
        answered=[not answer.abstained for _, answer in whole],
        on_evidence=[_touches(answer, each) for each, answer in whole if not answer.abstained],
        answered_after=[not answer.abstained for answer in after],
        recall_after=[await readers.recall(each, each.knowable_from) for each in hidden],
        abstained_before=[answer.abstained for answer in before],
        abstained_unknown=[answer.abstained for answer in unknown],
        answered_then=[not answer.abstained for answer, _ in known],
        told_then=[_tells(answer, then) for answer, then in known if not answer.abstained],
    )


def _none(then: str) -> bool:
    return then.startswith(_UNKNOWN)


def _touches(answer: Answer, asked: AskedQuestion) -> bool:
    shown = [Evidence(each.chapter_id, each.start, each.end) for each in answer.citations]
    return share_held(asked.evidence, shown) > 0


def _tells(answer: Answer, then: str) -> bool:
    """Say whether an answer's quotes hold enough of the terms of what is true then."""
    wanted, told = set(terms_of(then, "en")), set(terms_of(answer.answer, "en"))
    return len(wanted & told) >= _ENOUGH_TERMS * len(wanted)


def _print(name: str, figures: Sequence[AnswerFigures]) -> None:
    shown = ""
    for column in COLUMNS.values():
        values = list(chain.from_iterable(map(column, figures)))
        shown += f"{fmean(values) if values else 0.0:10.3f} ({len(values):3})"
    print(f"{name:30}{shown}", flush=True)


async def _report(names: Sequence[str]) -> None:
    print(f"{'':30}" + "".join(f"{head:>16}" for head in COLUMNS))
    measured = []
    for name in names:
        measured.append(await measure(name))
        _print(name, measured[-1:])
    _print("all", measured)


if __name__ == "__main__":
    asyncio.run(_report(sys.argv[1:] or ENGLISH))
