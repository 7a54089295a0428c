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
from typing import BinaryIO, Final

from streams.identity import guessed
from streams.inputs.values import UnusableInput

STDIN: Final = Path("-")

_LONGEST_LINE: Final = 64_000_000  # bytes: many times the largest chapter that is indexed


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

    `STDIN` names what is piped to us.

    Raises:
        OSError: the file cannot be read.
        UnusableInput: a line is longer than any event can be.
    """
    chain = b""
    with _opened(path) as file:
        for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE + 1), b""), start=1):
            if len(line) > _LONGEST_LINE:
                raise UnusableInput(
                    f"{path.name}: line {number} is longer than {_LONGEST_LINE:,} bytes: give "
                    "chapter events, one JSON object a line."
                )
            value = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
            value = value.strip(b" \t\r\n")
            if not value:
                continue
            chain = hashlib.blake2b(chain + value, digest_size=16).digest()
            yield EventLine(number, guessed(value).work_id, value, chain.hex())


def _opened(path: Path) -> BinaryIO:
    # Not `sys.stdin`: whoever still waits for a line must not keep the interpreter from ending.
    return open(0, "rb", closefd=False) if path == STDIN else path.open("rb")
