"""What an exported event log says: a header, a line a record, a line that closes it.

Each line ends with `"sum"`, the digest of all that stands before it in the line; the closing line
counts the records and has the digest of all their sums.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AwareDatetime, Field

from contracts.encoded import Bytes
from contracts.frozen import Frozen

FORMAT: Literal[1] = 1


class LogHeader(Frozen):
    """What was exported: the records of `topic` before `ends` (by partition), less the rest.

    Of one work where `work_id` is told, those told before `until`, and those up to and including
    `to_offset`.
    """

    line: Literal["header"] = "header"
    storygraft_log: Literal[1] = FORMAT
    topic: str
    ends: tuple[int, ...]
    work_id: str | None = None
    until: AwareDatetime | None = None
    to_offset: int | None = None


class LogRecord(Frozen):
    """A record of the log as it lay there. A partition's records stand together, by offset.

    `withheld` says that its text is left out, since what it published was withdrawn.
    """

    line: Literal["record"] = "record"
    topic: str
    partition: int
    offset: int
    time_ms: int
    key: Bytes | None
    value: Bytes | None
    headers: tuple[tuple[str, Bytes], ...] = ()
    withheld: bool = False


class LogEnd(Frozen):
    """The last line: without it, the file was cut off."""

    line: Literal["end"] = "end"
    records: int
    digest: str


LogLine = Annotated[LogHeader | LogRecord | LogEnd, Field(discriminator="line")]
