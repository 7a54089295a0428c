"""What one block shows of itself, before any comparison with its neighbours."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from contracts.scenes import ChapterText
from processors.blocks import Block, block_text
from processors.cue_words import Cues, cues_of
from processors.names import find_mentions
from processors.speech import speech_share

_MOST_CLOSINGS: Final = 3
_MOST_ARRIVING: Final = 2
_VERY_HEAD: Final = 40
"""A time among the first code points sets the scene; later in the sentence it may be any time."""

_SENTENCE_HEAD: Final = 200
_ASKS: Final = re.compile(r"[?？][\s\"”’'»」』)]*\Z")
_RUNS_ON: Final = re.compile(r"[,:;—–，：；、-][\s\"”’'»」』)]*\Z")
_OPENS_SPEECH: Final = re.compile(r"\s*[\"“„«»「『‘'—–-]")
_BEFORE_WORDS: Final = re.compile(r"^[\W_]+")
_WORD: Final = re.compile(r"[^\W\d_]+")
PERSONS: Final = 7
"""As many persons as a language's pronouns may tell apart."""


@dataclass(frozen=True, slots=True)
class BlockSignals:
    """Signals of one block.

    `speech` is the share of its text inside quotation marks (0 to 1), `closings` the number of
    closing cues near its end, at most 3, `arriving` of comings and goings in its first sentence,
    at most 2, `places` of places in all of it; `names` are (name, count) pairs; `persons` counts
    the pronouns of each person.
    """

    words: int
    paragraph: int
    speech: float
    opens_speech: bool
    asks: bool
    runs_on: bool
    opening: bool
    dated: bool
    dated_first: bool
    leaning: bool
    closings: int
    arriving: int
    places: int
    names: tuple[tuple[str, int], ...]
    persons: tuple[int, ...]


def signals_of(chapter: ChapterText, blocks: Sequence[Block]) -> tuple[BlockSignals, ...]:
    """Return the signals of each block, in order."""
    cues = cues_of(chapter.language)
    mentions = find_mentions(chapter, [(block.first, block.last) for block in blocks])
    return tuple(
        _signals(chapter, block, cues, tuple((m.name, m.count) for m in named))
        for block, named in zip(blocks, mentions, strict=True)
    )


def _signals(
    chapter: ChapterText, block: Block, cues: Cues, names: tuple[tuple[str, int], ...]
) -> BlockSignals:
    text = block_text(chapter, block)
    told = _BEFORE_WORDS.sub("", text[: 2 * cues.head])
    sentence = chapter.sentences[block.first - 1]
    first = chapter.text[sentence.start : min(sentence.end, sentence.start + _SENTENCE_HEAD)]
    return BlockSignals(
        words=block.words,
        paragraph=block.paragraph,
        speech=speech_share(text),
        opens_speech=_OPENS_SPEECH.match(text) is not None,
        asks=_ASKS.search(text[-10:]) is not None,
        runs_on=_RUNS_ON.search(text[-10:]) is not None,
        opening=cues.opening.search(told[: cues.head]) is not None,
        dated=cues.dated.search(told[: cues.head]) is not None,
        dated_first=cues.dated.search(told[:_VERY_HEAD]) is not None,
        leaning=cues.leaning.match(told) is not None,
        closings=min(_MOST_CLOSINGS, len(cues.closing.findall(text[-cues.tail :]))),
        arriving=min(_MOST_ARRIVING, len(cues.arriving.findall(first))),
        places=len(cues.places.findall(text)),
        names=names,
        persons=_persons(text, cues),
    )


def _persons(text: str, cues: Cues) -> tuple[int, ...]:
    counts = [0] * PERSONS
    if cues.persons:
        for word, count in Counter(_WORD.findall(text.lower())).items():
            if word in cues.persons:
                counts[cues.persons[word]] += count
    return tuple(counts)
