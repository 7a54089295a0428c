"""Which questions two generations are compared by: drawn by hash, the same whenever they are drawn.

Half of them at most are what readers asked lately. The others are the most telling sentences of
chapters, asked for as of their own chapter, or of the whole story as far as both have it.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from pydantic import ValidationError

from contracts.events import QuestionAsked
from contracts.frozen import Span
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from contracts.ports import EventLog, PassageCounts, TreeStore
from contracts.topics import QUESTIONS
from contracts.works import ChapterContent, ChapterRecord, WorkRecord
from processors.lexicon import Lexicon
from processors.passage_reading import read_passage
from streams.intakes import question_event

_LATEST: Final = 5_000
"""Records of `questions`, the newest, among which is drawn: enough for any sample, read in a
second."""

_FEWEST_WORDS: Final = 8
"""Of a sentence that is asked for: "He did not." stands in every chapter."""

_MOST_WORDS: Final = 60
_MOST_OF_A_CHAPTER: Final = 5  # the next most telling ones say little that others do not
_NOWHERE: Final = PassageCounts(passages=0, counts={})


@dataclass(frozen=True, slots=True)
class Draw:
    """How many questions are drawn, and of which draw."""

    count: int
    seed: str

    def order(self, *names: object) -> bytes:
        """Return what of many is drawn: those with the lowest."""
        told = "\n".join(map(str, (self.seed, *names)))
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).digest()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence stands: code points of a chapter's text, and that text."""

    chapter_id: ChapterId
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class SampledQuestion:
    """A question on a work as of an ordinal; `place` is where its sentence stands, if it is one."""

    work_id: WorkId
    as_of: Ordinal
    question: str
    place: Place | None = None


async def asked_questions(
    log: EventLog, draw: Draw, works: Iterable[WorkId]
) -> tuple[SampledQuestion, ...]:
    """Draw among the questions on `works` that were asked lately, each counted once.

    Raises:
        TransientError: the log cannot be used now.
    """
    known = frozenset(works)
    found = {
        SampledQuestion(each.work_id, each.as_of, each.question)
        async for each in _latest(log)
        if each.work_id in known
    }
    ranked = sorted(
        found, key=lambda each: draw.order("asked", each.work_id, each.as_of, each.question)
    )
    return tuple(ranked[: draw.count])


async def _latest(log: EventLog) -> AsyncIterator[QuestionAsked]:
    """Yield what was asked, of every partition as much."""
    ends = await log.ends(QUESTIONS)
    for partition, end in enumerate(ends):
        start = max(0, end - _LATEST // len(ends))
        async for record in log.span(QUESTIONS, partition, start, end):
            try:
                yield question_event.validate_json(record.value or b"")
            except ValidationError:
                continue  # a dead letter, which nobody answers


@dataclass(frozen=True, slots=True)
class SentenceSampler:
    """Makes questions of the sentences of a generation."""

    tree: TreeStore
    lexicon: Lexicon
    draw: Draw

    async def __call__(
        self, shared: Mapping[WorkId, Sequence[ChapterRecord]], works: Mapping[WorkId, WorkRecord]
    ) -> tuple[SampledQuestion, ...]:
        """Return sentences of chapters that are drawn: of each work some, as far as they go.

        Where there are fewer chapters than questions, several of each.

        `shared` are the chapters, in story order, that readers of both generations see; `works`
        are those works in the generation whose texts are read.

        Raises:
            TransientError: the store is down.
        """
        chosen = self._chapters(shared)
        each_one = min(_MOST_OF_A_CHAPTER, -(-self.draw.count // max(1, len(chosen))))
        drawn: dict[WorkId, list[ChapterRecord]] = {}
        for work_id, chapter in chosen:
            drawn.setdefault(work_id, []).append(chapter)
        made: list[SampledQuestion] = []
        for work_id, chapters in drawn.items():
            head = shared[work_id][-1].story_place
            ids = [chapter.chapter_id for chapter in chapters]
            contents = await self.tree.contents(work_id, works[work_id].generation, ids)
            for chapter in chapters:
                content = contents.get(chapter.chapter_id)
                if content is not None:
                    told = self._most_telling(chapter, content, each_one)
                    made += (self._asked(work_id, chapter, head, place) for place in told)
        return tuple(made[: self.draw.count])

    def _chapters(
        self, shared: Mapping[WorkId, Sequence[ChapterRecord]]
    ) -> list[tuple[WorkId, ChapterRecord]]:
        """Draw chapters: one of each work, then a second of each, until they are enough."""
        works = sorted(shared, key=lambda work: self.draw.order("work", work))
        lines = [
            [
                (work, chapter)
                for chapter in sorted(
                    shared[work], key=lambda each: self.draw.order(work, each.chapter_id)
                )
            ]
            for work in works
        ]
        turns = (each for turn in zip_longest(*lines) for each in turn if each is not None)
        return [each for each, _ in zip(turns, range(self.draw.count), strict=False)]

    def _asked(
        self, work_id: WorkId, chapter: ChapterRecord, head: Ordinal, place: Place
    ) -> SampledQuestion:
        """Return the question that a sentence makes, as of its chapter or of `head`."""
        drawn = self.draw.order("as of", work_id, chapter.chapter_id, place.span.start)
        as_of = chapter.story_place if drawn[0] % 2 else head
        return SampledQuestion(work_id, as_of, " ".join(place.text.split()), place)

    def _most_telling(
        self, chapter: ChapterRecord, content: ChapterContent, count: int
    ) -> list[Place]:
        """Return the chapter's most telling sentences, as many as there are and are wanted."""
        ranked = sorted(self._sentences(chapter, content), key=lambda each: (-each[0], each[1]))
        return [
            Place(chapter.chapter_id, Span(start=start, end=end), content.text[start:end])
            for _, start, end in ranked[:count]
        ]

    def _sentences(
        self, chapter: ChapterRecord, content: ChapterContent
    ) -> Iterator[tuple[float, int, int]]:
        """Yield of each sentence that is neither short nor long how telling it is, and its span."""
        for inputs in content.scenes:
            scene = inputs.scene
            text = content.text[scene.start : scene.end]
            for read in read_passage(text, chapter.language):
                if _FEWEST_WORDS <= read.words <= _MOST_WORDS:
                    start, end = scene.start + read.start, scene.start + read.end
                    telling = self._telling(content.text[start:end], chapter.language)
                    yield telling, start, end

    def _telling(self, sentence: str, language: str) -> float:
        """Return the mean rarity of the sentence's terms, rounded beyond any noise of floats."""
        terms = self.lexicon.terms(sentence, language)
        rarities = [self.lexicon.rarity(term, _NOWHERE, language) for term in terms]
        return round(sum(rarities) / max(1, len(rarities)), 6)
