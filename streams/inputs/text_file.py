"""One file of text: its format, its text exactly as it stands, and the title it gives itself."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from contracts.events import Format
from streams.inputs.encodings import Decoded, NotText, decode
from streams.inputs.headings import HeadingKind, find_headings
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
_TITLE_WITHIN: Final = 2_000  # characters: a heading further down is not the file's own
_MARKDOWN_TITLE: Final = re.compile(r"\s*#{1,6}[ \t]+([^\r\n]+)")
_HTML_TITLE: Final = re.compile(r"<(h1|h2|title)\b[^>]*>(.*?)</\1\s*>", re.IGNORECASE | re.DOTALL)
_TAG: Final = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class TextFile:
    """A decoded file. `note` says how it was read where that was a guess, else it is empty."""

    name: str
    format: Format
    text: str
    note: str


def read_text_file(path: Path) -> TextFile | Problem:
    """Read `path`; a `Problem` says why it cannot be read and what to do."""
    try:
        decoded = decode(path.read_bytes())
    except OSError as error:
        return Problem(path.name, None, f"it cannot be read ({error.strerror})", "see its rights")
    except NotText as error:
        return Problem(path.name, None, f"it is no text: {error}", "save it as UTF-8 text")
    return TextFile(path.name, FORMATS[path.suffix.lower()], decoded.text, _note(path, decoded))


def _note(path: Path, decoded: Decoded) -> str:
    if decoded.stray_bytes:
        stray = f"{decoded.stray_bytes} stray byte{'' if decoded.stray_bytes == 1 else 's'}"
        return f"{path.name}: read as UTF-8, but for {stray} read as Windows-1252"
    return f"{path.name}: read as {decoded.encoding}" if decoded.encoding != "utf-8" else ""


def own_title(file: TextFile) -> str:
    """Return the title at the head of the file, or nothing."""
    if file.format is Format.HTML:
        return _html_title(file.text)
    begin = file.text[:_TITLE_WITHIN]
    if file.format is Format.MARKDOWN and (marked := _MARKDOWN_TITLE.match(begin)):
        return marked[1].strip(" \t#*_")
    for heading in find_headings(begin):
        if heading.kind is HeadingKind.CHAPTER and not begin[: heading.start].strip():
            return title_at(file.text, heading)
    return ""


def _html_title(text: str) -> str:
    found = {match[1].lower(): match[2] for match in reversed([*_HTML_TITLE.finditer(text)])}
    for tag in ("h1", "h2", "title"):
        title = " ".join(html.unescape(_TAG.sub(" ", found.get(tag, ""))).split())
        if title:
            return title
    return ""
