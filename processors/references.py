"""Marks in a page that are no words of its text: of notes, of pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from selectolax.lexbor import LexborNode

_NOTE_ROLES: Final = frozenset({"noteref", "doc-noteref", "backlink", "doc-backlink", "referrer"})
_PAGE_ROLES: Final = frozenset({"pagebreak", "doc-pagebreak"})
_PAGE_CLASSES: Final = frozenset({"pagenum", "pageno", "page-number", "pagenumber", "pagebreak"})
_FOOTNOTE_ROLES: Final = frozenset(
    {
        "footnote", "footnotes", "endnote", "endnotes", "rearnote", "rearnotes",
        "doc-footnote", "doc-endnote", "doc-endnotes",
    }
)  # fmt: skip
# What a link to a note shows: a number, a sign, an arrow back. Story links nothing so short.
_MARK: Final = re.compile(
    r"[\W_]{0,6}(?:[注註]|[Nn]ote\s?|[Pp]g?\.?\s?)?\d{0,3}[\W_]{0,6}|[\[(][a-z*]{1,2}[\])]"
)
_LONGEST: Final = 16
_FEW_NODES: Final = 12


def roles_of(attributes: Mapping[str, str | None]) -> frozenset[str]:
    """Return what the element says that it is, in the words of EPUB and of ARIA."""
    told = f"{attributes.get('epub:type') or ''} {attributes.get('role') or ''}"
    return frozenset(told.casefold().split())


def is_footnote(roles: frozenset[str]) -> bool:
    """Say whether an element with these roles holds notes."""
    return not roles.isdisjoint(_FOOTNOTE_ROLES)


def mark_kind(node: LexborNode, attributes: Mapping[str, str | None]) -> str | None:
    """Return which mark the element is, as the reason why it is left out; None for text.

    Only what is short is ever a mark: an element that was never closed holds the whole page.
    """
    roles = roles_of(attributes)
    classes = frozenset((attributes.get("class") or "").casefold().split())
    is_page = not (roles.isdisjoint(_PAGE_ROLES) and classes.isdisjoint(_PAGE_CLASSES))
    href = attributes.get("href") or ""
    leads_inside = "#" in href and "://" not in href
    is_note = leads_inside or not roles.isdisjoint(_NOTE_ROLES)
    if not is_page and not is_note:
        return None
    shown = _short_text(node)
    if not shown or not _MARK.fullmatch(shown):
        return None
    return "page_number" if is_page else "note_reference"


def _short_text(node: LexborNode) -> str:
    """Return the text inside `node`; an empty one where it is long, or deep."""
    waiting = [node]
    parts: list[str] = []
    seen = length = 0
    while waiting:
        at = waiting.pop()
        seen += 1
        if seen > _FEW_NODES:
            return ""
        if at.is_text_node:
            text = at.text_content or ""
            length += len(text)
            if length > _LONGEST:
                return ""
            parts.append(text)
        child = at.last_child
        while child is not None and len(waiting) <= _FEW_NODES:
            waiting.append(child)
            child = child.prev
    return "".join(parts).strip()
