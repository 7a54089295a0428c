"""Sending a dead letter again: what is appended, and which letters cannot be; pure."""

from __future__ import annotations

from contracts.ids import ChapterId
from contracts.order import OrderToken
from contracts.ports import NewRecord
from contracts.works import ChapterRecord, WorkRecord
from streams.dead_letters import POSITION, DeadLetter, FailureKind
from streams.identity import PUBLISHED
from streams.message_sizes import MAX_MESSAGE_BYTES, size_of


def sent_again(letter: DeadLetter, value: bytes) -> NewRecord:
    """Return the record that is appended to the letter's source: a late arrival at its old place.

    What came under another key than its work's has no place among that work's events: it goes
    under the right key, where that is known, as a new arrival.
    """
    key, position = letter.key, letter.position
    if letter.failure.kind is FailureKind.WRONG_KEY and letter.identity.work_id:
        key, position = letter.identity.work_id.encode(), -1
    headers = ((POSITION, str(position).encode()),) if position >= 0 else ()
    return NewRecord(letter.source, key, value, headers)


def refusal(letter: DeadLetter, work: WorkRecord | None) -> str | None:
    """Return why the letter cannot be sent again, None where it can; `work` is the graph's.

    The letter needs no bytes for this.
    """
    if not letter.source or letter.offset < 0:
        return "it does not say which topic it came from: no stage of ours wrote it"
    if letter.size is None:
        return f"its bytes are not here: {where_it_lies(letter)}"
    if size_of(sent_again(letter, b"")) + letter.size > MAX_MESSAGE_BYTES:
        return f"{letter.source} takes no message so large: publish it as several chapters"
    if work is not None and _is_withdrawn_since(letter, work):
        return "what it published was withdrawn since: drop it, or publish the chapter again"
    return None


def where_it_lies(letter: DeadLetter) -> str:
    """Say where the record lies that became the letter."""
    return (
        f"what came lies in {letter.source}, partition {letter.partition}, offset {letter.offset}"
    )


def _is_withdrawn_since(letter: DeadLetter, work: WorkRecord) -> bool:
    """Say whether a later withdrawal, grafted or pending, took away what the letter published.

    Its text must not be read again, nor given to a model: it may have been purged elsewhere.
    """
    whose = letter.identity
    if whose.kind != PUBLISHED or letter.position < 0:
        return False
    known = {chapter.chapter_id: chapter for chapter in work.chapters}
    chapter = known.get(ChapterId(whose.chapter_id or ""))
    hides = [work.floor, work.hidden_by, chapter.hidden_by if chapter else None]
    if any(by is not None and letter.position < by for by in hides):
        return True
    return chapter is not None and _ended_after(chapter, whose.revision, letter.position)


def _ended_after(chapter: ChapterRecord, revision: int | None, position: int) -> bool:
    registers = chapter.registers
    if registers.presence is None or registers.present:
        return False
    return OrderToken(*registers.presence) > registers.token(revision, position)
