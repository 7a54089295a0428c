"""Blocks: the smallest pieces that a scene boundary may lie between.

A block is a paragraph. A paragraph so long that a scene may well end inside it is taken sentence
by sentence. Blocks of one stretch stand together, since no scene leaves its stretch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from contracts.scenes import ChapterText
from contracts.words import count_words

_LONG_PARAGRAPH: Final = 900
"""Words: twice a common scene. Shorter paragraphs are hardly ever two scenes."""

_MOST_BLOCKS: Final = 20_000
"""A novel of 700,000 words as one chapter has 15,000 paragraphs; a body of empty shouts could
have a million, and each takes two kilobytes of vectors."""


@dataclass(frozen=True, slots=True)
class Block:
    """Sentences `first` to `last` (from 1, both included) with their words (at least one each).

    `paragraph` has the words of the paragraph that opens with the block, 0 if none does.
    """

    first: int
    last: int
    words: int
    paragraph: int


def stretch_blocks(chapter: ChapterText, pace: float) -> tuple[tuple[Block, ...], ...]:
    """Return the blocks of each stretch of `chapter`, in order; none is left out.

    Args:
        chapter: the text, with at least one sentence.
        pace: how many words of this language tell what one English word tells.
    """
    words = [max(1, count_words(chapter.text[s.start : s.end])) for s in chapter.sentences]
    least = -(-sum(words) // _MOST_BLOCKS)
    starts = sorted({1, *chapter.stretch_starts, *chapter.paragraph_starts})
    paragraphs = list(pairwise([*starts, len(words) + 1]))
    hard = {1, *chapter.stretch_starts}
    stretches: list[list[Block]] = []
    for first, after in paragraphs:
        if first in hard:
            stretches.append([])
        _append(stretches[-1], _blocks(words, first, after, _LONG_PARAGRAPH * pace), least)
    return tuple(tuple(blocks) for blocks in stretches)


def block_text(chapter: ChapterText, block: Block) -> str:
    """Return the text of a block."""
    start = chapter.sentences[block.first - 1].start
    return chapter.text[start : chapter.sentences[block.last - 1].end]


def _blocks(words: Sequence[int], first: int, after: int, most: float) -> Iterator[Block]:
    total = sum(words[first - 1 : after - 1])
    if total <= most:
        yield Block(first, after - 1, total, total)
        return
    for number in range(first, after):
        yield Block(number, number, words[number - 1], total if number == first else 0)


def _append(blocks: list[Block], more: Iterator[Block], least: int) -> None:
    """Append blocks; one that follows a block of fewer than `least` words joins it."""
    for block in more:
        if blocks and blocks[-1].words < least:
            head = blocks[-1]
            blocks[-1] = Block(head.first, block.last, head.words + block.words, head.paragraph)
        else:
            blocks.append(block)
