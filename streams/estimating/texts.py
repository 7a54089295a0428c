"""What the texts of chapters cost: cutting them into scenes, and placing these.

The questions about a text are made as the segmenter makes them, so their tokens can be counted.
Its answers, and the questions about placement, which hold what the answers will say, are not there
yet: they are taken to be as long as in annotated novels (`shares`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from contracts.errors import PermanentError
from contracts.events import ChapterPublished
from contracts.ids import WorkId
from contracts.ports import Memo, Segmenter
from contracts.scenes import ChapterText
from contracts.words import count_words
from processors.asking import asked_by
from processors.litseg import LitSeg, LitSegLite
from processors.prompts import prompt
from processors.text import read_chapter
from streams.estimating.questions import CountTokens, questions
from streams.estimating.shares import SHARES, Shares
from streams.estimating.tally import Tally

_EARLIER_SHARES: Final = (0.0, 0.5, 0.6)
"""Of LitSeg's answers: what the second and the third question hold of those before."""

_BYTES_A_TOKEN: Final = 4.3  # prose in UTF-8: English 4 to 4.6, Chinese 4 to 5


@dataclass(slots=True)
class TextEstimator:
    """Adds up what chapters cost; `count` may have the server count.

    `advised`: whether the model is asked where scenes belong.
    """

    segmenter: Segmenter
    model: str
    memo: Memo
    count: CountTokens
    advised: bool = False
    shares: Shares = SHARES
    counted: bool = True
    words: int = 0
    problems: list[str] = field(default_factory=list)
    chapters: Counter[WorkId] = field(default_factory=Counter)
    cutting: Tally = field(default_factory=lambda: Tally("segmentation"))
    placing: Tally = field(default_factory=lambda: Tally("placement"))
    _ours: dict[str, float] = field(default_factory=dict)
    _tokens_shown: float = 0
    _words_shown: int = 0

    async def add(self, events: Iterable[ChapterPublished]) -> None:
        """Add what segmenting the chapters of `events` costs.

        Raises:
            TransientError: the memo cannot be reached, or the model's context is too small.
        """
        for event in events:
            self.chapters[event.work_id] += 1
            try:
                chapter = read_chapter(event)
            except PermanentError as error:
                self.problems.append(f"chapter {event.chapter_id}: {error}")
                continue
            self.words += count_words(chapter.text)
            await self._cut(chapter)

    async def add_placing(self, works: Iterable[int]) -> None:
        """Add what placing costs, for works of so many chapters each."""
        if not self.advised:
            return
        frame = await self.tokens_of_ours(prompt("placement"))
        for chapters in works:
            calls, shown = self.shares.placing(chapters)
            read = calls * frame + shown * self._tokens_a_word
            self.placing.add(calls, read, calls * self.shares.placement * self._tokens_a_word)

    async def _cut(self, chapter: ChapterText) -> None:
        if not isinstance(self.segmenter, LitSegLite | LitSeg) or not chapter.sentences:
            return
        for text, requests in questions(self.segmenter, chapter):
            told = await self.tokens(text)
            self._tokens_shown += told
            self._words_shown += count_words(text)
            answer = self.shares.answer * told
            read = 0.0
            for nth, request in enumerate(requests):
                read += await self.tokens_of_ours(request.system)
                read += await self.tokens(request.user)
                read += _EARLIER_SHARES[nth] * answer
            known = await self.memo.get(asked_by(requests[0], self.model)) is not None
            self.cutting.add(len(requests), read, answer, remembered=known)

    async def tokens_of_ours(self, text: str) -> float:
        """Return the tokens of a text of ours, which is the same in many questions."""
        if text not in self._ours:
            self._ours[text] = await self.tokens(text)
        return self._ours[text]

    async def tokens(self, text: str) -> float:
        """Return the tokens of `text`, as the server counts them, or by its length."""
        told = await self.count(text) if self.counted else None
        if told is None:
            self.counted = False
            return len(text.encode()) / _BYTES_A_TOKEN
        return told

    @property
    def _tokens_a_word(self) -> float:
        return self._tokens_shown / self._words_shown if self._words_shown else 1.0
