"""The memo in memory: for tests, and works that need not outlive a process."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from contracts.claims import Claims
from contracts.ids import ChapterId, Generation, WorkId
from contracts.memo import Asked, MemoEntry, answer_bytes, united
from contracts.spending import Payment, Spent, SpentOnDay, SpentOnWork


class MemoryMemo:
    """Implements `Memo`. No method awaits anything, so each is atomic."""

    def __init__(self) -> None:
        self._entries: dict[str, MemoEntry] = {}
        self._claims = Claims()
        self._entered: set[tuple[str, Payment]] = set()
        self._days: dict[tuple[Generation, str, str], Spent] = defaultdict(Spent)
        self._works: dict[tuple[Generation, WorkId, str], Spent] = defaultdict(Spent)

    async def get(self, asked: Asked) -> MemoEntry | None:
        """See `Memo.get`."""
        return self._entries.get(asked.key)

    async def claim(self, asked: Asked, by: str, seconds: float) -> bool:
        """See `Memo.claim`."""
        return asked.key not in self._entries and self._claims.claim(asked.key, by, seconds)

    async def release(self, asked: Asked, by: str) -> None:
        """See `Memo.release`."""
        self._claims.release(asked.key, by)

    async def put_if_absent(self, entry: MemoEntry) -> MemoEntry:
        """See `Memo.put_if_absent`."""
        answer_bytes(entry.answer)
        self._enter(entry)
        kept = self._entries.get(entry.asked.key, entry)
        sources = united(kept.sources, entry.sources)
        self._entries[entry.asked.key] = kept.model_copy(update={"sources": sources})
        return self._entries[entry.asked.key]

    async def of_work(self, work_id: WorkId) -> tuple[MemoEntry, ...]:
        """See `Memo.of_work`."""
        return tuple(self._entries[key] for key in sorted(self._drawing_on(work_id, None)))

    async def forget(self, work_id: WorkId, chapter_ids: Collection[ChapterId] | None) -> int:
        """See `Memo.forget`."""
        going = self._drawing_on(work_id, chapter_ids)
        for key in going:
            del self._entries[key]
        self._entered = {each for each in self._entered if each[0] not in going}
        return len(going)

    async def spent_by_day(self, generation: Generation | None) -> tuple[SpentOnDay, ...]:
        """See `Memo.spent_by_day`."""
        return tuple(
            SpentOnDay(generation=paid_for, day=day, purpose=purpose, **spent.model_dump())
            for (paid_for, day, purpose), spent in sorted(self._days.items(), key=_first)
            if generation in (None, paid_for)
        )

    async def spent_by_work(
        self, generation: Generation | None, work_id: WorkId | None
    ) -> tuple[SpentOnWork, ...]:
        """See `Memo.spent_by_work`."""
        return tuple(
            SpentOnWork(generation=paid_for, work_id=work, purpose=purpose, **spent.model_dump())
            for (paid_for, work, purpose), spent in sorted(self._works.items(), key=_first)
            if generation in (None, paid_for) and work_id in (None, work)
        )

    async def close(self) -> None:
        """Nothing to let go of: the answers go with the object."""

    def _enter(self, entry: MemoEntry) -> None:
        if entry.paid is None or (entry.asked.key, entry.paid) in self._entered:
            return
        self._entered.add((entry.asked.key, entry.paid))
        purpose, paid = entry.asked.purpose, entry.paid
        day, work = (paid.generation, paid.day, purpose), (paid.generation, entry.charged, purpose)
        self._days[day] = Spent.total((self._days[day], entry.spent))
        self._works[work] = Spent.total((self._works[work], entry.spent))

    def _drawing_on(self, work_id: WorkId, chapter_ids: Collection[ChapterId] | None) -> set[str]:
        return {
            key
            for key, entry in self._entries.items()
            if any(
                source.work_id == work_id
                and (chapter_ids is None or source.chapter_id in chapter_ids)
                for source in entry.sources
            )
        }


def _first(item: tuple[tuple[str, str, str], Spent]) -> tuple[str, str, str]:
    return item[0]
