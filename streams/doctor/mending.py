"""The three ways in which one work is mended; each does nothing where nothing is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from contracts.errors import PermanentError, TransientError
from contracts.events import ChapterPublished
from contracts.ids import ChapterId, WorkId, content_hash
from contracts.ports import Record
from contracts.reports import Finding, FindingKind
from contracts.tree import ChapterInputs
from contracts.vectors import VectorRow
from contracts.works import ChapterRecord, WorkRecord
from graph.projection import project
from graph.refolding import folded, refolded
from streams.doctor.checking import unfinished
from streams.doctor.checking_checkpoints import checkpoint_faults
from streams.doctor.history import History, read_event, retold
from streams.doctor.retelling import retell
from streams.doctor.row_states import row_states, stray_rows
from streams.session import Home

_ATTEMPTS: Final = 5  # another owner's commits in a row
_UNREADABLE: Final = "the log cannot be read, so nothing can be taken from it"
_OF_ONE: Final = (
    "a Kafka log is read for one work at a time: `storygraft doctor --repair --work WORK` takes "
    "from it what it still holds"
)
_TEXT: Final = frozenset({FindingKind.TEXT_LOST, FindingKind.TEXT_WRONG})


@dataclass(slots=True)
class Mending:
    """One work that is mended. `done` and `not_mendable` say what came of it, in sentences.

    With `dry_run` everything is decided and nothing done. `history` is None where the log cannot
    be read.
    """

    home: Home
    work_id: WorkId
    history: History | None
    dry_run: bool
    done: list[str] = field(default_factory=list)
    not_mendable: list[str] = field(default_factory=list)

    # --- from the log -------------------------------------------------------------------------

    async def tell_again(self, findings: Iterable[Finding]) -> None:
        """Index from the log what the graph has lost, or has otherwise than its text says.

        A chapter whose text is wrong is forgotten first: else its events would change nothing.
        """
        if self.history is None:
            self.not_mendable.append(_OF_ONE if self.home.has_workers else _UNREADABLE)
            return
        found = tuple(findings)
        kept = await retold(self.home.log, self.work_id)
        wrong = {each.chapter_id for each in found if each.kind in _TEXT and each.chapter_id}
        forgotten = await self._forget(frozenset(wrong), kept)
        lost = {each.chapter_id for each in found if each.kind is FindingKind.CHAPTER_LOST}
        await self._tell(self._events(lost | forgotten, kept))

    def _events(
        self, chapters: Collection[ChapterId | None], kept: Mapping[int, Record]
    ) -> dict[int, Record]:
        """Return the indexed events of these chapters; None among them stands for all."""
        if not chapters or self.history is None:
            return {}
        floor, everything = self.history.floor, None in chapters
        return {
            past.position: kept[past.position]
            for past in self.history.indexed
            if past.position in kept
            and past.position >= floor
            and (everything or not set(chapters).isdisjoint(past.chapter_ids))
        }

    async def _tell(self, events: Mapping[int, Record]) -> None:
        if not events:
            return
        self.done.append(f"{len(events)} events are taken from the log once more")
        if not self.dry_run:
            reasons = await retell(self.home, events)
            self.not_mendable.extend(f"an event of the log: {reason}" for reason in reasons)

    async def _forget(
        self, wrong: frozenset[ChapterId], kept: Mapping[int, Record]
    ) -> frozenset[ChapterId]:
        """Forget those chapters of which the log has the text, and those that are empty."""
        for _ in range(_ATTEMPTS):
            work = await self.home.tree.load(self.work_id, self.home.generation)
            if work is None or not wrong:
                return frozenset()
            stored = await self.home.tree.inputs(self.work_id, work.generation)
            chapters = [each for each in work.chapters if each.chapter_id in wrong]
            told = {each.chapter_id for each in chapters if _is_told(each, kept)}
            empty = {each.chapter_id for each in chapters if each.chapter_id not in stored}
            if self.dry_run or not told | empty:
                break
            commit = await refolded(
                work, stored, self.home.ports.advising, self.home.ports.weights, told | empty
            )
            if await self.home.tree.commit(commit):
                break
        else:
            raise _too_busy(self.work_id)
        self.not_mendable.extend(
            f"chapter {each!r}: the log no longer holds its text; withdraw it and publish it again"
            for each in sorted(wrong - told)
        )
        return frozenset(told | empty)

    # --- from the graph's scenes --------------------------------------------------------------

    async def fold_again(self) -> None:
        """Write the tree anew where it is not what folding the stored scenes gives."""
        for _ in range(_ATTEMPTS):
            work = await self.home.tree.load(self.work_id, self.home.generation)
            if work is None:
                return
            stored = await self.home.tree.inputs(self.work_id, work.generation)
            if await self._is_folded(work, stored):
                return
            if self.dry_run or await self.home.tree.commit(
                await refolded(work, stored, self.home.ports.advising, self.home.ports.weights)
            ):
                count = len(work.story_chapters())
                self.done.append(f"the tree is folded again from the scenes of {count} chapters")
                return
        raise _too_busy(self.work_id)

    async def _is_folded(self, work: WorkRecord, stored: Mapping[ChapterId, ChapterInputs]) -> bool:
        try:
            records = await self.home.tree.records(work.work_id, work.generation)
        except PermanentError:  # one of them cannot be read
            return False
        expected = folded(work, stored, records, self.home.ports.weights)
        rows = await self.home.tree.rows(work.work_id, work.generation)
        view = await self.home.tree.view(work.work_id, None, work.generation)
        shown = await view.chapters() if view else ()
        faults = [each async for each in checkpoint_faults(self.home.tree, work, expected)]
        return (
            not faults
            and records == expected
            and Counter(rows) == Counter(project(expected).values())
            and shown == work.live_chapters()
        )

    # --- from the graph's texts ---------------------------------------------------------------

    async def write_rows(self) -> None:
        """Write rows that are lost or wrong, and delete those that nothing links or will link."""
        # In this order: see `streams.doctor.checking`.
        keys = await self.home.vectors.keys(self.work_id, self.home.generation)
        waiting = await unfinished(self.home, self.work_id, self.history)
        work = await self.home.tree.load(self.work_id, self.home.generation)
        if work is None:
            return
        written = 0
        async for state in row_states(self.home, work):
            written += await self._write(work, (*state.lost, *state.wrong))
        stray = await stray_rows(self.home, self.work_id, work, keys, waiting)
        if written:
            self.done.append(f"{written} vector rows are written again")
        if stray:
            self.done.append(f"{len(stray)} vector rows that nothing links are deleted")
            if not self.dry_run:
                gone = [row.key for row in stray]
                await self.home.vectors.delete(self.work_id, work.generation, gone)

    async def _write(self, work: WorkRecord, rows: tuple[VectorRow, ...]) -> int:
        if rows and not self.dry_run:
            await self.home.vectors.upsert(work.work_id, work.generation, rows)
        return len(rows)


def _is_told(chapter: ChapterRecord, kept: Mapping[int, Record]) -> bool:
    """Say whether the log still holds the very text that the chapter has."""
    text = chapter.registers.text
    record = None if text is None else kept.get(text[1])
    event = None if record is None else read_event(record)
    return isinstance(event, ChapterPublished) and chapter.content_hash == content_hash(
        event.format, event.language, event.title, event.body
    )


def _too_busy(work_id: WorkId) -> TransientError:
    return TransientError(
        f"work {work_id}: somebody else keeps committing; end the other process, then repair again"
    )
