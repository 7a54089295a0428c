"""Chapters and vectors made by hand, for tests of what comes after reading and embedding."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import numpy as np

from contracts.events import Format
from contracts.frozen import Span
from contracts.ids import ChapterId, WorkId
from contracts.scenes import ChapterText, Paratext, ParatextReason
from contracts.vectors import DENSE_SCALE, DIMENSIONS, Dense

_PARAGRAPH = re.compile(r"\S(?:.*?\S)??(?=\s*\n\s*\n|\s*\Z)", re.DOTALL)
_SENTENCE = re.compile(r"\S.*?(?:[.!?]+[\"”’]*(?=\s)|[。！？][」』”]*|\Z)", re.DOTALL)
SEPARATOR = "* * *"


def chapter_of(text: str, language: str = "en") -> ChapterText:
    """Read paragraphs parted by blank lines; `SEPARATOR` alone in one opens a new stretch."""
    sentences: list[Span] = []
    paragraphs: list[int] = []
    stretches: list[int] = []
    paratext: list[Paratext] = []
    fresh = True
    for paragraph in _PARAGRAPH.finditer(text):
        start, end = paragraph.span()
        if paragraph.group() == SEPARATOR:
            paratext.append(Paratext(start=start, end=end, reason=ParatextReason.SEPARATOR))
            fresh = True
            continue
        paragraphs.append(len(sentences) + 1)
        if fresh:
            stretches.append(len(sentences) + 1)
            fresh = False
        found = _SENTENCE.finditer(text, start, end)
        sentences.extend(Span(start=match.start(), end=match.end()) for match in found)
    return ChapterText(
        work_id=WorkId("work"),
        chapter_id=ChapterId("1"),
        title="",
        language=language,
        format=Format.TEXT,
        text=text,
        sentences=tuple(sentences),
        paragraph_starts=tuple(paragraphs),
        stretch_starts=tuple(stretches),
        paratext=tuple(paratext),
    )


def numbered(count: int, stretch_starts: Sequence[int] = (1,)) -> ChapterText:
    """Return a chapter of `count` sentences that say nothing."""
    return chapter_of("").model_copy(
        update={
            "text": "Yes. " * count,
            "sentences": tuple(Span(start=5 * n, end=5 * n + 4) for n in range(count)),
            "stretch_starts": tuple(stretch_starts),
        }
    )


class HashedWords:
    """A text embedder that knows no meaning: each word points in a direction of its own."""

    version = "hashed-words"

    async def embed(self, texts: Sequence[str], language: str) -> tuple[Dense, ...]:
        return tuple(_quantised(text) for text in texts)


class NoWords:
    """A text embedder that knows no word of any language."""

    version = "no-words"

    async def embed(self, texts: Sequence[str], language: str) -> tuple[Dense, ...]:
        return tuple(bytes(2 * DIMENSIONS) for _ in texts)


def _quantised(text: str) -> Dense:
    total = np.zeros(DIMENSIONS)
    for word in re.findall(r"\w{4,}|[\u3041-\u9fff]", text.lower()):
        digest = hashlib.blake2b(word.encode(), digest_size=32).digest()
        total += np.unpackbits(np.frombuffer(digest, dtype=np.uint8)) - 0.5
    length = float(np.linalg.norm(total)) or 1.0
    return np.rint(total / length * DENSE_SCALE).astype("<i2").tobytes()
