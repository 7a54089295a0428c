"""The questions that will be asked about an input's chapters, made as the segmenter makes them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator

from pydantic import ValidationError

from contracts.chat import ChatRequest
from contracts.events import ChapterPublished, chapter_event
from contracts.scenes import ChapterText
from processors.litseg import LitSeg, LitSegLite
from streams.inputs.json_lines import read_lines
from streams.inputs.values import ChapterInput, EventInput

CountTokens = Callable[[str], Awaitable[int | None]]
"""Has the model's server count; None where it cannot."""


def published_of(given: ChapterInput | EventInput) -> Iterator[ChapterPublished]:
    """Yield the chapters that `given` publishes; what is no event is somebody else's trouble."""
    if isinstance(given, ChapterInput):
        yield from given.chapters
        return
    for line in read_lines(given.path):
        try:
            event = chapter_event.validate_json(line.value)
        except ValidationError:
            continue
        if isinstance(event, ChapterPublished):
            yield event


def questions(
    segmenter: LitSegLite | LitSeg, chapter: ChapterText
) -> Iterator[tuple[str, tuple[ChatRequest, ...]]]:
    """Yield the text of each chunk and what will be asked about it, one call after the other."""
    shown = segmenter.shown(chapter)
    first = 1
    while first <= len(chapter.sentences):
        chunk = shown.chunk_from(first)
        first = chunk.last + 1
        text = shown.text(chunk)
        yield text, segmenter.requests(chapter, chunk, text, shown.bytes(chunk))


async def no_count(_text: str) -> None:
    """Stand in for a server where there is none."""
