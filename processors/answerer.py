"""Answers out of the story's own sentences, cited, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from contracts.answers import Answer, Citation, Gap, Spent
from contracts.frozen import Span
from contracts.ports import StoryView
from processors.answer_sentences import AnswerSentence, ranked_sentences
from processors.identity_lookup import defines, find_identity, who_is
from processors.quote_marks import without_stray_marks
from processors.retriever import Reading, Retriever

_ENOUGH: Final = 0.43
"""The support below which there is no answer. On four annotated novels (those of
`replay.evaluation.recall.CHOSEN_ON`) it lets through 93 of 100 right sentences, and holds back
65 of 100 questions whose answer the reader has not come to yet."""

_RARITY_UNIT: Final = 33.0  # three rare terms in one sentence support as much as a share of 1
_ABSENT: Final = 0.7  # what the share of the question that is nowhere in the story takes away
_UNKNOWN_NAME: Final = 0.2  # what a name takes away that the story has not told yet
_SECOND: Final = 1.5  # how much less a second sentence may be worth, to stand beside the first
_CHANNELS: Final = ("passage", "scene")
_IDENTITY: Final = "identity"


@dataclass(frozen=True, slots=True)
class Answerer:
    """Answers questions from what a retriever finds, without a model."""

    retriever: Retriever

    async def answer(
        self, view: StoryView, question: str, words: int, gaps: Sequence[Gap] = ()
    ) -> Answer:
        """Answer in one or two sentences of the story, or abstain where too little speaks for them.

        Asked who somebody is, the story must have said so: by a reveal at or before the as-of,
        whose sentence is the answer, or in a sentence that defines the person. At most `words`
        words are read as evidence.

        Raises:
            TransientError: a store or the embedder is down.
        """
        reading = await self.retriever.read(view, question, words, gaps)
        revealed = await find_identity(view, reading)
        told = () if revealed else _chosen(reading)
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


def _channels(reading: Reading, revealed: Citation | None) -> tuple[str, ...]:
    if revealed is not None:
        return (*_CHANNELS, _IDENTITY)
    return _CHANNELS if reading.searches else ()


def _chosen(reading: Reading) -> Sequence[AnswerSentence]:
    """Return the one or two sentences that answer, in the order of the story; or none."""
    ranked = ranked_sentences(reading)
    question = reading.question
    if who_is(question):
        ranked = [
            each
            for each in ranked
            if defines(_quote(reading, each), question.names, question.language)
        ]
    if not ranked or _support(reading, ranked[0]) < _ENOUGH:
        return []
    near = [each for each in ranked[:2] if each.worth >= ranked[0].worth - _SECOND]
    places = {chapter.chapter_id: place for place, chapter in enumerate(reading.chapters)}
    return sorted(near, key=lambda each: (places[each.extract.candidate.chapter_id], each.start))


def _support(reading: Reading, best: AnswerSentence) -> float:
    """Return how much speaks for the best sentence.

    That is the part of the question that stands in it, less what stands nowhere in the story.
    """
    total = sum(reading.rarities.values())
    absent = {term for term in reading.rarities if not reading.counts.counts.get(term)}
    missing = sum(reading.rarities[term] for term in sorted(absent)) / total
    unknown = _UNKNOWN_NAME if absent & reading.question.names else 0.0
    return best.own * (1 + total / _RARITY_UNIT) - _ABSENT * missing - unknown


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
