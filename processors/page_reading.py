"""The paragraphs that a reader of a page sees, in order, each once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from processors.hiding import HiddenNames, is_hidden
from processors.references import is_footnote, mark_kind, roles_of
from processors.separators import is_separator

SCENE_BREAK: Final = "* * *"
"""What a rule, and every ornament between paragraphs, becomes."""

_INLINE: Final = frozenset({"span", "ruby", "rb", "rtc", "td", "th"})
_RUBY: Final[Mapping[str, str]] = {"rt": "ruby", "rp": "ruby_parenthesis"}
_SPACES: Final = re.compile(r"[ \t\n\r\f]+")
_PREFORMATTED: Final = re.compile(r"white-space:\s*(?:pre|break-spaces)", re.IGNORECASE)
_PARAGRAPH_END: Final = re.compile(r"\n{2,}")
_NOTE_BOX: Final = re.compile(
    r"(?i)\b(?:author|translator|editor|tl)s?[-_ ]?notes?\b|\b(?:end|chapter)[-_]?notes?\d*\b|"
    r"\b(?:notes|summary)\s+module\b|(?:^|\s)(?:meta|footnotes?)(?:\s|$)"
)
_ORNAMENT: Final = re.compile(
    r"(?i)divid|separat|(?:scene|section)[-_ ]?break|ornament|flourish|fleuron|asterism"
)


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph: trimmed lines, none of them empty."""

    text: str
    heading: bool = False
    note: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    """What the elements around a node say about it."""

    heading: bool = False
    note: bool = False
    preformatted: bool = False
    marker: str = ""


class _Mark(Enum):
    """What stands between runs of text."""

    LINE_END = auto()
    BLOCK_END = auto()
    RULE = auto()
    ORNAMENT = auto()


_Piece = tuple[str, _Place] | _Mark
_Item = tuple[LexborNode, _Place] | _Piece


def read_page(html: str, hidden: HiddenNames, dropped: Counter[str]) -> list[Block]:
    """Return the paragraphs of a clean page; count in `dropped` what was left out, and why.

    Where the page has neither blocks nor line breaks, its own line ends are kept: then it is
    plain text that somebody calls HTML.
    """
    root = LexborHTMLParser(html).root
    if root is None:
        return []
    place = _Place(preformatted=not re.search(r"<(?!/?(?:span|img|wbr|r[tbp]|ruby)\b)", html))
    return list(_blocks(_pieces(root, place, hidden, dropped)))


def _pieces(
    root: LexborNode, place: _Place, hidden: HiddenNames, dropped: Counter[str]
) -> Iterator[_Piece]:
    """Walk the tree without recursion, holding one path of it: pages may be deep and wide."""
    path: list[Iterator[_Item]] = [iter([(root, place)])]
    while path:
        item = next(path[-1], None)
        if item is None:
            path.pop()
        elif isinstance(item, _Mark) or isinstance(item[0], str):
            yield item
        elif item[0].is_text_node:
            yield item[0].text_content or "", item[1]
        elif item[0].is_element_node:
            mark = _seen(item[0], hidden, dropped)
            if isinstance(mark, _Mark):
                yield mark
            elif mark:
                path.append(_inside(item[0], item[1]))
    yield _Mark.BLOCK_END


def _seen(node: LexborNode, hidden: HiddenNames, dropped: Counter[str]) -> bool | _Mark:
    """Say whether a reader sees into an element, or which mark stands for it."""
    tag = node.tag or ""
    if tag == "br":
        return _Mark.LINE_END
    if tag == "hr":
        return _Mark.RULE
    attributes = node.attributes
    reason = _why_unread(node, tag, attributes, hidden)
    if reason is None:
        return True
    dropped[reason] += 1
    named = " ".join(attributes.get(name) or "" for name in ("src", "alt", "class"))
    return _Mark.ORNAMENT if reason == "image" and _ORNAMENT.search(named) else False


def _why_unread(
    node: LexborNode, tag: str, attributes: Mapping[str, str | None], hidden: HiddenNames
) -> str | None:
    if tag in _RUBY:
        return _RUBY[tag]
    if attributes and is_hidden(attributes, hidden):
        return "hidden"
    mark = mark_kind(node, attributes) if attributes else None
    return mark or ("image" if tag == "img" else None)


def _inside(node: LexborNode, around: _Place) -> Iterator[_Item]:
    """Yield what an element holds, with its ends around it."""
    tag = node.tag or ""
    place = _place(node, tag, around)
    if tag not in _INLINE:
        yield _Mark.BLOCK_END
    elif tag in {"td", "th"}:
        yield " ", place
    if around.marker and tag == "li":
        yield around.marker, place
    number = _first_number(node)
    child = node.first_child
    while child is not None:
        if tag == "ol" and child.tag == "li":
            yield child, replace(place, marker=f"{number}. ")
            number += 1
        else:
            yield child, place
        child = child.next
    if tag not in _INLINE:
        yield _Mark.BLOCK_END


def _place(node: LexborNode, tag: str, around: _Place) -> _Place:
    attributes = node.attributes
    names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}" if attributes else ""
    heading = around.heading or tag == "h1"
    note = around.note or bool(names and _NOTE_BOX.search(names))
    note = note or (bool(attributes) and is_footnote(roles_of(attributes)))
    preformatted = around.preformatted or tag == "pre"
    if attributes and _PREFORMATTED.search(attributes.get("style") or ""):
        preformatted = True
    return _Place(heading, note, preformatted)


def _first_number(node: LexborNode) -> int:
    start = (node.attributes.get("start") or "1").strip()
    return int(start) if re.fullmatch(r"\d{1,6}", start) else 1


@dataclass(slots=True)
class _Draft:
    """The block that is being read."""

    parts: list[str] = field(default_factory=list)
    place: _Place | None = None
    ornaments: int = 0


def _blocks(pieces: Iterable[_Piece]) -> Iterator[Block]:
    draft = _Draft()
    for piece in pieces:
        if isinstance(piece, tuple):
            text, place = piece
            draft.parts.append(text if place.preformatted else _SPACES.sub(" ", text))
            if draft.place is None and text.strip():
                draft.place = place
        elif piece is _Mark.LINE_END:
            draft.parts.append("\n")
        elif piece is _Mark.ORNAMENT:
            draft.ornaments += 1
        else:
            yield from _finished(draft)
            draft = _Draft()
            if piece is _Mark.RULE:
                yield Block(SCENE_BREAK)


def _finished(draft: _Draft) -> Iterator[Block]:
    text = "".join(draft.parts).replace("\r\n", "\n").replace("\r", "\n")
    place = draft.place or _Place()
    lines = "\n".join(line.strip(" \t") for line in text.split("\n"))
    empty = True
    for paragraph in _PARAGRAPH_END.split(lines):
        trimmed = paragraph.strip()
        if not trimmed:
            continue
        empty = False
        separates = "\n" not in trimmed and is_separator(trimmed)
        yield Block(SCENE_BREAK if separates else trimmed, place.heading, place.note)
    if empty and draft.ornaments:
        yield Block(SCENE_BREAK)
