"""Gaps: chapters that were published but that no reader can see, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from contracts.answers import Gap
from contracts.ids import FIRST_GENERATION, ChapterId, Generation, WorkId
from contracts.order import OrderToken, Registers
from contracts.ordinals import Ordinal
from contracts.ports import EventLog, Record, StoryView, TreeStore
from contracts.works import ChapterRecord, WorkRecord
from streams import dead_letters
from streams.dead_letters import position_of
from streams.identity import PUBLISHED, Identity, guessed, identity_of
from streams.intakes import Intake, chapter_intakes
from streams.parking import ParkingLot, identity_of_parked

_WAITING: Final = "waiting to be indexed"
_PAUSED: Final = "waiting, since the work is paused"
_NEVER: Final = OrderToken(-2, -2)  # below every token there is


@dataclass(frozen=True, slots=True)
class _Unseen:
    """A publication that did not get through."""

    identity: Identity
    position: int
    reason: str


@dataclass(frozen=True, slots=True)
class GapFinder:
    """Finds the gaps of a work."""

    log: EventLog
    tree: TreeStore
    parking: ParkingLot

    async def __call__(self, work_id: WorkId) -> tuple[Gap, ...]:
        """Return every gap, in story order; those of unknown place come last."""
        work = await self.tree.load(work_id)
        generation = Generation(work.generation) if work else FIRST_GENERATION
        return _gaps(work, await self._unseen(work_id, generation))

    async def as_of(self, view: StoryView) -> tuple[Gap, ...]:
        """Return the gaps of a view: those whose place is known and at or below its as-of."""
        unseen = await self._unseen(view.work_id, view.generation)
        if not unseen:
            return ()  # as nearly always: the work need not be read
        return known_at(_gaps(await self.tree.load(view.work_id), unseen), view.as_of)

    async def _unseen(self, work_id: WorkId, generation: Generation) -> list[_Unseen]:
        return [
            *await self._dead(work_id, generation),
            *await self._waiting(work_id, generation),
            *await self._parked(work_id),
        ]

    async def _dead(self, work_id: WorkId, generation: Generation) -> list[_Unseen]:
        letters = await dead_letters.of_work(self.log, work_id, generation)
        return [
            _Unseen(letter.identity, letter.position, letter.failure.reason) for letter in letters
        ]

    async def _waiting(self, work_id: WorkId, generation: Generation) -> list[_Unseen]:
        """Return what lies before a stage: queued, or held there."""
        found: list[_Unseen] = []
        for intake in chapter_intakes(generation):
            key = work_id.encode()
            for record in await self.log.unread(intake.group, intake.source, key):
                identity = _identity(intake, record.value)
                found.append(_Unseen(identity, _position(identity, record), _WAITING))
        return found

    async def _parked(self, work_id: WorkId) -> list[_Unseen]:
        """Return what waits because the work is paused."""
        await self.parking.look()
        work = self.parking.work(work_id)
        return [
            _Unseen(identity_of_parked(event), event.position, _PAUSED)
            for event in (work.waits if work else ())
        ]


def known_at(gaps: Iterable[Gap], as_of: Ordinal) -> tuple[Gap, ...]:
    """Return the gaps whose place is known and at or below `as_of`."""
    return tuple(gap for gap in gaps if gap.ordinal is not None and gap.ordinal <= as_of)


def _gaps(work: WorkRecord | None, unseen: Iterable[_Unseen]) -> tuple[Gap, ...]:
    known = {chapter.chapter_id: chapter for chapter in work.chapters} if work else {}
    floor = work.floor if work else -1
    newest: dict[str, tuple[OrderToken, Gap]] = {}
    for each in unseen:
        chapter_id = each.identity.chapter_id
        if each.identity.kind != PUBLISHED or chapter_id is None or each.position < floor:
            continue
        chapter = known.get(ChapterId(chapter_id)) or _unknown(chapter_id)
        if _is_hidden(work, chapter, each.position):
            continue
        token = chapter.registers.token(each.identity.revision, each.position)
        if _overtaken(chapter, token) or token <= newest.get(chapter_id, (_NEVER,))[0]:
            continue
        gap = Gap(
            chapter_id=chapter.chapter_id, ordinal=_place(chapter, token, each), reason=each.reason
        )
        newest[chapter_id] = (token, gap)
    return tuple(sorted((gap for _, gap in newest.values()), key=_story_order))


def _is_hidden(work: WorkRecord | None, chapter: ChapterRecord, position: int) -> bool:
    """Say whether a withdrawal that is not grafted yet takes the publication away."""
    hidden = [chapter.hidden_by, work.hidden_by if work else None]
    return any(by is not None and position < by for by in hidden)


def _overtaken(chapter: ChapterRecord, token: OrderToken) -> bool:
    """Say whether readers see this text or a newer one, or the chapter was withdrawn after it."""
    registers = chapter.registers
    shown = registers.text is not None and OrderToken(*registers.text) >= token
    last = registers.presence
    withdrawn = last is not None and not registers.present and OrderToken(*last) > token
    return shown or withdrawn


def _place(chapter: ChapterRecord, token: OrderToken, unseen: _Unseen) -> Ordinal | None:
    moved = chapter.registers.ordinal
    moved_since = moved is not None and OrderToken(*moved) > token
    return chapter.place if moved_since else _known(unseen.identity.ordinal, chapter.place)


def _known(told: Ordinal | None, stored: Ordinal | None) -> Ordinal | None:
    return stored if told is None else told


def _unknown(chapter_id: str) -> ChapterRecord:
    return ChapterRecord(chapter_id=ChapterId(chapter_id), registers=Registers())


def _story_order(gap: Gap) -> tuple[bool, int, str]:
    return gap.ordinal is None, gap.ordinal or 0, gap.chapter_id


def _identity(intake: Intake[Any], value: bytes | None) -> Identity:
    try:
        return identity_of(intake.decode.validate_json(value or b""))
    except ValidationError:
        return guessed(value)


def _position(identity: Identity, record: Record) -> int:
    return position_of(record) if identity.position is None else identity.position
