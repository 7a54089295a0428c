"""Gaps: chapters that were published but that no reader can see, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from contracts import topics
from contracts.answers import Gap
from contracts.ids import ChapterId, Generation, WorkId
from contracts.order import OrderToken, Registers
from contracts.ordinals import Ordinal
from contracts.parking import EventParked
from contracts.ports import EventLog, StoryView, TreeStore
from contracts.works import ChapterRecord, WorkRecord
from streams import dead_letters
from streams.backlog import Backlog
from streams.dead_letters import DeadLetter
from streams.identity import PUBLISHED, Identity
from streams.intakes import chapter_intakes
from streams.letters import Letters
from streams.parking import ParkingLot, identity_of_parked

WAITING: Final = "waiting to be indexed"
PAUSED: Final = "waiting, since the work is paused"
_NEVER: Final = OrderToken(-2, -2)  # below every token there is


@dataclass(frozen=True, slots=True)
class _Unseen:
    """A publication that did not get through."""

    identity: Identity
    position: int
    reason: str


@dataclass(slots=True)
class GapFinder:
    """Finds the gaps of works of one generation; keep it, for it reads each record once."""

    log: EventLog
    tree: TreeStore
    parking: ParkingLot
    letters: Letters = field(init=False)
    _backlog: Backlog = field(init=False)
    _were_parked: dict[WorkId, tuple[EventParked, ...]] = field(default_factory=dict)
    _were_dead: tuple[DeadLetter, ...] = ()

    @property
    def generation(self) -> Generation:
        """Whose stages and topics are looked at."""
        return self.parking.generation

    def __post_init__(self) -> None:
        read = (*dead_letters.topics_of(self.generation), topics.dead_letters(topics.QUESTIONS))
        self.letters = Letters(self.log, read)
        self._backlog = Backlog(self.log, chapter_intakes(self.generation))

    async def __call__(self, work_id: WorkId) -> tuple[Gap, ...]:
        """Return every gap, in story order; those of unknown place come last.

        Raises:
            TransientError: the log or the graph cannot be used now.
        """
        await self.refresh()
        return self.of(work_id, await self.tree.load(work_id, self.generation))

    async def as_of(self, view: StoryView) -> tuple[Gap, ...]:
        """Return the gaps of a view: those whose place is known and at or below its as-of."""
        await self.refresh()
        unseen = self._unseen(view.work_id)
        if not unseen:
            return ()  # as nearly always: the work need not be read
        work = await self.tree.load(view.work_id, self.generation)
        return known_at(_gaps(work, unseen), view.as_of)

    async def refresh(self) -> None:
        """Look what waits and what is dead by now.

        In this order: what is parked may go on meanwhile, and what waits may die. What is dead may
        be sent again: it may be neither among what was found to wait nor among what is dead now.

        Raises:
            TransientError: the log cannot be used now.
        """
        were_dead = self.letters.all()
        await self.parking.look()
        self._were_parked = {work.work_id: tuple(work.waits) for work in self.parking.aside()}
        await self._backlog.refresh()
        await self.parking.look()
        await self.letters.refresh()
        self._were_dead = tuple(filter(self.letters.was_retried, were_dead))

    def of(self, work_id: WorkId, work: WorkRecord | None) -> tuple[Gap, ...]:
        """Return every gap of a work, as it was at the last look."""
        return _gaps(work, self._unseen(work_id))

    def waiting(self, work_id: WorkId) -> int:
        """Return how many of a work's events waited at the last look, those parked among them."""
        return sum(1 for _ in self._backlog.of(work_id)) + len(self._parked(work_id))

    def unfinished(self, work_id: WorkId) -> frozenset[int]:
        """Return the positions of the work's events that waited before a stage, or parked.

        Those that were sent again during the look, too.
        """
        queued = {each.position for each in self._backlog.of(work_id)}
        queued |= {letter.position for letter in self._retried(work_id)}
        return frozenset(queued | {event.position for event in self._parked(work_id)})

    def _unseen(self, work_id: WorkId) -> list[_Unseen]:
        dead, queued = self.letters.of(work_id), self._backlog.of(work_id)
        retried = self._retried(work_id)
        return [
            *(_Unseen(each.identity, each.position, each.failure.reason) for each in dead),
            *(_Unseen(each.identity, each.position, WAITING) for each in queued),
            *(
                _Unseen(identity_of_parked(event), event.position, PAUSED)
                for event in self._parked(work_id)
            ),
            # Last: where it is found to wait, that is what it does now.
            *(_Unseen(each.identity, each.position, each.failure.reason) for each in retried),
        ]

    def _retried(self, work_id: WorkId) -> Sequence[DeadLetter]:
        """Return the letters that were sent again while it was looked what waits."""
        key = work_id.encode()
        return [letter for letter in self._were_dead if letter.key == key]

    def _parked(self, work_id: WorkId) -> Sequence[EventParked]:
        """Return what waits because the work is paused, or did so when the look began."""
        work = self.parking.work(work_id)
        found = (*self._were_parked.get(work_id, ()), *(work.waits if work else ()))
        return list({event.offset: event for event in found}.values())


@dataclass(slots=True)
class Gaps:
    """The gap finders of an index, one a generation, each made when it is first asked for."""

    log: EventLog
    tree: TreeStore
    _finders: dict[Generation, GapFinder] = field(default_factory=dict)

    def of_generation(self, generation: Generation) -> GapFinder:
        """Return what finds the gaps in a generation."""
        if generation not in self._finders:
            lot = ParkingLot(self.log, generation)
            self._finders[generation] = GapFinder(self.log, self.tree, lot)
        return self._finders[generation]

    async def live(self) -> GapFinder:
        """Return what finds the gaps in the generation that readers see.

        Raises:
            TransientError: the graph cannot be used now.
        """
        return self.of_generation(await self.tree.live())

    async def as_of(self, view: StoryView) -> tuple[Gap, ...]:
        """Return the gaps of a view, in the generation that it is bound to."""
        return await self.of_generation(view.generation).as_of(view)


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
