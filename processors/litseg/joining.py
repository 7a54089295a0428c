"""A chapter chunk by chunk, joined without seams.

Where a chunk ends only because no more fits, its last scene may not be over. It is asked for again
with what follows: the next chunk begins with it. So no scene ends where only a chunk does, and each
is cut by a model that saw all of it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from contracts.scenes import ChapterText, Repairs, Segment
from processors.coverage import added
from processors.litseg.chunks import Chunk, Shown
from processors.remembering import Tried

_MOST_AGAIN: Final = 1 / 3
"""Of a chunk's bytes: a longer last scene is not read twice, it ends with its chunk."""


@dataclass(frozen=True, slots=True)
class ChunkScenes:
    """The usable segments of a chunk, counted from 1, what was dropped, and what it cost.

    `calls` counts all answers, `made` those among them that were asked for now.
    """

    segments: tuple[Segment, ...]
    repairs: Repairs
    calls: int
    made: int
    input_tokens: int
    output_tokens: int

    @classmethod
    def of(cls, usable: tuple[tuple[Segment, ...], Repairs], *steps: Tried[Any]) -> ChunkScenes:
        """Return what could be used of the answers that these steps have got."""
        segments, repairs = usable
        return cls(
            segments=segments,
            repairs=repairs,
            calls=sum(step.attempts for step in steps),
            made=sum(step.calls for step in steps),
            input_tokens=sum(step.input_tokens for step in steps),
            output_tokens=sum(step.output_tokens for step in steps),
        )


@dataclass(frozen=True, slots=True)
class ChapterScenes:
    """The same for a chapter; segments in its numbers."""

    segments: tuple[Segment, ...]
    repairs: Repairs
    chunks: int
    calls: int
    made: int
    input_tokens: int
    output_tokens: int


AskChunk = Callable[[Chunk, str], Awaitable[ChunkScenes]]
"""Has the scenes of a chunk told by a model that is shown this text."""


async def chapter_scenes(chapter: ChapterText, shown: Shown, ask: AskChunk) -> ChapterScenes:
    """Return the scenes of `chapter`, asking once a chunk.

    Raises:
        TransientError: as `ask` raises it; what was told before it is remembered.
        PermanentError: as `ask` raises it.
    """
    segments: list[Segment] = []
    told: list[ChunkScenes] = []
    first = 1
    while first <= len(chapter.sentences):
        chunk = shown.chunk_from(first)
        scenes = await ask(chunk, shown.text(chunk))
        told.append(scenes)
        again = _asked_again(scenes, chunk, shown)
        first = chunk.last + 1 if again is None else again
        segments += _shifted(scenes.segments, chunk, first)
    return ChapterScenes(
        segments=tuple(segments),
        repairs=added(Repairs(attempts=0), *(each.repairs for each in told)),
        chunks=len(told),
        calls=sum(each.calls for each in told),
        made=sum(each.made for each in told),
        input_tokens=sum(each.input_tokens for each in told),
        output_tokens=sum(each.output_tokens for each in told),
    )


def _asked_again(scenes: ChunkScenes, chunk: Chunk, shown: Shown) -> int | None:
    """Return the chapter's number of the sentence with which the unfinished scene begins."""
    if not shown.goes_on(chunk):
        return None
    *before, last = sorted(scenes.segments, key=lambda each: (each.from_idx, each.to_idx))
    if not before or max(each.to_idx for each in before) >= last.from_idx:
        return None
    tail = Chunk(chunk.first + last.from_idx - 1, chunk.last)
    return tail.first if shown.bytes(tail) <= _MOST_AGAIN * shown.bytes(chunk) else None


def _shifted(segments: Sequence[Segment], chunk: Chunk, before: int) -> list[Segment]:
    """Return, in the chapter's numbers, the segments that begin before sentence `before`."""
    by = chunk.first - 1
    return [
        segment.model_copy(
            update={
                "from_idx": segment.from_idx + by,
                "to_idx": segment.to_idx + by,
                "context": tuple(index + by for index in segment.context),
            }
        )
        for segment in segments
        if segment.from_idx + by < before
    ]
