"""Answers out of the story's own sentences, cited, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from contracts.answers import Answer, Citation, Gap, Spent
from contracts.frozen import Span
from contracts.ports import BoundStory
from processors.answer_sentences import AnswerSentence, ranked_sentences
from processors.answer_support import JUDGE, Judge, signals
from processors.identity_lookup import defines, find_identity, who_is
from processors.quote_marks import without_stray_marks
from processors.retriever import Reading, Retriever

_SECOND: Final = 1.5  # how much less a second sentence may be worth, to stand beside the first
_CHANNELS: Final = ("passage", "scene")
_IDENTITY: Final = "identity"


@dataclass(frozen=True, slots=True)
class Answerer:
    """Answers questions from what a retriever finds, without a model."""

    retriever: Retriever
    judge: Judge = JUDGE

    async def answer(
        self, view: BoundStory, question: str, words: int, gaps: Sequence[Gap] = ()
    ) -> Answer:
        """Answer in one or two sentences of the story, or abstain where too little speaks for them.

        Asked who somebody is, the story must have said so: by a reveal at or before the as-of,
        whose sentence is the answer, or in a sentence that defines the person. At most `words`
        words are read as evidence.

        Raises:
            TransientError: a store or the embedder is down.
        """
        return await self.answered(view, await self.retriever.read(view, question, words, gaps))

    async def answered(self, view: BoundStory, reading: Reading) -> Answer:
        """Answer as `answer` does from what was read for the question.

        Raises:
            TransientError: a store is down.
        """
        revealed = await find_identity(view, reading)
        told = () if revealed else self._chosen(reading)
        citations = (revealed,) if revealed else tuple(_citation(reading, each) for each in told)
        return Answer(
            answer=" ".join(citation.quote for citation in citations),
            abstained=not citations,
            as_of=view.as_of,
            indexed_to=reading.indexed_to,
            gaps=reading.gaps,
            citations=citations,
            spent=Spent(
                searches=reading.searches,
                passages=len(reading.extracts),
                evidence_words=reading.words,
                rounds=1,
            ),
            channels=_channels(reading, revealed),
        )

    def _chosen(self, reading: Reading) -> Sequence[AnswerSentence]:
        """Return the one or two sentences that answer, in the order of the story; or none."""
        ranked = answering(reading)
        if not ranked or not self.judge.is_enough(signals(reading, ranked[0])):
            return []
        near = [each for each in ranked[:2] if each.worth >= ranked[0].worth - _SECOND]
        return sorted(
            near, key=lambda each: (reading.order[each.extract.candidate.chapter_id], each.start)
        )


def answering(reading: Reading) -> list[AnswerSentence]:
    """Return the sentences that may answer, the likeliest first.

    Asked who somebody is, only those may that say what somebody is.
    """
    ranked, question = ranked_sentences(reading), reading.question
    if not who_is(question):
        return ranked
    return [
        each for each in ranked if defines(_quote(reading, each), question.names, question.language)
    ]


def _channels(reading: Reading, revealed: Citation | None) -> tuple[str, ...]:
    if revealed is not None:
        return (*_CHANNELS, _IDENTITY)
    if not reading.searches:
        return ()
    further = {extract.channel for extract in reading.extracts if extract.channel}
    return (*_CHANNELS, *sorted(further))


def _citation(reading: Reading, sentence: AnswerSentence) -> Citation:
    candidate = sentence.extract.candidate
    text = reading.texts[candidate.chapter_id]
    span = without_stray_marks(text, Span(start=sentence.start, end=sentence.end))
    return Citation(
        chapter_id=candidate.chapter_id,
        ordinal=reading.ordinal_of(candidate.chapter_id),
        scene_id=candidate.scene_id,
        start=span.start,
        end=span.end,
        quote=text[span.start : span.end],
    )


def _quote(reading: Reading, sentence: AnswerSentence) -> str:
    text = reading.texts[sentence.extract.candidate.chapter_id]
    return text[sentence.start : sentence.end]
