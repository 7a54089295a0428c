"""What a text shows of its own format: HTML in a text file, front matter in Markdown."""

from __future__ import annotations

import re
from typing import Final

from contracts.events import Format

_DOCUMENT: Final = re.compile(
    r"\s*<(?:!doctype\s+html|html\b|\?xml\b[^<>]*>\s*<(?:!doctype|html))", re.IGNORECASE
)
_BLOCK: Final = re.compile(
    r"<(?:p|br|div|h[1-6]|li|blockquote|section|td)\b[^<>]{0,500}>", re.IGNORECASE
)
_INLINE: Final = re.compile(
    r"<(i|b|em|strong|span|u|s|ruby|small|sup|sub)>[^<>]{1,2000}</\1>", re.IGNORECASE
)
_CHARACTER: Final = re.compile(
    r"&(?:#\d{2,6}|#x[0-9a-f]{2,5}|quot|amp|lt|gt|apos|nbsp|[lr][sd]quo|[mn]dash|hellip);",
    re.IGNORECASE,
)
_GAP: Final = re.compile(r"\S[ \t]*(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)")
_FEWEST: Final = 2  # one mark may be what the story is about
_PER_GAP: Final = 0.5
"""Marks of blocks for each blank line: where there are fewer, the blank lines make the paragraphs,
which reading as HTML would run together."""

_FRONT_MATTER: Final = re.compile(
    r"\ufeff?---[ \t]*+\r?\n((?:(?:[\w-]++:|-?[ \t]).*+\n)++)---[ \t]*+(?:\r?\n|\Z)"
)
_FIELD: Final = re.compile(r"([\w-]+):[ \t]*(.*?)[ \t]*\r?$", re.MULTILINE)


def is_page(text: str) -> bool:
    """Say whether `text` is a whole page of HTML, a slice of which would be no page."""
    return _DOCUMENT.match(text) is not None


def sniffed(text: str) -> Format:
    """Return HTML where `text`, not said to be anything, is full of it; else text."""
    if is_page(text):
        return Format.HTML
    blocks = _count(_BLOCK, text)
    if blocks:
        enough = blocks >= _FEWEST and blocks >= _PER_GAP * _count(_GAP, text)
        return Format.HTML if enough else Format.TEXT
    inline = _count(_INLINE, text) + _count(_CHARACTER, text)
    return Format.HTML if inline >= _FEWEST else Format.TEXT


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))


def front_matter(markdown: str) -> tuple[dict[str, str], int]:
    """Return the plain fields of the front matter, and where the text after it begins."""
    found = _FRONT_MATTER.match(markdown)
    if found is None:
        return {}, 0
    fields = {
        name.lower(): value[1:-1] if value[:1] in {"'", '"'} and value[-1:] == value[:1] else value
        for name, value in _FIELD.findall(found[1])
    }
    return fields, found.end()
