"""The sentences of what was found, each weighed as an answer to the question.

The weights were fitted on the tales of FairytaleQA (explicit answers, 480 questions over twelve
collections): the likelier of a passage's sentences to hold the answer has the higher sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from contracts.words import count_words
from processors.answer_signs import shows
from processors.extracts import Extract
from processors.passage_sentences import sentences_within
from processors.retriever import Reading
from processors.terms import terms_of

_OWN: Final = 5.4  # the share of the question's rarity that stands in the sentence
_BESIDE: Final = 2.3  # what stands in the sentences beside it only
_PASSAGE: Final = 1.8  # its passage's score, as a share of the best
_EXTRACT: Final = 2.3  # its extract's, which knows the words nearby
_SIGN: Final = 1.1  # a sign of what is asked for
_LENGTH: Final = 0.6  # forty words or more; a long sentence holds more
_SHORT: Final = -0.6
_ASKS: Final = -0.6  # a question answers none
_LONG_WORDS: Final = 40
_SHORT_WORDS: Final = 5
_CLOSING_MARKS: Final = "\"”’'»」』)） "


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A sentence, `[start, end)` of its chapter's text, and its worth as an answer.

    `own` is the share of the question's rarity that stands in it, 0 to 1.
    """

    extract: Extract
    start: int
    end: int
    own: float
    worth: float


def ranked_sentences(reading: Reading) -> list[AnswerSentence]:
    """Return the sentences of a reading's extracts, the likeliest answer first.

    Of equals the one that is shown first stays first.
    """
    sentences = [
        sentence for extract in reading.extracts for sentence in _of_extract(reading, extract)
    ]
    return sorted(sentences, key=lambda each: -each.worth)


def _of_extract(reading: Reading, extract: Extract) -> Iterator[AnswerSentence]:
    text = reading.texts[extract.candidate.chapter_id]
    language = reading.question.language
    spans = sentences_within(text, extract.start, extract.end, language)
    terms = [frozenset(terms_of(text[span.start : span.end], language)) for span in spans]
    found = _standing(reading, extract)
    for nth, span in enumerate(spans):
        own = _share(reading, terms[nth])
        around = frozenset().union(*terms[max(0, nth - 1) : nth + 2])
        worth = found + _OWN * own + _BESIDE * (_share(reading, around) - own)
        worth += _form(reading, text[span.start : span.end])
        yield AnswerSentence(extract, span.start, span.end, own, worth)


def _standing(reading: Reading, extract: Extract) -> float:
    """Return what the extract's place among what was found is worth."""
    passage = _part(extract.candidate.score, (each.candidate.score for each in reading.extracts))
    return _PASSAGE * passage + _EXTRACT * _part(
        extract.score, (each.score for each in reading.extracts)
    )


def _part(score: float, scores: Iterable[float]) -> float:
    best = max(scores)
    return score / best if best > 0 else 0.0


def _share(reading: Reading, terms: frozenset[str]) -> float:
    total = sum(reading.rarities.values())
    return sum(rarity for term, rarity in reading.rarities.items() if term in terms) / total


def _form(reading: Reading, sentence: str) -> float:
    """Return what the sentence's form is worth, whatever it speaks of."""
    question = reading.question
    words = count_words(sentence)
    worth = _LENGTH * min(words, _LONG_WORDS) / _LONG_WORDS
    worth += _SHORT if words < _SHORT_WORDS else 0.0
    worth += _ASKS if sentence.rstrip(_CLOSING_MARKS).endswith(("?", "？")) else 0.0
    shown = shows(sentence, question.asked, question.language, question.terms)
    return worth + (_SIGN if shown else 0.0)
