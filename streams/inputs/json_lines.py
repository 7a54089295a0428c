"""Chapter events, one JSON object a line, passed on byte for byte.

A line that is no event is passed on too: it becomes a dead letter that can be looked at and
mended, where a reader of lines that refused it would have lost it.
"""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from streams.identity import guessed


@dataclass(frozen=True, slots=True)
class EventLine:
    """A line of the file.

    `source` is a digest of this line and all lines before it, so that a line which an import has
    had already, after the same lines, is known again, also in a longer version of the file.
    """

    number: int
    work_id: str | None
    value: bytes
    source: str


def read_lines(path: Path) -> Iterator[EventLine]:
    """Yield the lines of the file that hold anything; the file is never held as a whole.

    Raises:
        OSError: the file cannot be read.
    """
    chain = b""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            value = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
            value = value.strip(b" \t\r\n")
            if not value:
                continue
            chain = hashlib.blake2b(chain + value, digest_size=16).digest()
            yield EventLine(number, guessed(value).work_id, value, chain.hex())
