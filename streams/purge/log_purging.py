"""Which records of the log carry the text of a purged chapter, and what is to stand there instead.

A purged log, replayed, gives the same registers and the same tree: what was published keeps its
place, its revision and its ordinal, and says nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from contracts import topics
from contracts.answers import AnswerGiven
from contracts.events import ChapterPublished, ChapterPurged, QuestionAsked, chapter_event
from contracts.ids import ChapterId
from contracts.messages import (
    ChapterEmbedded,
    ChapterHead,
    ChapterSegmented,
    EventPassed,
    embedded_message,
    scenes_message,
)
from contracts.ports import EventLog, Record
from streams.dead_letters import POSITION, DeadLetter, position_of, read_back
from streams.identity import PUBLISHED, Identity, guessed
from streams.logs.sqlite_rewriting import Rewrite
from streams.purge.purge_journal import PurgeOrder
from streams.settlements import Settlement, settled_by

_PAGE: Final = 256
_PAGE_BYTES: Final = 64_000_000
_REMOVED: Final = "(removed by a purge)"
_LETTERS: Final = topics.dead_letters("")
_MESSAGES: Final[tuple[tuple[str, TypeAdapter[Any]], ...]] = (
    (f"{topics.SCENES}.", scenes_message),
    (f"{topics.EMBEDDED}.", embedded_message),
)


@dataclass(slots=True)
class LogPlan:
    """What is to be rewritten, how much of it is what, and whose text it was."""

    rewrites: dict[tuple[str, int], Rewrite] = field(default_factory=dict)
    chapter_ids: set[ChapterId] = field(default_factory=set)
    letters: int = 0
    answers: int = 0
    nameless_letters: int = 0

    def put(self, record: Record, value: bytes | None) -> None:
        """Note what is to stand in the place of `record`; a first word about it holds."""
        headers = tuple(pair for pair in record.headers if pair[0] == POSITION)
        place = (record.topic, record.offset)
        self.rewrites.setdefault(place, Rewrite(record.topic, record.offset, value, headers))


@dataclass(frozen=True, slots=True)
class _Search:
    """One search through the log."""

    log: EventLog
    known: tuple[str, ...]
    order: PurgeOrder
    plan: LogPlan = field(default_factory=LogPlan)
    settlements: list[tuple[Record, Settlement]] = field(default_factory=list)

    async def run(self) -> LogPlan:
        letters = [found async for found in self._letters()]
        counted = await self._counted(letters)
        async for record in self._of_work(topics.CHAPTERS):
            self._take_event(record, counted)
        for beginning, adapter in _MESSAGES:
            for topic in self._topics(beginning):
                async for record in self._of_work(topic):
                    self._take_message(record, adapter, counted)
        for record, letter in letters:
            self.plan.put(record, None)
            await self._take_source(letter)
        for record, settlement in self.settlements:
            if (record.topic, settlement.letter) in self.plan.rewrites:
                self.plan.put(record, None)
        self.plan.letters = len(letters)
        await self._take_answers()
        return self.plan

    # --- what was published ---------------------------------------------------------------

    async def _letters(self) -> AsyncIterator[tuple[Record, DeadLetter]]:
        """Find the dead letters of what is purged, and count those that name no chapter.

        Those that were retried or dropped too, for their bytes are still there.
        """
        for topic in (name for name in self.known if name.endswith(_LETTERS)):
            async for record in self._records(topic):
                settlement = settled_by(record)
                if settlement is not None:
                    self.settlements.append((record, settlement))
                    continue
                letter = read_back(record)
                whose = letter.identity
                if not self._may_be_ours(record, whose):
                    continue
                if self.order.takes(whose.chapter_id, letter.position):
                    yield record, letter
                elif whose.chapter_id is None:
                    self.plan.nameless_letters += 1

    async def _counted(self, letters: Iterable[tuple[Record, DeadLetter]]) -> set[int]:
        """Return the positions whose text the graph has had: those that count in its registers."""
        times: Counter[int] = Counter()
        for topic in self._topics(f"{topics.EMBEDDED}."):
            async for record in self._of_work(topic):
                times.update(_position(embedded_message, record))
            dead = topics.dead_letters(topic)
            times.subtract(letter.position for record, letter in letters if record.topic == dead)
        return {position for position, n in times.items() if n > 0}

    def _take_event(self, record: Record, counted: set[int]) -> None:
        position = position_of(record)
        event = _decoded(chapter_event, record)
        if isinstance(event, ChapterPublished):
            if self.order.takes(event.chapter_id, position):
                self.plan.chapter_ids.add(event.chapter_id)
                counts = position in counted
                purged = ChapterPurged(
                    work_id=event.work_id,
                    chapter_id=event.chapter_id,
                    ordinal=event.ordinal if counts else None,
                    revision=event.revision if counts else None,
                )
                self.plan.put(record, purged.to_json())
        elif isinstance(event, ChapterPurged):
            if self.order.takes(event.chapter_id, position):
                self.plan.chapter_ids.add(event.chapter_id)  # by us, before we were cut off
        elif event is None:
            whose = guessed(record.value)
            taken = self.order.takes(whose.chapter_id, position)
            if taken and self._may_be_ours(record, whose):
                self._take_unfit(record, whose.chapter_id, position)

    def _may_be_ours(self, record: Record, whose: Identity) -> bool:
        """Say whether something unfit may be a text of the work; of some only the key is known."""
        work_id = self.order.work_id
        named = (
            record.key == work_id.encode() if whose.work_id is None else whose.work_id == work_id
        )
        return named and whose.kind in (PUBLISHED, None)

    def _take_message(self, record: Record, adapter: TypeAdapter[Any], counted: set[int]) -> None:
        message = _decoded(adapter, record)
        head = _head(message)
        if head is None or not self.order.takes(head.chapter_id, head.position):
            return
        counts = head.position in counted
        purged = ChapterPurged(
            work_id=head.work_id,
            chapter_id=head.chapter_id,
            ordinal=head.ordinal if counts else None,
            revision=head.revision if counts else None,
        )
        self.plan.put(record, EventPassed(position=head.position, event=purged).to_json())

    async def _take_source(self, letter: DeadLetter) -> None:
        """Take the record that became the dead letter, which may be under another's key."""
        found = await self.log.read(letter.source, letter.offset, 1, _PAGE_BYTES)
        if found and found[0].offset == letter.offset:
            self._take_unfit(found[0], letter.identity.chapter_id, letter.position)

    def _take_unfit(self, record: Record, chapter_id: str | None, position: int) -> None:
        purged = ChapterPurged(
            work_id=self.order.work_id, chapter_id=ChapterId(chapter_id or _REMOVED)
        )
        if chapter_id is not None:
            self.plan.chapter_ids.add(ChapterId(chapter_id))
        is_event = record.topic == topics.CHAPTERS
        passed = purged if is_event else EventPassed(position=position, event=purged)
        self.plan.put(record, passed.to_json())

    # --- what was asked -------------------------------------------------------------------

    async def _take_answers(self) -> None:
        """Take the answers that cite a purged chapter, and the questions that they answer."""
        gone = {*self.plan.chapter_ids, *self.order.chapter_ids}
        answered: set[str] = set()
        async for record in self._of_work(topics.ANSWERS):
            given = _decoded(TypeAdapter(AnswerGiven), record)
            if given is None or gone.isdisjoint(c.chapter_id for c in given.answer.citations):
                continue
            answered.add(given.question_id)
            silent = given.answer.model_copy(
                update={"answer": "", "abstained": True, "citations": (), "channels": ()}
            )
            self.plan.put(record, given.model_copy(update={"answer": silent}).to_json())
        self.plan.answers = len(answered)
        async for record in self._of_work(topics.QUESTIONS):
            asked = _decoded(TypeAdapter(QuestionAsked), record)
            if asked is not None and asked.question_id in answered:
                silenced = asked.model_copy(update={"question": _REMOVED})
                self.plan.put(record, silenced.model_dump_json(exclude_none=True).encode())

    # --- reading --------------------------------------------------------------------------

    def _topics(self, beginning: str) -> list[str]:
        return [
            name
            for name in self.known
            if name.startswith(beginning) and not name.endswith(_LETTERS)
        ]

    async def _of_work(self, topic: str) -> AsyncIterator[Record]:
        async for record in self._records(topic):
            if record.key == self.order.work_id.encode():
                yield record

    async def _records(self, topic: str) -> AsyncIterator[Record]:
        start, end = 0, await self.log.end(topic)
        while start < end:
            records = await self.log.read(topic, start, _PAGE, _PAGE_BYTES)
            if not records:
                return
            for record in records:
                yield record
            start = records[-1].offset + 1


async def log_plan(log: EventLog, known: tuple[str, ...], order: PurgeOrder) -> LogPlan:
    """Find every record among the topics `known` that carries text which `order` takes.

    Found again after it was carried out, it holds nothing, for nothing is left to be found.
    """
    return await _Search(log, known, order).run()


def _decoded(adapter: TypeAdapter[Any], record: Record) -> Any:
    try:
        return adapter.validate_json(record.value or b"")
    except ValidationError:
        return None


def _head(message: object) -> ChapterHead | None:
    match message:
        case ChapterSegmented():
            return message.head
        case ChapterEmbedded():
            return message.segmented.head
        case _:
            return None


def _position(adapter: TypeAdapter[Any], record: Record) -> list[int]:
    message = _decoded(adapter, record)
    head = _head(message)
    if head is not None:
        return [head.position]
    passed = isinstance(message, EventPassed) and isinstance(message.event, ChapterPurged)
    return [message.position] if passed and message.event.ordinal is not None else []
