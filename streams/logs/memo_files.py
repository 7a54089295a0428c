"""The memo as JSON lines: carried to another home, so that it pays for nothing again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from pydantic import ValidationError

from contracts.ids import WorkId
from contracts.memo import MemoEntry
from contracts.ports import Memo
from contracts.reports import MemoImport
from streams.inputs.values import UnusableInput


class UnusableMemoLine(UnusableInput):
    """A line is no memo entry; the text names the line."""


async def export_entries(memo: Memo, work_id: WorkId, out: BinaryIO) -> int:
    """Write the entries of a work, one a line, by key; return how many there were."""
    entries = await memo.of_work(work_id)
    out.writelines(entry.to_json() + b"\n" for entry in entries)
    return len(entries)


async def import_entries(memo: Memo, lines: Iterable[bytes]) -> MemoImport:
    """Put each line's entry where the memo has no answer; what it has stays.

    What was paid for an entry that is new enters the ledger. Where the memo has an answer, the
    other one was paid for somewhere else.

    Raises:
        UnusableMemoLine: a line is no entry; the lines before it are in the memo.
    """
    read = new = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        entry = _entry(number, line)
        read += 1
        has = await memo.get(entry.asked)
        new += has is None
        await memo.put_if_absent(
            entry if has is None else has.model_copy(update={"sources": entry.sources})
        )
    return MemoImport(read=read, new=new, known=read - new)


def _entry(number: int, line: bytes) -> MemoEntry:
    try:
        return MemoEntry.model_validate_json(line)
    except ValidationError as error:
        raise UnusableMemoLine(
            f"Line {number} is no entry of a memo; import what `storygraft memo export` wrote."
        ) from error
