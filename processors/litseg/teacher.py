"""LitSeg, the teacher: events, threads, turning points with scenes, in three calls a chunk.

Each call is validated by itself and sees what the calls before it have found. What comes out is an
answer in LitSeg-Lite's schema: what a small model is trained on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeVar

from contracts.chat import Chat, ChatRequest, Sampling, canonical_json
from contracts.scenes import ChapterText, Segmentation
from processors.asking import request_tokens_at_most
from processors.litseg.asker import Asker, Limits, Recipe, prompt_tokens
from processors.litseg.chunks import Chunk, Shown
from processors.litseg.joining import ChunkScenes
from processors.litseg.judging import Attempts, usable
from processors.litseg.lite import framed
from processors.litseg.steps import EventAttempts, ThreadAttempts
from processors.litseg.wire import Answer, schema_of
from processors.prompts import prompt
from processors.remembering import Parse, Payer, Tried

T = TypeVar("T")

_NAME: Final = "litseg"
_STEPS: Final = (
    ("segmentation_events", "litseg_events", ("events", "identities")),
    ("segmentation_threads", "litseg_threads", ("threads",)),
    ("segmentation", "litseg_turning_points", ("turning_points", "segments")),
)
RECIPE: Final = Recipe(_NAME, (_NAME, *(step for _, step, _ in _STEPS)), rules=2)
"""The rules' number rises with any change of how chunks are cut and answers are read."""
_NOTHING: Final = Answer(events=[], threads=[], turning_points=[], segments=[])
SAMPLING: Final = Sampling(temperature=1.0, top_p=0.95)
"""The paper's for the teacher."""


@dataclass(frozen=True, slots=True)
class Taught:
    """The scenes of a chunk and the answer that LitSeg-Lite should have given; None if unusable."""

    scenes: ChunkScenes
    answer: Answer | None
    valid: bool


class LitSeg:
    """Implements `contracts.ports.Segmenter` at three times the price of `LitSegLite`."""

    def __init__(self, chat: Chat, payer: Payer, sampling: Sampling, limits: Limits) -> None:
        self._asker = Asker(chat, payer, sampling, limits)

    @property
    def version(self) -> str:
        """Prompts, model, sampling and the rules of reading."""
        return self._asker.version(RECIPE)

    async def segment(self, chapter: ChapterText) -> Segmentation:
        """See `Segmenter.segment`.

        Raises:
            TransientError: the model or the memo cannot be reached.
            PermanentError: the server does not take this text.
        """
        shown = self.shown(chapter)

        async def ask(chunk: Chunk, text: str) -> ChunkScenes:
            return (await self.taught(chapter, chunk, text, shown.bytes(chunk))).scenes

        return await self._asker.segmentation(chapter, shown, ask, self.version)

    def shown(self, chapter: ChapterText) -> Shown:
        """Return the chapter in chunks that leave room for the results of two steps.

        Raises:
            TransientError: the model's context has no room for any text.
        """
        longest = max((prompt(step) for _, step, _ in _STEPS), key=len)
        user = framed("", chapter.language, 99_999) + longest
        frame = prompt_tokens(prompt(_NAME), user, schema_of())
        return Shown(chapter, self._asker.most_bytes(frame, answers=2))

    async def taught(
        self, chapter: ChapterText, chunk: Chunk, text: str, text_bytes: int
    ) -> Taught:
        """Take the three steps on one chunk.

        A step without a valid answer hands on what could be used of its best one.
        """
        framed_text = framed(text, chapter.language, chunk.size)

        async def step(nth: int, parse: Parse[T], found: Answer) -> Tried[T]:
            request = self._request(nth, framed_text, text_bytes, found)
            return await self._asker.tried(request, chapter, parse)

        found = _NOTHING
        events = EventAttempts(chunk.size)
        first = await step(0, events.read, found)
        found = first.value or events.best()
        threads = ThreadAttempts(len(found.events))
        second = await step(1, threads.read, found)
        found = found.model_copy(update={"threads": second.value or threads.best()})
        attempts = Attempts(chunk.size, found)
        third = await step(2, attempts.read, found)
        steps = (first, second, third)
        best = third.value or attempts.best()
        scenes = ChunkScenes.of(usable(best, chunk.size, chapter.language, text), *steps)
        answer = best.answer if best else None
        return Taught(scenes, answer, valid=all(each.value is not None for each in steps))

    def requests(
        self, chapter: ChapterText, chunk: Chunk, text: str, text_bytes: int
    ) -> tuple[ChatRequest, ...]:
        """Return all that is asked about a chunk, without what the earlier steps will find."""
        framed_text = framed(text, chapter.language, chunk.size)
        return tuple(
            self._request(nth, framed_text, text_bytes, _NOTHING) for nth in range(len(_STEPS))
        )

    def _request(self, nth: int, text: str, text_bytes: int, found: Answer) -> ChatRequest:
        """Return the question of a step; earlier results are left out where they do not fit."""
        purpose, name, parts = _STEPS[nth]
        results = "".join(
            f"{part.capitalize()}:\n{canonical_json(found.model_dump()[part])}\n\n"
            for part in ("events", "threads")[:nth]
        )
        full, bare = (
            self._asker.request(
                purpose,
                prompt(_NAME),
                f"{text}\n\n{told}{prompt(name)}",
                schema_of(*parts),
                text_bytes,
            )
            for told in (results, "")
        )
        room = self._asker.limits.context - full.sampling.max_output_tokens
        return full if request_tokens_at_most(full) <= room else bare
