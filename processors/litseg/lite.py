"""LitSeg-Lite: a chapter's scenes, with all their fields, in one call a chunk."""

from __future__ import annotations

from typing import Final

from contracts.chat import Chat, ChatRequest, Sampling
from contracts.scenes import ChapterText, Segmentation
from processors.litseg.asker import Asker, Limits, Recipe, prompt_tokens
from processors.litseg.chunks import Chunk, Shown
from processors.litseg.joining import ChunkScenes
from processors.litseg.judging import Attempts, usable
from processors.litseg.wire import schema_of
from processors.prompts import prompt
from processors.remembering import Payer

PURPOSE: Final = "segmentation"
_PROMPT: Final = "litseg_lite"
RECIPE: Final = Recipe("litseg-lite", (_PROMPT,), rules=2)
"""The rules' number rises with any change of how chunks are cut and answers are read."""


class LitSegLite:
    """Implements `contracts.ports.Segmenter`. Answers are kept in the memo before their use."""

    def __init__(self, chat: Chat, payer: Payer, sampling: Sampling, limits: Limits) -> None:
        self._asker = Asker(chat, payer, sampling, limits)
        self._schema = schema_of()

    @property
    def version(self) -> str:
        """Prompt, model, sampling and the rules of reading."""
        return self._asker.version(RECIPE)

    async def segment(self, chapter: ChapterText) -> Segmentation:
        """See `Segmenter.segment`; attempts that are spent count, whoever paid for them.

        Raises:
            TransientError: the model or the memo cannot be reached.
            PermanentError: the server does not take this text.
        """
        shown = self.shown(chapter)

        async def ask(chunk: Chunk, text: str) -> ChunkScenes:
            attempts = Attempts(chunk.size)
            request = self.request(chapter, chunk, text, shown.bytes(chunk))
            tried = await self._asker.tried(request, chapter, attempts.read)
            best = tried.value or attempts.best()
            return ChunkScenes.of(usable(best, chunk.size, chapter.language, text), tried)

        return await self._asker.segmentation(chapter, shown, ask, self.version)

    def shown(self, chapter: ChapterText) -> Shown:
        """Return the chapter in chunks that the model can be shown.

        Raises:
            TransientError: the model's context has no room for any text.
        """
        frame = prompt_tokens(prompt(_PROMPT), framed("", chapter.language, 99_999), self._schema)
        return Shown(chapter, self._asker.most_bytes(frame, answers=1))

    def request(
        self, chapter: ChapterText, chunk: Chunk, text: str, text_bytes: int
    ) -> ChatRequest:
        """Return the question about a chunk."""
        user = framed(text, chapter.language, chunk.size)
        return self._asker.request(PURPOSE, prompt(_PROMPT), user, self._schema, text_bytes)

    def requests(
        self, chapter: ChapterText, chunk: Chunk, text: str, text_bytes: int
    ) -> tuple[ChatRequest, ...]:
        """Return all that is asked about a chunk where every answer is valid."""
        return (self.request(chapter, chunk, text, text_bytes),)


def framed(text: str, language: str, count: int) -> str:
    """Return the numbered sentences with what is ours around them."""
    return f"Language: {language}\n\n{text}\n\nThe last sentence is [{count}]."
