"""What is wrong with what is stored, and what was mended."""

from __future__ import annotations

from enum import StrEnum

from contracts.frozen import Frozen
from contracts.ids import ChapterId, WorkId


class FindingKind(StrEnum):
    """What sort of damage it is, which decides what mends it.

    `chapter_lost`: the log says that the graph has it, and it has not, or not its last event.
    `text_lost`, `text_wrong`: a chapter without text or scenes, or with ones that do not fit.
    `row_lost`, `row_wrong`, `row_stray`: rows of the vector store that are linked and not there,
    that say something else than the text, that nothing links. `record_wrong`, `tree_wrong`:
    graft records that are not what folding gives, a tree that is not what its records say.
    `log_damaged`: the event log cannot be read in places.
    """

    CHAPTER_LOST = "chapter_lost"
    TEXT_LOST = "text_lost"
    TEXT_WRONG = "text_wrong"
    ROW_LOST = "row_lost"
    ROW_WRONG = "row_wrong"
    ROW_STRAY = "row_stray"
    RECORD_WRONG = "record_wrong"
    TREE_WRONG = "tree_wrong"
    LOG_DAMAGED = "log_damaged"


class Finding(Frozen):
    """One thing that is wrong, in one sentence; `chapter_id` where it is about one chapter."""

    kind: FindingKind
    text: str
    chapter_id: ChapterId | None = None


class WorkFindings(Frozen):
    """What is wrong with a work; nothing, one hopes."""

    work_id: WorkId
    findings: tuple[Finding, ...]


class DoctorReport(Frozen):
    """What `doctor` found, by work; `log` is what is wrong with the event log of all.

    `unchecked` says, in sentences, what was not looked at.
    """

    works: tuple[WorkFindings, ...]
    log: tuple[Finding, ...] = ()
    unchecked: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.log and not any(work.findings for work in self.works)


class WorkRepairs(Frozen):
    """What was done for one work (with a dry run: what would be), and what cannot be mended.

    `findings` are what is still wrong afterwards.
    """

    work_id: WorkId
    done: tuple[str, ...]
    not_mendable: tuple[str, ...]
    findings: tuple[Finding, ...]


class RepairReport(Frozen):
    """What `doctor --repair` did; `works` are those that needed something.

    `log_done` and `log` are the same for the event log.
    """

    dry_run: bool
    works: tuple[WorkRepairs, ...]
    log_done: tuple[str, ...] = ()
    log: tuple[Finding, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong any more."""
        return not self.log and not any(work.findings for work in self.works)
