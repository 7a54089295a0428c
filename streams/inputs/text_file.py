"""One file of text: its format, its text exactly as it stands, and the title it gives itself."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from contracts.events import Format
from streams.inputs.encodings import Decoded, NotText, declared_encoding, decode
from streams.inputs.headings import HeadingKind, find_headings
from streams.inputs.sniffing import front_matter, is_page, sniffed
from streams.inputs.splitting import title_at
from streams.inputs.values import Problem

FORMATS: Final = {
    ".txt": Format.TEXT,
    ".text": Format.TEXT,
    ".md": Format.MARKDOWN,
    ".markdown": Format.MARKDOWN,
    ".html": Format.HTML,
    ".htm": Format.HTML,
    ".xhtml": Format.HTML,
}
_MOST_BYTES: Final = 256 * 1024 * 1024  # fifty long novels; what is read is held in memory
_TITLE_WITHIN: Final = 2_000  # characters: a heading further down is not the file's own
_MARKDOWN_TITLE: Final = re.compile(r"\s*#{1,6}[ \t]+([^\r\n]+)")
_HTML_TITLE: Final = re.compile(r"<(h1|h2|title)\b[^>]*>(.*?)</\1\s*>", re.IGNORECASE | re.DOTALL)
_TAG: Final = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class TextFile:
    """A decoded file. `note` says how it was read where that was a guess, else it is empty.

    `page` says that it is one page of HTML.
    """

    name: str
    format: Format
    text: str
    note: str
    page: bool


def read_text_file(path: Path, name: str = "") -> TextFile | Problem:
    """Read `path`, called `name`; a `Problem` says why it cannot be read and what to do.

    A text file that holds HTML, as saved pages and downloads do, is HTML.
    """
    name = name or path.name
    told = FORMATS[path.suffix.lower()]
    try:
        if path.stat().st_size > _MOST_BYTES:
            return Problem(
                name, None, f"it is larger than {_MOST_BYTES:,} bytes", "cut it in parts"
            )
        content = path.read_bytes()
        decoded = decode(content, declared_encoding(content) if told is Format.HTML else "")
    except OSError as error:
        return Problem(name, None, f"it cannot be read ({error.strerror})", "see its rights")
    except NotText as error:
        return Problem(name, None, f"it is no text: {error}", "save it as UTF-8 text")
    format_ = sniffed(decoded.text) if told is Format.TEXT else told
    page = told is Format.HTML or is_page(decoded.text)
    return TextFile(name, format_, decoded.text, _note(name, decoded, format_ is not told), page)


def _note(name: str, decoded: Decoded, holds_html: bool) -> str:
    read_as: list[str] = []
    if decoded.stray_bytes:
        stray = f"{decoded.stray_bytes} stray byte{'' if decoded.stray_bytes == 1 else 's'}"
        read_as.append(f"UTF-8, but for {stray} read as Windows-1252")
    elif decoded.encoding != "utf-8":
        read_as.append(decoded.encoding)
    if holds_html:
        read_as.append("HTML, which it holds")
    return f"{name}: read as {' and as '.join(read_as)}" if read_as else ""


def own_title(file: TextFile) -> str:
    """Return the title at the head of the file, or nothing."""
    if file.format is Format.HTML:
        return _html_title(file.text)
    begin = file.text[:_TITLE_WITHIN]
    if file.format is Format.MARKDOWN:
        fields, end = front_matter(file.text)
        if fields.get("title"):
            return fields["title"]
        begin = file.text[end : end + _TITLE_WITHIN]
        if marked := _MARKDOWN_TITLE.match(begin):
            return marked[1].strip(" \t#*_")
    for heading in find_headings(begin):
        if heading.kind is HeadingKind.CHAPTER and not begin[: heading.start].strip():
            return title_at(begin, heading)
    return ""


def _html_title(text: str) -> str:
    found = {match[1].lower(): match[2] for match in reversed([*_HTML_TITLE.finditer(text)])}
    for tag in ("h1", "h2", "title"):
        title = " ".join(html.unescape(_TAG.sub(" ", found.get(tag, ""))).split())
        if title:
            return title
    return ""
