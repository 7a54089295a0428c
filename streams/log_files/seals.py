"""A line with its checksum at its end, and what is read of one; pure."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Final

from pydantic import TypeAdapter, ValidationError

from contracts.frozen import Frozen
from contracts.log_lines import LogEnd, LogHeader, LogLine, LogRecord

_SUM_BYTES: Final = 16
_END: Final = re.compile(rb',"sum":"([0-9a-f]{32})"\}\Z')
_adapter: Final[TypeAdapter[LogHeader | LogRecord | LogEnd]] = TypeAdapter(LogLine)


class DamagedLine(ValueError):  # noqa: N818 - what it is
    """A line is not as it was written; the text says what is wrong, and quotes nothing."""


class Digest:
    """The digest of the sums of all records so far, and how many there were."""

    def __init__(self) -> None:
        self._state = blake2b(digest_size=_SUM_BYTES)
        self.records = 0

    def add(self, line: bytes) -> None:
        """Take notice of the sealed line of one more record."""
        self._state.update(sum_of(line).encode())
        self.records += 1

    def end(self) -> LogEnd:
        """Return the closing line."""
        return LogEnd(records=self.records, digest=self._state.hexdigest())


def sealed(said: Frozen) -> bytes:
    """Return `said` as a line with its checksum and its line end."""
    body = said.to_json()[:-1]
    return body + b',"sum":"%s"}\n' % _sum(body).encode()


def sum_of(line: bytes) -> str:
    """Return the checksum that a sealed line bears.

    Raises:
        DamagedLine: it bears none.
    """
    found = _END.search(line.rstrip(b"\r\n"))
    if found is None:
        raise DamagedLine("it does not end with its checksum")
    return found[1].decode()


def unsealed(line: bytes) -> LogHeader | LogRecord | LogEnd:
    """Return what a line says.

    Raises:
        DamagedLine: its checksum is not that of its content, or it is no line of ours.
    """
    told = sum_of(line)
    body = line.rstrip(b"\r\n")[: -len(',"sum":""}') - len(told)]
    if _sum(body) != told:
        raise DamagedLine("its checksum is not that of what it says")
    try:
        return _adapter.validate_json(body + b"}")
    except ValidationError as error:
        raise DamagedLine("it is no line of an exported log that this program knows") from error


def _sum(body: bytes) -> str:
    return blake2b(body, digest_size=_SUM_BYTES).hexdigest()
