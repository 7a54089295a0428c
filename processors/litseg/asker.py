"""Asks a model about a chapter, through the memo, until an answer is valid or all are spent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

import structlog

from contracts.chat import Chat, ChatRequest, Sampling
from contracts.errors import PermanentError, TransientError
from contracts.memo import Source
from contracts.scenes import ChapterText, Segmentation
from processors.asking import asked_by, call_of, prompt_version, readable, request_tokens_at_most
from processors.litseg.chunks import Shown
from processors.litseg.joining import AskChunk, chapter_scenes
from processors.prompts import prompt
from processors.remembering import Parse, Payer, Tried, first_valid

T = TypeVar("T")

_ANSWER_SHARE: Final = 0.4
"""Tokens of an answer for one of the text: no chunk is so long that its answer would be cut."""
_ANSWER_BASE: Final = 1_024
_BYTES_PER_TOKEN: Final = 3  # on the high side, as in `asking.request_tokens_at_most`
_LEAST_BYTES: Final = 600

_log: Final = structlog.stdlib.get_logger()


@dataclass(frozen=True, slots=True)
class Limits:
    """How many tokens the model takes, answer included, and how many answers a question gets.

    The paper allows 20 answers; the default here is 3. There a model is free to write what it
    likes, and an invalid answer is lost. Here the server enforces the schema, so that few answers
    are invalid; those lack a few sentences, which repair gives to a neighbour without asking; and
    a chapter on which three draws fail is one on which the next seventeen, at the price of the
    whole chapter each, would mostly fail too.
    """

    context: int
    attempts: int


@dataclass(frozen=True, slots=True)
class Recipe:
    """A way to ask: its name, the prompts it tells, and the version of its rules of reading."""

    name: str
    prompts: tuple[str, ...]
    rules: int

    @property
    def version(self) -> str:
        """Name, a digest of all words of the prompts, rules."""
        words = "\n".join(map(prompt, self.prompts))
        return f"{prompt_version(self.name, words)}.{self.rules}"


@dataclass(slots=True)
class Asker:
    """What LitSeg and LitSeg-Lite have in common."""

    chat: Chat
    payer: Payer
    sampling: Sampling
    limits: Limits
    _server: str | None = field(default=None, init=False)

    def version(self, recipe: Recipe) -> str:
        """Return the version of who asks in this way: model, sampling, limits."""
        return (
            f"{recipe.version} {self.chat.model} "
            f"{self.sampling.canonical()} {self.limits.context}/{self.limits.attempts}"
        )

    def most_bytes(self, words: int, answers: int) -> int:
        """Return how many bytes of text a question holds beside prompts of `words` tokens.

        `answers` is how many answers must fit into the context: the one that is asked for, and
        those to earlier steps.

        Raises:
            TransientError: hardly any; the operator has to set a larger context.
        """
        room = self.limits.context - words - answers * self.sampling.max_output_tokens
        most = min(room, int(self.sampling.max_output_tokens / _ANSWER_SHARE)) * _BYTES_PER_TOKEN
        if most < _LEAST_BYTES:
            raise TransientError(
                f"a context of {self.limits.context:,} tokens leaves no room for text beside "
                f"prompt and answer: raise model_context, or lower max_output_tokens "
                f"({self.sampling.max_output_tokens:,})"
            )
        return most

    def request(
        self, purpose: str, system: str, user: str, schema: Mapping[str, object], text_bytes: int
    ) -> ChatRequest:
        """Return a question about a text of so many bytes; its answer cannot grow without end."""
        limit = min(self.sampling.max_output_tokens, _ANSWER_BASE + text_bytes // _BYTES_PER_TOKEN)
        sampling = self.sampling.model_copy(update={"max_output_tokens": limit})
        return ChatRequest(purpose, system, user, schema, sampling)

    async def tried(self, request: ChatRequest, chapter: ChapterText, parse: Parse[T]) -> Tried[T]:
        """Return the first valid answer to `request`, which shows text of `chapter`.

        Raises:
            TransientError: the model or the memo cannot be reached; no attempt is spent.
            PermanentError: the server does not take this text.
        """
        source = Source(work_id=chapter.work_id, chapter_id=chapter.chapter_id)
        return await first_valid(
            self.payer,
            asked_by(request, self.chat.model),
            (source,),
            call_of(self.chat, request),
            lambda kept: parse(readable(kept)),
            self.limits.attempts,
        )

    async def segmentation(
        self, chapter: ChapterText, shown: Shown, ask: AskChunk, segmenter: str
    ) -> Segmentation:
        """Return the segmentation of `chapter` whose chunks `ask` has told.

        Raises:
            TransientError: as `ask` raises it.
            PermanentError: as `ask` raises it.
        """
        scenes = await chapter_scenes(chapter, shown, ask)
        _log.info(
            "chapter_told",
            chunks=scenes.chunks,
            segments=len(scenes.segments),
            answers=scenes.calls,
            calls=scenes.made,
            input_tokens=scenes.input_tokens,
            output_tokens=scenes.output_tokens,
        )
        return Segmentation(
            segments=scenes.segments,
            segmenter=segmenter,
            repairs=scenes.repairs.model_copy(update={"attempts": scenes.calls}),
            calls=scenes.calls,
            tokens=scenes.input_tokens + scenes.output_tokens,
            model=self.chat.model,
            server=await self._version() if scenes.made else "",
        )

    async def _version(self) -> str:
        """Return the server's version, which is asked for once; it is worth no failure."""
        if self._server is None:
            try:
                self._server = await self.chat.server_version()
            except (TransientError, PermanentError):
                return ""
        return self._server


def prompt_tokens(system: str, user: str, schema: Mapping[str, object]) -> int:
    """Return how many tokens a question takes, at most, without its text."""
    return request_tokens_at_most(ChatRequest("none", system, user, schema, Sampling()))
