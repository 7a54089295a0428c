"""Which event wins: a chapter's three registers, decided one event at a time.

Pure. Tokens are compared, never arrival times, so events that all carry revisions may come in
any order, and any event may come again.
"""

from __future__ import annotations

from dataclasses import dataclass

from contracts.ids import ChapterId
from contracts.messages import ChapterHead, Outcome
from contracts.order import OrderToken, Registers
from contracts.ordinals import Ordinal
from contracts.works import ChapterRecord, WorkRecord


@dataclass(frozen=True, slots=True)
class Change:
    """What an event does to one chapter. With `takes_text`, the event's text is the chapter's."""

    outcome: Outcome
    record: ChapterRecord
    takes_text: bool = False


def publish(record: ChapterRecord, head: ChapterHead) -> Change:
    """Apply `chapter.published`: it may set text, ordinal and presence, each by its token."""
    token = record.registers.token(head.revision, head.position)
    sets_text, registers = _published(record.registers, head.ordinal, head.revision, head.position)
    changed = record.model_copy(update={"registers": registers})
    takes_text = sets_text and registers.present and head.content_hash != record.content_hash
    outcome = _published_outcome(record, changed, token, sets_text=sets_text, takes_text=takes_text)
    return Change(outcome, _note(changed, outcome, head.position), takes_text)


def purge(record: ChapterRecord, place: Ordinal, revision: int | None, position: int) -> Change:
    """Apply `chapter.purged`: the registers of the publication that it stands for.

    With `takes_text`, the newest text is the one that is gone, so the chapter has none.
    """
    sets_text, registers = _published(record.registers, place, revision, position)
    outcome = Outcome.PURGED if sets_text and registers.present else Outcome.STALE
    return Change(outcome, _noted(record, registers, outcome, position), takes_text=sets_text)


def withdraw(record: ChapterRecord, revision: int | None, position: int) -> Change:
    """Apply `chapter.withdrawn`; of an unknown chapter it leaves a tombstone."""
    token = record.registers.token(revision, position)
    registers = _remember(record.registers, revision, position)
    if not _wins(token, registers.presence):
        outcome = _lost(token, registers.presence)
        return Change(outcome, _noted(record, registers, outcome, position))
    already = registers.presence is not None and not registers.present
    outcome = Outcome.UNCHANGED if already else Outcome.WITHDRAWN
    registers = _set_presence(registers, token, present=False)
    return Change(outcome, _noted(record, registers, outcome, position))


def move(record: ChapterRecord, place: Ordinal, revision: int | None, position: int) -> Change:
    """Apply a new ordinal, from `chapter.moved` or one entry of `work.reordered`."""
    token = record.registers.token(revision, position)
    registers = _remember(record.registers, revision, position)
    if not _wins(token, registers.ordinal):
        outcome = _lost(token, registers.ordinal)
        return Change(outcome, _noted(record, registers, outcome, position))
    outcome = Outcome.UNCHANGED if registers.place == place else Outcome.MOVED
    if registers.text is None:
        outcome = Outcome.WAITING
    registers = _set_place(registers, token, place)
    return Change(outcome, _noted(record, registers, outcome, position))


def withdraw_work(work: WorkRecord, position: int) -> WorkRecord:
    """Apply `work.withdrawn`: forget all that events before `position` said of the work."""
    kept = []
    for chapter in work.chapters:
        registers = _since(chapter.registers, position)
        hidden_by = _above(chapter.hidden_by, position)
        if registers != Registers() or hidden_by is not None:
            told = chapter if registers.text is not None else unknown(chapter.chapter_id)
            kept.append(told.model_copy(update={"registers": registers, "hidden_by": hidden_by}))
    described = work.described_at is not None and work.described_at[1] > position
    return WorkRecord(
        work_id=work.work_id,
        generation=work.generation,
        commit_seq=work.commit_seq,
        floor=max(work.floor, position),
        title=work.title if described else "",
        author=work.author if described else "",
        language=work.language if described else "",
        tags=work.tags if described else (),
        described_at=work.described_at if described else None,
        hidden_by=_above(work.hidden_by, position),
        chapters=tuple(kept),
    )


def unknown(chapter_id: ChapterId) -> ChapterRecord:
    """Return the record of a chapter that no event has named yet."""
    return ChapterRecord(chapter_id=chapter_id, registers=Registers())


def _published(
    held: Registers, place: Ordinal, revision: int | None, position: int
) -> tuple[bool, Registers]:
    """Return whether a publication sets the text, and the registers after it."""
    token = held.token(revision, position)
    registers = _remember(held, revision, position)
    sets_text = _wins(token, registers.text)
    registers = _set_place(registers, token, place)
    registers = _set_presence(registers, token, present=True)
    if sets_text:
        registers = registers.model_copy(update={"text": token})
    return sets_text, registers


def _published_outcome(
    before: ChapterRecord,
    after: ChapterRecord,
    token: OrderToken,
    *,
    sets_text: bool,
    takes_text: bool,
) -> Outcome:
    if takes_text:
        return Outcome.EDITED if before.in_story else Outcome.INDEXED
    if before.in_story and after.place != before.place:
        return Outcome.MOVED
    if sets_text and after.registers.present:
        return Outcome.UNCHANGED
    return _lost(token, after.registers.text if after.registers.present else None)


def _wins(token: OrderToken, held: OrderToken | None) -> bool:
    return held is None or token > OrderToken(*held)


def _lost(token: OrderToken, held: OrderToken | None) -> Outcome:
    """A token that equals the one held is the same event again."""
    return Outcome.UNCHANGED if held is not None and token == OrderToken(*held) else Outcome.STALE


def _set_place(registers: Registers, token: OrderToken, place: Ordinal) -> Registers:
    if not _wins(token, registers.ordinal):
        return registers
    return registers.model_copy(update={"ordinal": token, "place": place})


def _set_presence(registers: Registers, token: OrderToken, *, present: bool) -> Registers:
    if not _wins(token, registers.presence):
        return registers
    return registers.model_copy(update={"presence": token, "present": present})


def _remember(registers: Registers, revision: int | None, position: int) -> Registers:
    """Keep (position, revision) of those events that raised the highest revision so far."""
    if revision is None:
        return registers
    rising: list[tuple[int, int]] = []
    for at, known in sorted({*registers.revisions, (position, revision)}):
        if not rising or known > rising[-1][1]:
            rising.append((at, known))
    return registers.model_copy(update={"revisions": tuple(rising)})


def _since(registers: Registers, position: int) -> Registers:
    def kept(token: OrderToken | None) -> OrderToken | None:
        return token if token is not None and token[1] > position else None

    presence, ordinal = kept(registers.presence), kept(registers.ordinal)
    return Registers(
        text=kept(registers.text),
        ordinal=ordinal,
        presence=presence,
        present=registers.present if presence else False,
        place=registers.place if ordinal else None,
        revisions=tuple(pair for pair in registers.revisions if pair[0] > position),
    )


def _above(hidden_by: int | None, position: int) -> int | None:
    return hidden_by if hidden_by is not None and hidden_by > position else None


def _noted(
    record: ChapterRecord, registers: Registers, outcome: Outcome, position: int
) -> ChapterRecord:
    return _note(record.model_copy(update={"registers": registers}), outcome, position)


def _note(record: ChapterRecord, outcome: Outcome, position: int) -> ChapterRecord:
    """Remember the outcome of the chapter's newest event, for the status."""
    if position <= record.last_position:
        return record
    return record.model_copy(update={"last_position": position, "last_outcome": outcome})
