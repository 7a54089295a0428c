"""What segmenting an input will cost, before anything is spent.

The questions are made as the segmenter makes them, so their tokens can be counted. The answers are
not there yet: they are taken to be as long, for their text, as those of annotators.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from pydantic import ValidationError

from contracts.chat import ChatRequest
from contracts.errors import PermanentError
from contracts.events import ChapterPublished, chapter_event
from contracts.ports import Memo, Segmenter
from contracts.reports import EstimateReport
from contracts.scenes import ChapterText
from contracts.words import count_words
from processors.asking import asked_by
from processors.litseg import LitSeg, LitSegLite
from processors.text import read_chapter
from streams.inputs.json_lines import read_lines
from streams.inputs.values import ChapterInput, EventInput

ANSWER_SHARE: Final = 0.25
"""Tokens of an answer for one of the question's text: in annotated novels 0.18 to 0.26. A model
that tells more than one event a scene writes more."""

_EARLIER_SHARES: Final = (0.0, 0.5, 0.6)
"""Of LitSeg's answers: what the second and the third question hold of those before."""

_BYTES_A_TOKEN: Final = 4.3  # prose in UTF-8: English 4 to 4.6, Chinese 4 to 5

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


@dataclass(slots=True)
class Estimator:
    """Adds up what the questions about chapters cost; `count` may have the server count."""

    segmenter: Segmenter
    model: str
    memo: Memo
    count: CountTokens
    counted: bool = True
    calls: int = 0
    remembered: int = 0
    input_tokens: float = 0
    output_tokens: float = 0

    async def estimate(self, chapters: Iterable[ChapterPublished]) -> EstimateReport:
        """Return what segmenting `chapters` will cost.

        Raises:
            TransientError: the memo cannot be reached, or the model's context is too small.
        """
        number = words = 0
        problems: list[str] = []
        for event in chapters:
            number += 1
            try:
                chapter = read_chapter(event)
            except PermanentError as error:
                problems.append(f"chapter {event.chapter_id}: {error}")
                continue
            words += count_words(chapter.text)
            await self._add(chapter)
        return EstimateReport(
            segmenter=self.segmenter.version.partition(" ")[0],
            model=self.model,
            chapters=number,
            words=words,
            calls=self.calls,
            remembered=self.remembered,
            input_tokens=round(self.input_tokens),
            output_tokens=round(self.output_tokens),
            tokens=round(self.input_tokens + self.output_tokens),
            counted=self.counted and self.calls > 0,
            problems=tuple(problems),
        )

    async def _add(self, chapter: ChapterText) -> None:
        if not isinstance(self.segmenter, LitSegLite | LitSeg) or not chapter.sentences:
            return
        for text, requests in questions(self.segmenter, chapter):
            answer = ANSWER_SHARE * await self._tokens(text)
            self.output_tokens += answer
            self.calls += len(requests)
            if await self.memo.get(asked_by(requests[0], self.model)) is not None:
                self.remembered += len(requests)
            for nth, request in enumerate(requests):
                self.input_tokens += await self._tokens(request.system)
                self.input_tokens += await self._tokens(request.user)
                self.input_tokens += _EARLIER_SHARES[nth] * answer

    async def _tokens(self, text: str) -> float:
        told = await self.count(text) if self.counted else None
        if told is None:
            self.counted = False
            return len(text.encode()) / _BYTES_A_TOKEN
        return told


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
