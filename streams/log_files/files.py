"""The bytes of an exported log: plain, or compressed where the file's name ends in .gz.

It is written in pieces of whole lines, each on the disk before the next; of a compressed file each
piece can be unpacked alone. So who was cut off goes on behind the last piece that is whole.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self

from streams.inputs.values import UnusableInput

_PIECE_BYTES: Final = 4_000_000  # what a cut-off export has to read and write again
_LEVEL: Final = 6  # as zlib has it: the last few percent would take three times as long
_LONGEST_LINE: Final = 64_000_000  # that of the largest message, as base64
_READ_BYTES: Final = 1_000_000
_GZIP: Final = 16 + zlib.MAX_WBITS


class CutOff(Exception):  # noqa: N818 - what it is
    """The file ends within a piece, or is damaged so that nothing after it can be unpacked."""


def is_packed(path: Path) -> bool:
    """Say whether the file's name wants it compressed.

    Raises:
        UnusableInput: it wants it compressed in a way that there is no library for.
    """
    if path.suffix in (".zst", ".xz", ".bz2", ".lz4", ".br"):
        raise UnusableInput(f"{path.name}: only .gz is known; name the file so, or without any.")
    return path.suffix == ".gz"


class LineWriter:
    """Writes lines behind what `out` holds; of a file (no pipe), `settle` has them on the disk."""

    def __init__(self, out: BinaryIO, *, packed: bool, pipe: bool = False) -> None:
        self._out = out
        self._packed = packed
        self._pipe = pipe
        self._lines: list[bytes] = []
        self._size = 0

    def write(self, line: bytes) -> None:
        """Take one line, with its line end."""
        self._lines.append(line)
        self._size += len(line)
        if self._size >= _PIECE_BYTES:
            self.settle()

    def settle(self) -> None:
        """Write what was taken."""
        piece = b"".join(self._lines)
        if piece:
            self._out.write(gzip.compress(piece, _LEVEL, mtime=0) if self._packed else piece)
        self._out.flush()
        if not self._pipe:
            os.fsync(self._out.fileno())
        self._lines, self._size = [], 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        if kind is None or issubclass(kind, Exception):
            self.settle()


def pieces(file: BinaryIO, *, packed: bool) -> Iterator[tuple[bytes, int]]:
    """Yield lines that a cut-off file may keep, as bytes, with where in the file they end.

    Of a plain file a line, of a packed one all lines of a piece. What is no whole one ends it.
    """
    yield from _packed_pieces(file) if packed else _plain_lines(file)


def _plain_lines(file: BinaryIO) -> Iterator[tuple[bytes, int]]:
    at = 0
    while (line := file.readline(_LONGEST_LINE)).endswith(b"\n"):
        at += len(line)
        yield line, at


def _packed_pieces(file: BinaryIO) -> Iterator[tuple[bytes, int]]:
    ends, rest = 0, b""
    while True:
        unpacker = zlib.decompressobj(_GZIP)
        unpacked = bytearray()
        while not unpacker.eof:
            some = rest or file.read(_READ_BYTES)
            rest = b""
            if not some:
                return
            try:
                unpacked += unpacker.decompress(some)
            except zlib.error:
                return
        rest = unpacker.unused_data
        ends = file.tell() - len(rest)
        yield bytes(unpacked), ends


def lines_of(path: Path) -> Iterator[bytes]:
    """Yield the lines of an exported log, one after the other.

    Raises:
        UnusableInput: it cannot be opened.
        CutOff: the lines after the last one yielded cannot be read.
    """
    try:
        opened: BinaryIO | gzip.GzipFile
        with gzip.open(path) if is_packed(path) else path.open("rb") as opened:
            while line := _line(opened):
                yield line
    except OSError as error:
        raise UnusableInput(f"{path} cannot be read: {error.strerror}.") from error


def _line(file: BinaryIO | gzip.GzipFile) -> bytes:
    try:
        line = file.readline(_LONGEST_LINE)
    except (OSError, EOFError, zlib.error) as error:
        raise CutOff("what follows cannot be read or unpacked") from error
    if line and not line.endswith(b"\n"):
        raise CutOff("what follows is cut off, or no line")
    return line
