"""The event log into a file: a line a record, as they lie, partition by partition.

Only `chapters` is carried: all else is made of it again, dead letters too, and costs no model call
where the memo comes along.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Final

from contracts.encoded import Bytes
from contracts.log_lines import LogEnd, LogHeader, LogRecord
from contracts.ports import EventLog, Record
from contracts.reports import LogExport
from contracts.topics import CHAPTERS
from streams import headers
from streams.inputs.values import UnusableInput
from streams.log_files.files import LineWriter, is_packed, pieces
from streams.log_files.seals import DamagedLine, Digest, sealed, unsealed
from streams.log_files.withholding import Withholding, withholding

FIRST_TIME: Final = "storygraft-first-time-ms"
"""Header of an imported record: when it first came, in milliseconds since 1970."""

IMPORTED: Final = "storygraft-imported"
"""Header of an imported record: which record of which log it is."""

Told = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Selection:
    """Which records: of one work, told before `until`, up to and including `to_offset`."""

    work_id: str | None = None
    until: datetime | None = None
    to_offset: int | None = None

    def takes(self, record: Record) -> bool:
        """Say whether the record is among them."""
        return (
            (self.work_id is None or record.key == self.work_id.encode())
            and (self.to_offset is None or record.offset <= self.to_offset)
            and (self.until is None or told_at(record) < self.until.timestamp() * 1000)
        )


def told_at(record: Record) -> int:
    """Return when the record first came to a log of ours, in milliseconds since 1970."""
    first = headers.number(headers.told(record).get(FIRST_TIME))
    return record.timestamp_ms if first is None else first


@dataclass(slots=True)
class _Begun:
    """What a file holds already: how far each partition is in it, and its size up to there."""

    header: LogHeader | None = None
    end: LogEnd | None = None
    next_offsets: dict[int, int] = field(default_factory=dict)
    partition: int = 0
    withheld: int = 0
    digest: Digest = field(default_factory=Digest)
    size: int = 0


async def export_to(
    log: EventLog, path: Path, selection: Selection, told: Told = lambda _: None
) -> LogExport:
    """Write the selected records of `log` into the file; one that was cut off is gone on with.

    It ends where the log ended when it was begun. The same call again writes the same file.

    Raises:
        UnusableInput: the file is something else, holds another selection, or cannot be written.
        TransientError: the log cannot be used now; the same call again goes on from there.
    """
    packed = is_packed(path)
    begun = _begun(path, packed=packed)
    if begun.header is not None and _selection_of(begun.header) != selection:
        raise UnusableInput(f"{path} holds another export: delete it, or name another file.")
    if begun.end is not None:
        return _report(begun, begun.digest.records, begun.end)
    try:
        with path.open("r+b" if begun.size else "wb") as out:
            out.seek(begun.size)
            out.truncate()
            lines = LineWriter(out, packed=packed)
            return await _written(log, lines, begun, selection, told)
    except OSError as error:
        raise UnusableInput(f"{path} cannot be written: {error.strerror}.") from error


async def export_through(
    log: EventLog, out: BinaryIO, selection: Selection, told: Told = lambda _: None
) -> LogExport:
    """Write the selected records of `log` into a pipe. Raises as `export_to` does."""
    lines = LineWriter(out, packed=False, pipe=True)
    return await _written(log, lines, _Begun(), selection, told)


async def _written(
    log: EventLog, writer: LineWriter, begun: _Begun, selection: Selection, told: Told
) -> LogExport:
    resumed = begun.digest.records
    withhold = await withholding(log)
    with writer as lines:
        header = begun.header or await _header(log, selection)
        if begun.header is None:
            lines.write(sealed(header))
            lines.settle()  # by it the file is known again, wherever it is cut off after that
        async for record in _rest(log, header, begun, selection):
            line = _line(record, withhold)
            begun.withheld += line.withheld
            written = sealed(line)
            begun.digest.add(written)
            lines.write(written)
            told(len(written))
        end = begun.digest.end()
        lines.write(sealed(end))
    return _report(begun, resumed, end)


async def _rest(
    log: EventLog, header: LogHeader, begun: _Begun, selection: Selection
) -> AsyncIterator[Record]:
    for partition, end in enumerate(header.ends):
        if partition < begun.partition:
            continue
        start = begun.next_offsets.get(partition, 0)
        async for record in log.span(header.topic, partition, start, end):
            if selection.takes(record):
                yield record


async def _header(log: EventLog, selection: Selection) -> LogHeader:
    return LogHeader(
        topic=CHAPTERS,
        ends=await log.ends(CHAPTERS),
        work_id=selection.work_id,
        until=selection.until,
        to_offset=selection.to_offset,
    )


def _selection_of(header: LogHeader) -> Selection:
    return Selection(header.work_id, header.until, header.to_offset)


def _line(record: Record, withhold: Withholding) -> LogRecord:
    instead = withhold(record)
    value = record.value if instead is None else instead
    return LogRecord(
        topic=record.topic,
        partition=record.partition,
        offset=record.offset,
        time_ms=told_at(record),
        key=None if record.key is None else Bytes.of(record.key),
        value=None if value is None else Bytes.of(value),
        headers=tuple((name, Bytes.of(content)) for name, content in record.headers),
        withheld=instead is not None,
    )


def _report(begun: _Begun, resumed: int, end: LogEnd) -> LogExport:
    return LogExport(
        records=end.records, resumed=resumed, withheld=begun.withheld, digest=end.digest
    )


# --- what is there already ------------------------------------------------------------------------


def _begun(path: Path, *, packed: bool) -> _Begun:
    """Read what is whole of an export that may have been cut off."""
    begun = _Begun()
    try:
        with path.open("rb") as file:
            for piece, ends in pieces(file, packed=packed):
                if not _take(begun, piece):
                    break
                begun.size = ends
            if begun.header is None and file.seek(0, 2):
                raise UnusableInput(f"{path} is no exported log: name another file.")
    except FileNotFoundError:
        return begun
    except OSError as error:
        raise UnusableInput(f"{path} cannot be read: {error.strerror}.") from error
    return begun


def _take(begun: _Begun, piece: bytes) -> bool:
    """Take notice of the lines of a piece; False where one is damaged, and so all of it is."""
    lines = piece.splitlines(keepends=True)
    try:
        said = [unsealed(line) for line in lines]
    except DamagedLine:
        return False
    for line, each in zip(lines, said, strict=True):
        match each:
            case LogHeader():
                begun.header = each
            case LogRecord():
                begun.digest.add(line)
                begun.partition = each.partition
                begun.next_offsets[each.partition] = each.offset + 1
                begun.withheld += each.withheld
            case LogEnd():
                begun.end = each
    return True
