"""An exported event log into another log, on whatever broker and with however many partitions.

Records are appended in the order of the file, and so in order within each work. Each bears a header
that says which record of which log it is: by these the import is gone on with where it was cut off,
and nothing is appended twice, in Kafka either.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from contracts.ports import EventLog, NewRecord, Record
from contracts.reports import LogImport
from contracts.topics import CHAPTERS
from streams import headers
from streams.dead_letters import POSITION
from streams.inputs.values import UnusableInput
from streams.log_files.checking import checked, line_of, named_place, record_of, records_in
from streams.log_files.exporting import FIRST_TIME, IMPORTED
from streams.log_files.positions import NamedPlaces

_OURS: Final = frozenset({POSITION, FIRST_TIME, IMPORTED})
_SHOWN_PROBLEMS: Final = 3
_MOST_RECORDS: Final = 1_000
_MOST_BYTES: Final = 8_000_000
"""Of one append: what is in memory, and what a crash has to do again."""

Told = Callable[[int], None]


async def import_from(
    log: EventLog, path: Path, *, skip_damaged: bool = False, told: Told = lambda _: None
) -> LogImport:
    """Append what the file holds to `log`, less what it has from there already.

    The whole file is read first: where a line is damaged or missing nothing is appended, unless
    `skip_damaged` wants all the others.

    Raises:
        UnusableInput: the file is damaged or none of ours; the text names the lines.
        TransientError: the log cannot be used now; the same call again goes on from there.
        PermanentError: it does not take a record.
    """
    found = checked(path)
    if found.problems and not skip_damaged:
        raise UnusableInput(_damaged(path, found.problems))
    importing = _Importing(log, found.named, await _known(log), told)
    for batch in _batches(map(record_of, records_in(path)), found.named):
        await importing.take(batch)
    return LogImport(
        records=found.records,
        new=importing.new,
        known=found.records - importing.new,
        problems=found.problems,
    )


@dataclass(slots=True)
class _Importing:
    """An import under way."""

    log: EventLog
    named: NamedPlaces
    known: _Known
    told: Told
    new: int = 0

    async def take(self, batch: Sequence[Record]) -> None:
        """Append those of `batch` that are new, in order."""
        wanted = {identity(r): r for r in batch if self.named.meets(line_of(r), r.offset)}
        # Of what an earlier run appended nobody remembers where: it is looked for everywhere.
        is_known = any(each in self.known for each in wanted)
        before = () if is_known or not wanted else await self.log.ends(CHAPTERS)
        fresh = [record for record in batch if identity(record) not in self.known]
        if fresh:
            self.new += await self.log.append([self._new(record) for record in fresh])
        if wanted:
            places = await self._places(wanted, before)
            for each, record in wanted.items():
                self.named.met(line_of(record), record.offset, places[each])
        for record in fresh:
            self.told(len(record.value or b""))

    async def _places(self, wanted: Collection[int], before: Sequence[int]) -> Mapping[int, int]:
        """Return where the records in `wanted` are in the new log, at or behind `before`."""
        places: dict[int, int] = {}
        for partition, end in enumerate(await self.log.ends(CHAPTERS)):
            start = before[partition] if partition < len(before) else 0
            async for record in self.log.span(CHAPTERS, partition, start, end):
                each = _imported(record)
                if each is not None and each in wanted:
                    places.setdefault(each, record.offset)
        return places

    def _new(self, record: Record) -> NewRecord:
        written = [pair for pair in record.headers if pair[0] not in _OURS]
        place = named_place(record)
        at = None if place is None else self.named.new_place(line_of(record), place)
        if at is not None:
            written.append((POSITION, str(at).encode()))
        written.append((FIRST_TIME, str(record.timestamp_ms).encode()))
        written.append((IMPORTED, f"{identity(record):016x}".encode()))
        # The source keeps two imports at once from appending it twice, where the log can do that.
        source = f"imported {identity(record):016x}"
        return NewRecord(CHAPTERS, record.key, record.value, tuple(written), source)


def identity(record: Record) -> int:
    """Return which record of which log it is, as 64 bits: where and when it came, and its key.

    Not its value, of which a purge or a withdrawal may have taken the text since.
    """
    place = f"{record.topic}\n{record.partition}\n{record.offset}\n{record.timestamp_ms}\n"
    digest = blake2b(place.encode() + (record.key or b""), digest_size=8)
    return int.from_bytes(digest.digest(), "big")


@dataclass(frozen=True, slots=True)
class _Known:
    """Which imported records a log holds, 8 bytes each."""

    sorted: NDArray[np.uint64]

    def __contains__(self, each: int) -> bool:
        at = int(np.searchsorted(self.sorted, np.uint64(each)))
        return at < len(self.sorted) and int(self.sorted[at]) == each


async def _known(log: EventLog) -> _Known:
    found = array("Q")
    for partition, end in enumerate(await log.ends(CHAPTERS)):
        async for record in log.span(CHAPTERS, partition, 0, end):
            each = _imported(record)
            if each is not None:
                found.append(each)
    return _Known(np.sort(np.frombuffer(found, dtype=np.uint64)))


def _imported(record: Record) -> int | None:
    text = headers.told(record).get(IMPORTED, "")
    try:
        return int(text, 16) if len(text) == 16 else None
    except ValueError:
        return None


def _batches(records: Iterable[Record], named: NamedPlaces) -> Iterator[list[Record]]:
    """Yield `records` in order in bounded batches; one that has a named place ends its batch.

    So the place is known before whatever names it is appended.
    """
    batch: list[Record] = []
    size = 0
    for record in records:
        batch.append(record)
        size += len(record.value or b"")
        is_full = len(batch) >= _MOST_RECORDS or size >= _MOST_BYTES
        if is_full or named.meets(line_of(record), record.offset):
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _damaged(path: Path, problems: Sequence[str]) -> str:
    shown = "; ".join(problems[:_SHOWN_PROBLEMS])
    more = (
        f"; and {len(problems) - _SHOWN_PROBLEMS} more" if len(problems) > _SHOWN_PROBLEMS else ""
    )
    return (
        f"{path} is damaged, so nothing of it was imported: {shown}{more}. Export it again; or "
        "import the rest with --skip-damaged."
    )
