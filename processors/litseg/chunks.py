"""Cuts a chapter into chunks that a model can be shown, and shows them.

Every line that is shown begins with a label of ours and holds one sentence, from which line ends,
brackets and the marks of chat templates are taken: no text can end its line, forge a number or
pretend that the text is over.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from contracts.scenes import ChapterText
from contracts.words import count_words
from processors.one_line import one_line

MAX_WORDS: Final = 25_000
"""The paper's chunk: beyond it, it says, long contexts are read noticeably worse."""

_BREAK: Final = "---"
_LABEL_BYTES: Final = 12  # "[12345] ", a line end, and an empty line or a break before it


@dataclass(frozen=True, slots=True)
class Chunk:
    """Sentences `first` to `last` of a chapter, both included; in the chunk they count from 1."""

    first: int
    last: int

    @property
    def size(self) -> int:
        """How many sentences it has."""
        return self.last - self.first + 1


class Shown:
    """A chapter's sentences as a model sees them.

    Chunks hold whole paragraphs where one fits, else whole sentences, as many as have at most
    `MAX_WORDS` words and `most_bytes` bytes; of a sentence that is longer than that alone, head
    and end are shown.
    """

    def __init__(self, chapter: ChapterText, most_bytes: int) -> None:
        self._chapter = chapter
        self._most_bytes = most_bytes
        self._lines = [
            _clipped(one_line(chapter.sentence(number)), most_bytes - _LABEL_BYTES)
            for number in range(1, len(chapter.sentences) + 1)
        ]
        self._words = [0, *accumulate(map(count_words, self._lines))]
        self._bytes = [
            0, *accumulate(len(line.encode()) + _LABEL_BYTES for line in self._lines)
        ]  # fmt: skip
        self._paragraphs = set(chapter.paragraph_starts)
        self._stretches = set(chapter.stretch_starts)

    def chunk_from(self, first: int) -> Chunk:
        """Return the chunk that begins with sentence `first`: greedy, as in the paper."""
        count = len(self._lines)
        by_words = bisect_right(self._words, self._words[first - 1] + MAX_WORDS) - 1
        by_bytes = bisect_right(self._bytes, self._bytes[first - 1] + self._most_bytes) - 1
        last = max(first, min(by_words, by_bytes))
        if last >= count:
            return Chunk(first, count)
        opened = next((n for n in range(last + 1, first, -1) if n in self._paragraphs), None)
        return Chunk(first, last if opened is None else opened - 1)

    def text(self, chunk: Chunk) -> str:
        """Return the numbered sentences of `chunk`, paragraphs and the author's breaks kept."""
        lines = []
        for number in range(chunk.first, chunk.last + 1):
            if number > chunk.first and number in self._stretches:
                lines.append(_BREAK)
            elif number > chunk.first and number in self._paragraphs:
                lines.append("")
            lines.append(f"[{number - chunk.first + 1}] {self._lines[number - 1]}")
        return "\n".join(lines)

    def words(self, chunk: Chunk) -> int:
        """Count the words of `chunk`."""
        return self._words[chunk.last] - self._words[chunk.first - 1]

    def bytes(self, chunk: Chunk) -> int:
        """Return how many bytes `chunk` takes at most when it is shown."""
        return self._bytes[chunk.last] - self._bytes[chunk.first - 1]

    def goes_on(self, chunk: Chunk) -> bool:
        """Say whether story text follows that no paratext parts from the chunk."""
        return chunk.last < len(self._lines) and chunk.last + 1 not in self._stretches


def _clipped(line: str, most: int) -> str:
    """Return `line`, or its head and end where it takes more than `most` bytes."""
    encoded = line.encode()
    if len(encoded) <= most:
        return line
    part = max(1, (most - 8) // 2)
    head, end = encoded[:part], encoded[-part:]
    return f"{head.decode(errors='ignore')} … {end.decode(errors='ignore')}"
