"""Caps on what a generation costs: looked at before each call of a model, by every worker.

A call is made while less was spent than the cap. Near the cap a worker makes no call before those
that it has under way have ended, as far as they are likely to reach the cap. So what is spent at
last may be above the cap by what a call of each worker costs, those that the others have under way
beside, and by what they paid since this one read the ledger: milliseconds ago, `_FRESH_S` at most.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from typing import Final, Generic, TypeVar

from contracts import clock
from contracts.errors import TransientError, WorkMustWait
from contracts.ids import Generation, WorkId
from contracts.memo import NO_WORK, Asked, MemoEntry, Source
from contracts.ports import Memo, Segmenter
from contracts.scenes import ChapterText, Segmentation
from contracts.spending import Spent, SpentOnDay, SpentOnWork, utc_day
from processors.remembering import OpenPurse, Payer, Purse

S = TypeVar("S", SpentOnDay, SpentOnWork)

_FRESH_S: Final = 2.0
_TIMES: Final = 20  # as long as it took to ask the ledger: a twentieth of the time goes into that
_A_CALL: Final = 4_000  # tokens, as long as none has ended: a chapter of a novel, and its scenes
_WORKS_KNOWN: Final = 256  # more than a worker has under way


@dataclass(frozen=True, slots=True)
class Caps:
    """Most tokens, of input and output together, that calls for a generation cost; 0: no cap."""

    whole: int = 0
    a_day: int = 0
    a_work: int = 0

    @property
    def any(self) -> bool:
        """Whether there is one."""
        return bool(self.whole or self.a_day or self.a_work)


@dataclass(frozen=True, slots=True)
class _Read(Generic[S]):
    """What the ledger said, when it was asked (in monotonic seconds), and until when that holds.

    It is asked again the sooner the less time it took: a cap is kept closely, at little cost.
    """

    sums: Sequence[S]
    at: float
    until: float

    @classmethod
    def of(cls, sums: Sequence[S], at: float, now: float) -> _Read[S]:
        """Return what an asking from `at` until `now` has brought."""
        return cls(sums, at, at + min(_FRESH_S, _TIMES * (now - at)))


@dataclass(slots=True)
class Till:
    """What a generation has cost by now, as one worker knows it. `now_ms` tells the day.

    What this worker paid since it asked the ledger is added, some of it twice for a moment.
    """

    memo: Memo
    generation: Generation
    now_ms: Callable[[], int] = clock.now_ms
    monotonic: Callable[[], float] = time.monotonic
    _days: _Read[SpentOnDay] | None = None
    _works: dict[WorkId, _Read[SpentOnWork]] = field(default_factory=dict)
    _paid: deque[tuple[float, MemoEntry]] = field(default_factory=deque)
    _under_way: Counter[WorkId] = field(default_factory=Counter)
    _one_ended: asyncio.Event = field(default_factory=asyncio.Event)

    async def whole(self) -> int:
        """Return the tokens of all calls. Raises as the memo does."""
        read = await self._read_days()
        return _tokens(read.sums) + _tokens(each.spent for each in self._since(read))

    async def today(self) -> int:
        """Return the tokens of the calls of this UTC day. Raises as the memo does."""
        read, today = await self._read_days(), utc_day(self.now_ms())
        here = (each for each in self._since(read) if each.paid and each.paid.day == today)
        return _tokens(s for s in read.sums if s.day == today) + _tokens(e.spent for e in here)

    async def of_work(self, work_id: WorkId) -> int:
        """Return the tokens of the calls for a work. Raises as the memo does."""
        read = self._works.get(work_id)
        if read is None or self._is_old(read):
            at = self.monotonic()
            works = await self.memo.spent_by_work(self.generation, work_id)
            read = _Read.of(works, at, self.monotonic())
            if len(self._works) >= _WORKS_KNOWN:
                self._works.clear()
            self._works[work_id] = read
        here = (each for each in self._since(read) if each.charged == work_id)
        return _tokens(read.sums) + _tokens(each.spent for each in here)

    def expected(self, work_id: WorkId | None = None) -> int:
        """Return the tokens that this worker's calls under way are likely to cost.

        Those for one work, or (None) all; each as much as those before it.
        """
        calls = self._under_way.total() if work_id is None else self._under_way[work_id]
        known = Spent.total(self._days.sums) if self._days else Spent()
        return calls * (known.tokens // known.calls if known.calls else _A_CALL)

    @contextmanager
    def under_way(self, work_id: WorkId) -> Iterator[None]:
        """Count a call as under way within the block."""
        self._under_way[work_id] += 1
        try:
            yield
        finally:
            self._under_way[work_id] -= 1
            self._one_ended.set()

    async def one_ended(self) -> None:
        """Wait until one of this worker's calls under way has ended."""
        self._one_ended.clear()
        await self._one_ended.wait()

    def note(self, entry: MemoEntry) -> None:
        """Take notice of what was paid here."""
        now = self.monotonic()
        self._paid.append((now, entry))
        while now - self._paid[0][0] > 2 * _FRESH_S:
            self._paid.popleft()

    async def _read_days(self) -> _Read[SpentOnDay]:
        if self._days is None or self._is_old(self._days):
            at = self.monotonic()
            days = await self.memo.spent_by_day(self.generation)
            self._days = _Read.of(days, at, self.monotonic())
        return self._days

    def _is_old(self, read: _Read[S]) -> bool:
        return self.monotonic() >= read.until

    def _since(self, read: _Read[S]) -> Iterator[MemoEntry]:
        return (entry for at, entry in self._paid if at > read.at)


@dataclass(frozen=True, slots=True)
class CappedPurse:
    """Implements `Purse`: permits calls until a cap is reached."""

    till: Till
    caps: Caps

    @asynccontextmanager
    async def paying(self, _asked: Asked, sources: Sequence[Source]) -> AsyncIterator[None]:
        """See `Purse.paying`; `WorkMustWait` where it is the work's cap."""
        work_id = sources[0].work_id if sources else NO_WORK
        while await self._is_near(work_id):
            await self.till.one_ended()
        with self.till.under_way(work_id):
            yield

    async def permit_work(self, work_id: WorkId) -> None:
        """Return if the work has not cost too much yet.

        Raises:
            WorkMustWait: it has.
        """
        if self.caps.a_work:
            self._refuse_work(work_id, await self.till.of_work(work_id))

    async def _is_near(self, work_id: WorkId) -> bool:
        """Say whether the calls under way are likely to reach a cap.

        Raises:
            TransientError: one is reached.
        """
        caps, till = self.caps, self.till
        whole, today = await till.whole(), await till.today()
        of_work = await till.of_work(work_id) if caps.a_work else 0
        of = f"generation {till.generation} has cost"
        if caps.whole and whole >= caps.whole:
            raise TransientError(
                f"{of} {whole:,} tokens, and max_tokens is {caps.whole:,}: it goes on when "
                "a process starts with a higher one"
            )
        if caps.a_day and today >= caps.a_day:
            raise TransientError(
                f"{of} {today:,} tokens today, and max_tokens_per_day is {caps.a_day:,}: it "
                "goes on by itself at 0:00 UTC, or when a process starts with a higher one"
            )
        self._refuse_work(work_id, of_work)
        all_, ours = till.expected(), till.expected(work_id)
        known = ((caps.whole, whole, all_), (caps.a_day, today, all_), (caps.a_work, of_work, ours))
        return any(cap and more and spent + more >= cap for cap, spent, more in known)

    def _refuse_work(self, work_id: WorkId, spent: int) -> None:
        if self.caps.a_work and spent >= self.caps.a_work:
            raise WorkMustWait(
                f"the work has cost {spent:,} tokens in generation {self.till.generation}, and "
                f"max_tokens_per_work is {self.caps.a_work:,}: start with a higher one, then "
                f"`storygraft resume {work_id}`"
            )

    def note(self, entry: MemoEntry) -> None:
        """See `Purse.note`."""
        self.till.note(entry)


@dataclass(frozen=True, slots=True)
class CappedSegmenter:
    """Cuts chapters of works that have not cost too much: by asking no model, or it asks itself.

    For a segmenter that asks none, where the chapters it cuts are then placed by one.
    """

    inner: Segmenter
    purse: CappedPurse

    @property
    def version(self) -> str:
        """See `Segmenter.version`."""
        return self.inner.version

    async def segment(self, chapter: ChapterText) -> Segmentation:
        """See `Segmenter.segment`.

        Raises:
            WorkMustWait: the work has cost too much.
        """
        await self.purse.permit_work(chapter.work_id)
        return await self.inner.segment(chapter)


def capped_payer(memo: Memo, generation: Generation, caps: Caps) -> Payer:
    """Return who pays for the calls that build `generation`."""
    purse: Purse = CappedPurse(Till(memo, generation), caps) if caps.any else OpenPurse()
    return Payer(memo, generation, purse)


def for_placing(payer: Payer) -> Payer:
    """Return who pays for placing chapters: no work is stopped there.

    A work stops at the door, before a chapter of it is cut, since what is cut and not placed would
    stop all works of its partition. So a work's cap is overshot by the calls, one a chapter, for
    what was cut already.
    """
    if not isinstance(payer.purse, CappedPurse):
        return payer
    caps = replace(payer.purse.caps, a_work=0)
    return replace(payer, purse=replace(payer.purse, caps=caps))


def at_the_door(segmenter: Segmenter, payer: Payer) -> Segmenter:
    """Return a segmenter that asks no model, and stops works that have cost too much."""
    if isinstance(payer.purse, CappedPurse) and payer.purse.caps.a_work:
        return CappedSegmenter(segmenter, payer.purse)
    return segmenter


def _tokens(sums: Iterable[Spent]) -> int:
    return sum(each.tokens for each in sums)
