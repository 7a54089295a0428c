"""The memo in memory: for tests, and works that need not outlive a process."""

from __future__ import annotations

from collections.abc import Collection

from contracts.ids import ChapterId, WorkId
from contracts.memo import Asked, MemoEntry, answer_bytes, united


class MemoryMemo:
    """Implements `Memo`. No method awaits anything, so each is atomic."""

    def __init__(self) -> None:
        self._entries: dict[str, MemoEntry] = {}

    async def get(self, asked: Asked) -> MemoEntry | None:
        """See `Memo.get`."""
        return self._entries.get(asked.key)

    async def put_if_absent(self, entry: MemoEntry) -> MemoEntry:
        """See `Memo.put_if_absent`."""
        answer_bytes(entry.answer)
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
        return len(going)

    async def close(self) -> None:
        """Nothing to let go of: the answers go with the object."""

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
