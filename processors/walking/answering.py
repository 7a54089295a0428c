"""Answers by a model, each quote checked; by the story's own sentences where there is no model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Final

import structlog

from contracts.answers import Answer, Citation, Gap, SearchResult, Spent
from contracts.budgets import USUAL, Budget
from contracts.explanations import ExplainedAnswer, Explanation
from contracts.ids import ChapterId
from contracts.ports import BoundStory
from processors.answerer import Answerer
from processors.extracts import Extract
from processors.retriever import Retriever, with_changed
from processors.searching import row_pair, unconfirmed
from processors.story_map.showing import Maps
from processors.walking.evidence import MAP, QUERY, Evidence
from processors.walking.meter import Clock, Meter
from processors.walking.moves import Said
from processors.walking.quotes import found_in, pieces
from processors.walking.reader import ModelReader
from processors.walking.strategies import ADAPTIVE, Strategy
from processors.walking.walk import Question, Walked, Walker

_MOST_CITED: Final = 6
_FIRST: Final = (MAP, QUERY)  # of the channels that an answer names
_NO_QUOTE: Final = "nothing that the model quoted stands in the passages"
_MOVED: Final = "the story was changed while it was read"

_log: Final = structlog.stdlib.get_logger()


@dataclass(frozen=True, slots=True)
class WalkingAnswerer:
    """Answers questions by walking through a story with a model, if `reader` has one.

    Where the model fails (it is down, or twice says nothing that can be read, or the budget does
    not reach), the answer is the one that there would be without a model: a reader is never told
    to come back later.
    """

    retriever: Retriever
    reader: ModelReader | None = None
    strategy: Strategy = ADAPTIVE
    clock: Clock = monotonic
    maps: Maps = field(default_factory=Maps)

    async def answer(
        self,
        view: BoundStory,
        question: str,
        words: int,
        gaps: Sequence[Gap] = (),
        budget: Budget = USUAL,
    ) -> Answer:
        """Answer in a sentence or two, cited, or abstain.

        Raises:
            TransientError: a store or the embedder is down.
        """
        if self.reader is None:
            return await Answerer(self.retriever).answer(view, question, words, gaps)
        return (await self.explained(view, question, words, gaps, budget)).answer

    async def explained(
        self,
        view: BoundStory,
        question: str,
        words: int,
        gaps: Sequence[Gap] = (),
        budget: Budget = USUAL,
    ) -> ExplainedAnswer:
        """Answer as `answer` does, and say what was looked at and why.

        Raises:
            TransientError: a store or the embedder is down.
        """
        asked = Question(question, words, budget, self.strategy, answers=True, gaps=tuple(gaps))
        meter = Meter(budget, self.clock)
        walked = await self._walked(view, asked, meter)
        cited = _Cited.of(walked)
        _log.info(
            "question_walked",
            ended=walked.ended,
            rounds=meter.rounds,
            model_calls=meter.model_calls,
            tokens=meter.tokens,
            citations=len(cited.citations),
            dropped_quotes=cited.dropped,
            seconds=round(meter.seconds, 3),
        )
        plain = Answerer(self.retriever)
        if self.reader is None:
            answer = await plain.answered(view, walked.evidence.reading)
        elif walked.said is None:
            answer = await plain.answer(view, question, words, gaps)
            answer = answer.model_copy(update={"spent": _with_walk(answer.spent, meter)})
        else:
            answer = _answer(view, walked, cited, meter)
        return ExplainedAnswer(
            answer=answer, explanation=self._explanation(view, asked, walked, cited, meter)
        )

    async def search(
        self,
        view: BoundStory,
        question: str,
        words: int,
        gaps: Sequence[Gap] = (),
        budget: Budget = USUAL,
    ) -> SearchResult:
        """Return the passages that bear on a question: the evidence of a walk without an answer.

        Raises:
            TransientError: a store or the embedder is down.
        """
        if self.reader is None:
            return await self.retriever.search(view, question, words, gaps)
        asked = Question(question, words, budget, self.strategy, answers=False, gaps=tuple(gaps))
        walked = await self._walked(view, asked, Meter(budget, self.clock))
        reading = walked.evidence.reading
        return SearchResult(
            as_of=view.as_of,
            words=reading.words,
            indexed_to=reading.indexed_to,
            gaps=reading.gaps,
            passages=walked.evidence.passages(),
        )

    async def _walked(self, view: BoundStory, asked: Question, meter: Meter) -> Walked:
        """Walk; again if what was read has changed meanwhile; then without what still changes."""
        walker = Walker(self.retriever, self.maps, self.reader)
        walked = await walker.walk(view, asked, meter)
        if await _lost(view, walked):
            walked = await walker.walk(view, asked, meter)
            walked = _without(walked, await _lost(view, walked))
        return walked

    def _explanation(
        self, view: BoundStory, asked: Question, walked: Walked, cited: _Cited, meter: Meter
    ) -> Explanation:
        trail = walked.trail
        abstains = bool(walked.said and walked.said.answer and not cited.citations)
        timing = trail.timing.model_copy(update={"seconds": round(meter.seconds, 3)})
        return Explanation(
            strategy=asked.strategy.name if self.reader else "static",
            model=self.reader.chat.model if self.reader else "",
            as_of=view.as_of,
            budget=asked.budget,
            map=trail.map,
            rounds=tuple(trail.rounds),
            concluding=trail.concluding,
            evidence=walked.evidence.passages(),
            dropped_quotes=cited.dropped,
            ended=_NO_QUOTE if abstains else walked.ended,
            fell_back=walked.failure,
            timing=timing,
        )


@dataclass(frozen=True, slots=True)
class _Cited:
    """The quotes of an answer that stand in its evidence, who found them, how many do not."""

    citations: tuple[Citation, ...]
    channels: tuple[str, ...]
    dropped: int

    @classmethod
    def of(cls, walked: Walked) -> _Cited:
        """Look every quote up, and where something was left out of one, its pieces."""
        evidence, dropped = walked.evidence, 0
        found: dict[Citation, str] = {}
        for quote in walked.said.quotes if walked.said else ():
            whole = _place(evidence, quote)
            parts = [whole] if whole else [_place(evidence, part) for part in pieces(quote)]
            places = [part for part in parts if part]
            dropped += not places
            for extract, citation in places:
                found.setdefault(citation, evidence.channel_of(extract))
        kept = dict(list(found.items())[:_MOST_CITED])
        channels = tuple(sorted(set(kept.values()), key=lambda each: (each not in _FIRST, each)))
        return cls(tuple(kept), channels, dropped)


def _place(evidence: Evidence, quote: str) -> tuple[Extract, Citation] | None:
    """Return the first extract that holds `quote`, and the citation of it."""
    reading = evidence.reading
    for extract in reading.extracts:
        candidate = extract.candidate
        text = reading.texts[candidate.chapter_id]
        span = found_in(quote, text, extract.start, extract.end)
        if span is not None:
            start, end = span
            return extract, Citation(
                chapter_id=candidate.chapter_id,
                ordinal=reading.ordinal_of(candidate.chapter_id),
                scene_id=candidate.scene_id,
                start=start,
                end=end,
                quote=text[start:end],
            )
    return None


def _answer(view: BoundStory, walked: Walked, cited: _Cited, meter: Meter) -> Answer:
    reading = walked.evidence.reading
    text = walked.said.answer if walked.said and cited.citations else ""
    return Answer(
        answer=text,
        abstained=not text,
        as_of=view.as_of,
        indexed_to=reading.indexed_to,
        gaps=reading.gaps,
        citations=cited.citations if text else (),
        spent=Spent(
            searches=meter.searches,
            passages=len(reading.extracts),
            evidence_words=reading.words,
            rounds=meter.rounds,
            model_calls=meter.model_calls,
            tokens=meter.tokens,
        ),
        channels=cited.channels if text else (),
    )


def _with_walk(spent: Spent, meter: Meter) -> Spent:
    """Return what an answer without a model has cost, and with it the walk that came to none."""
    return spent.model_copy(
        update={
            "searches": spent.searches + meter.searches,
            "rounds": spent.rounds + meter.rounds,
            "model_calls": meter.model_calls,
            "tokens": meter.tokens,
        }
    )


async def _lost(view: BoundStory, walked: Walked) -> frozenset[ChapterId]:
    """Return the chapters that a walk has read of and that readers may no longer see so.

    A model takes its time, and a chapter may be withdrawn meanwhile.
    """
    before, now = walked.trail.outline, await view.outline()
    if now is before:
        return frozenset()
    there = {scene.scene_id for scene in now.scenes}
    extracts = walked.evidence.reading.extracts
    gone = await unconfirmed(view, (extract.candidate.hit for extract in extracts))
    return frozenset(
        [scene.chapter_id for scene in before.scenes if scene.scene_id not in there]
        + [e.candidate.chapter_id for e in extracts if row_pair(e.candidate.hit) in gone]
    )


def _without(walked: Walked, lost: Collection[ChapterId]) -> Walked:
    """Leave out what was lost, and name its chapters among the gaps; an answer may rest on it."""
    if not lost:
        return walked
    reading = walked.evidence.reading
    gaps = with_changed(reading.gaps, reading.chapters, lost)
    kept = tuple(each for each in reading.extracts if each.candidate.chapter_id not in lost)
    rest = replace(reading, extracts=kept, gaps=gaps)
    said = None if walked.said is None else Said()
    evidence = replace(walked.evidence, reading=rest)
    return replace(walked, evidence=evidence, said=said, ended=_MOVED)
