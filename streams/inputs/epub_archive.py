"""The members of an EPUB, read in memory within bounds; nothing is ever unpacked to a disk.

An EPUB is a zip file from anywhere: a member may unpack to terabytes, lie about its size, point
outside of the book, or be encrypted. Only what is asked for is read, and no more of it than a
chapter can need.
"""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from urllib.parse import unquote

from streams.inputs.encodings import NotText, declared_encoding, decode

MOST_MEMBER_BYTES: Final = 16 * 1024 * 1024
"""Unpacked bytes of one member: four times the largest chapter that is indexed by default."""

MOST_BYTES: Final = 256 * 1024 * 1024
"""Unpacked bytes of all that is read of one book: fifty long novels."""

_MOST_MEMBERS: Final = 65_535
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # all that an EPUB may use
_ENCRYPTED: Final = 0x1
_BROKEN: Final = (
    zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError,
    OverflowError,
)  # fmt: skip


class Unreadable(Exception):  # noqa: N818 - it says what the member is
    """A member cannot be read; `remedy` says what to do."""

    def __init__(self, trouble: str, remedy: str = "mend the EPUB or convert it anew") -> None:
        super().__init__(trouble)
        self.trouble = trouble
        self.remedy = remedy


class Archive:
    """A context manager around an open EPUB.

    Raises `Unreadable` when entered and the file is no zip file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._left = MOST_BYTES

    def __enter__(self) -> Self:
        try:
            self._zip = zipfile.ZipFile(self._path)
        except _BROKEN as error:
            raise Unreadable("it is no zip file, or a damaged one") from error
        members = self._zip.infolist()
        if len(members) > _MOST_MEMBERS:
            self._zip.close()
            raise Unreadable(f"it holds {len(members):,} files, which no book does")
        self._members = {member.filename: member for member in members}
        self._by_case = {name.casefold(): name for name in self._members}
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._zip.close()

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def names(self) -> tuple[str, ...]:
        """Return the names of all members, as the zip file lists them."""
        return tuple(self._members)

    def located(self, href: str, folder: str = "") -> str:
        """Return the name of the member that `href`, found in `folder`, means.

        A name that no member has is returned as it is: reading it says what is wrong.
        """
        plain = href.strip().replace("\\", "/")
        for spelled in (unquote(plain), plain):
            name = posixpath.normpath(posixpath.join(folder, spelled)).lstrip("/")
            if name in self._members:
                return name
            if name.casefold() in self._by_case:
                return self._by_case[name.casefold()]
        return posixpath.normpath(posixpath.join(folder, unquote(plain)))

    def text(self, name: str) -> str:
        """Return a member as text, in its own encoding.

        Raises:
            Unreadable: it is not there, damaged, encrypted, too large, or no text.
        """
        content = self._content(name)
        try:
            return decode(content, declared_encoding(content)).text
        except NotText as error:
            raise Unreadable(f"{name} is no text: {error}") from error

    def _content(self, name: str) -> bytes:
        if name.startswith("../") or name == "..":
            raise Unreadable(f"{name} lies outside of the book")
        member = self._members.get(name)
        if member is None:
            raise Unreadable(f"{name} is not in the book")
        if member.flag_bits & _ENCRYPTED:
            raise Unreadable(f"{name} is encrypted", "give a copy without a password")
        if member.compress_type not in _METHODS:
            raise Unreadable(f"{name} is packed in a way that no EPUB may be")
        limit = min(MOST_MEMBER_BYTES, self._left)
        try:
            with self._zip.open(member) as file:
                content = file.read(limit + 1)
        except _BROKEN as error:
            raise Unreadable(f"{name} is damaged") from error
        if len(content) > limit:
            raise Unreadable(
                f"{name} unpacks to more than {limit:,} bytes", "cut it into smaller files"
            )
        self._left -= len(content)
        return content
