"""Whether an exported log is whole: each line, and that none is missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from contracts.log_lines import LogEnd, LogHeader, LogRecord
from contracts.ports import Record
from streams import headers
from streams.dead_letters import POSITION
from streams.headers import number
from streams.inputs.values import UnusableInput
from streams.log_files.files import CutOff, lines_of
from streams.log_files.positions import Line, NamedPlaces
from streams.log_files.seals import DamagedLine, Digest, unsealed


@dataclass(frozen=True, slots=True)
class Checked:
    """What a file holds: how many records that can be read, the places they name, what is wrong."""

    records: int
    named: NamedPlaces
    problems: tuple[str, ...]


@dataclass(slots=True)
class _Reading:
    """A file as far as it is read."""

    digest: Digest = field(default_factory=Digest)
    end: LogEnd | None = None
    named: list[tuple[Line, int]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def checked(path: Path) -> Checked:
    """Read the whole file and say what is wrong with it, line by line.

    Raises:
        UnusableInput: it cannot be opened, or is no exported log.
    """
    reading, number_, header = _Reading(), 0, False
    try:
        for number_, line in enumerate(lines_of(path), start=1):
            header |= _read(reading, number_, line)
    except CutOff as error:
        reading.problems.append(f"after line {number_}: {error}")
    if not header:
        raise UnusableInput(f"{path} is no exported log, or its first line is damaged.")
    if reading.end is None:
        reading.problems.append(f"the file ends with line {number_}, before its closing line")
    elif reading.end != reading.digest.end() and not reading.problems:
        told, there = reading.end.records, reading.digest.records
        reading.problems.append(f"the file tells of {told} records and holds {there}, or others")
    named = NamedPlaces.of(reading.named)
    return Checked(reading.digest.records, named, tuple(reading.problems))


def records_in(path: Path) -> Iterator[LogRecord]:
    """Yield the records of a file that was checked, those that can be read."""
    try:
        for line in lines_of(path):
            try:
                said = unsealed(line)
            except DamagedLine:
                continue
            if isinstance(said, LogRecord):
                yield said
    except CutOff:
        return


def record_of(line: LogRecord) -> Record:
    """Return the record as it lay in the old log."""
    return Record(
        topic=line.topic,
        offset=line.offset,
        key=None if line.key is None else line.key.content,
        value=None if line.value is None else line.value.content,
        headers=tuple((name, content.content) for name, content in line.headers),
        timestamp_ms=line.time_ms,
        partition=line.partition,
    )


def line_of(record: Record) -> Line:
    """Return within what the record's offset can be compared."""
    return record.partition, record.key


def named_place(record: Record) -> int | None:
    """Return the old place that the record's header names, None where it is at its own."""
    return number(headers.told(record).get(POSITION))


def _read(reading: _Reading, at: int, line: bytes) -> bool:
    """Take notice of a line; say whether it is the header."""
    try:
        said = unsealed(line)
        record = record_of(said) if isinstance(said, LogRecord) else None
    except ValueError as error:
        reading.problems.append(f"line {at} is damaged: {error}")
        return False
    if reading.end is not None:
        reading.problems.append(f"line {at} stands behind the closing line")
    elif isinstance(said, LogEnd):
        reading.end = said
    elif record is not None:
        reading.digest.add(line)
        place = named_place(record)
        if place is not None:
            reading.named.append((line_of(record), place))
    return isinstance(said, LogHeader)
