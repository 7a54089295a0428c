"""What one block shows of itself, before any comparison with its neighbours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from contracts.scenes import ChapterText
from processors.blocks import Block, block_text
from processors.cue_words import Cues, cues_of
from processors.names import find_mentions
from processors.speech import speech_share

_MOST_CLOSINGS: Final = 3
_ASKS: Final = re.compile(r"[?？][\s\"”’'»」』)]*\Z")
_RUNS_ON: Final = re.compile(r"[,:;—–，：；、-][\s\"”’'»」』)]*\Z")
_BEFORE_WORDS: Final = re.compile(r"^[\W_]+")


@dataclass(frozen=True, slots=True)
class BlockSignals:
    """Signals of one block.

    `speech` is the share of its text inside quotation marks (0 to 1), `closings` the number of
    closing cues near its end, at most 3; `names` are (name, count) pairs.
    """

    words: int
    paragraph: int
    speech: float
    asks: bool
    runs_on: bool
    opening: bool
    leaning: bool
    closings: int
    names: tuple[tuple[str, int], ...]


def signals_of(chapter: ChapterText, blocks: Sequence[Block]) -> tuple[BlockSignals, ...]:
    """Return the signals of each block, in order."""
    cues = cues_of(chapter.language)
    mentions = find_mentions(chapter, [(block.first, block.last) for block in blocks])
    return tuple(
        _signals(block, block_text(chapter, block), cues, tuple((m.name, m.count) for m in named))
        for block, named in zip(blocks, mentions, strict=True)
    )


def _signals(
    block: Block, text: str, cues: Cues, names: tuple[tuple[str, int], ...]
) -> BlockSignals:
    told = _BEFORE_WORDS.sub("", text[: 2 * cues.head])
    return BlockSignals(
        words=block.words,
        paragraph=block.paragraph,
        speech=speech_share(text),
        asks=_ASKS.search(text[-10:]) is not None,
        runs_on=_RUNS_ON.search(text[-10:]) is not None,
        opening=cues.opening.search(told[: cues.head]) is not None,
        leaning=cues.leaning.match(told) is not None,
        closings=min(_MOST_CLOSINGS, len(cues.closing.findall(text[-cues.tail :]))),
        names=names,
    )
