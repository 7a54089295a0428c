"""The pages of an EPUB as chapters need them: cut at anchors, each piece a page by itself."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from contracts.errors import PermanentError
from contracts.events import Format
from contracts.words import count_words
from processors.hiding import HiddenNames, hidden_names
from processors.markup import extract
from processors.markup_cleaning import attributes_of, tags
from streams.inputs.epub_archive import Archive, Unreadable
from streams.inputs.epub_navigation import Entry

# No pattern looks past the next "<": each costs no more than the page is long.
_BODY: Final = re.compile(r"<body\b([^<>]*)>", re.IGNORECASE)
_BODY_END: Final = re.compile(r"</body\s*>", re.IGNORECASE)
_NAMED: Final = re.compile(r"\b(?:id|name)\s*=", re.IGNORECASE)
_OPENED_JUST_BEFORE: Final = re.compile(
    r"(?:<(?:h[1-6]|p|div|section|article|header|hgroup|a|span)\b[^<>]*>\s*)+\Z", re.IGNORECASE
)
_LOOK_BACK: Final = 1_000  # code points before an anchor, in which its own heading begins
_LINK: Final = re.compile(r"<link\b[^<>]*>", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"\bhref\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_HEAD: Final = re.compile(r"</head\s*>", re.IGNORECASE)


@dataclass(frozen=True)
class Page:
    """A piece of a file: a whole page of HTML. `fragment` is empty where the file begins."""

    path: str
    fragment: str
    title: str
    html: str
    listed: bool

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The paragraphs that a reader sees; none on a page of images."""
        try:
            return tuple(extract(self.html, Format.HTML).text.split("\n\n"))
        except PermanentError:
            return ()

    @cached_property
    def words(self) -> int:
        """How many words a reader sees."""
        return sum(map(count_words, self.lines))


def body_attributes(html: str) -> str:
    """Return what the `body` element says of itself."""
    found = _BODY.search(html)
    return found[1] if found else ""


def cut(html: str, path: str, entries: Sequence[Entry]) -> tuple[list[Page], list[str]]:
    """Cut a file where `entries`, lines of the table of contents, lead into it.

    Returns the pieces in order, and the fragments that are not in the file. What stands before
    the first entry is a piece of its own, which is not listed.
    """
    begin, end = _body(html)
    anchors = _anchors(html) if any(entry.fragment for entry in entries) else {}
    places: dict[int, Entry] = {}
    lost: list[str] = []
    for entry in entries:
        at = anchors.get(entry.fragment) if entry.fragment else begin
        if at is None:
            lost.append(entry.fragment)
        else:
            places[min(max(at, begin), end)] = entry  # of two at one place the later is deeper
    if not places:
        return [Page(path, "", entries[0].title if entries else "", html, bool(entries))], lost
    starts = sorted(places)
    pieces = [
        Page(path, _fragment(html, begin, at, places[at]), places[at].title, shown, listed=True)
        for at, stop in zip(starts, [*starts[1:], end], strict=True)
        if (shown := _piece(html, begin, end, at, stop))
    ]
    if html[begin : starts[0]].strip():
        pieces.insert(0, Page(path, "", "", _piece(html, begin, end, begin, starts[0]), False))
    return pieces, lost


def _body(html: str) -> tuple[int, int]:
    opened = _BODY.search(html)
    begin = opened.end() if opened else 0
    closed = _BODY_END.search(html, begin)
    return begin, closed.start() if closed else len(html)


def _anchors(html: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for tag in tags(html):
        if tag.is_end or not _NAMED.search(tag.attributes):
            continue
        given = attributes_of(tag.attributes)
        for name in ("id", "name"):
            if given.get(name):
                found.setdefault(given[name], _before_its_block(html, tag.start))
    return found


def _before_its_block(html: str, at: int) -> int:
    """Return where the block begins whose first content stands at `at`."""
    first = max(0, at - _LOOK_BACK)
    opened = _OPENED_JUST_BEFORE.search(html[first:at])
    return first + opened.start() if opened else at


def _fragment(html: str, begin: int, at: int, entry: Entry) -> str:
    return entry.fragment if html[begin:at].strip() else ""


def _piece(html: str, begin: int, end: int, at: int, stop: int) -> str:
    if (at, stop) == (begin, end):
        return html
    return html[:begin] + html[at:stop] + html[end:]


class StyleSheets:
    """What the style sheets of a book hide, by the classes and ids that they name."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._read: dict[str, HiddenNames] = {}

    def with_hidden(self, html: str, path: str) -> str:
        """Return the page with the hiding rules of its linked style sheets inside it."""
        names: Mapping[str, set[str]] = {".": set(), "#": set()}
        for link in _LINK.findall(html[: _body(html)[0]]):
            address = _ADDRESS.search(link)
            if address and "stylesheet" in link.casefold():
                hidden = self._hidden(address[1] or address[2] or "", path)
                names["."].update(hidden.classes)
                names["#"].update(hidden.ids)
        head = _HEAD.search(html)
        if head is None or not (names["."] or names["#"]):
            return html
        selectors = ",".join(mark + name for mark in names for name in sorted(names[mark]))
        style = f"<style>{selectors}{{display:none}}</style>"
        return html[: head.start()] + style + html[head.start() :]

    def _hidden(self, href: str, path: str) -> HiddenNames:
        name = self._archive.located(href.partition("#")[0], posixpath.dirname(path))
        if name not in self._read:
            try:
                self._read[name] = hidden_names(self._archive.text(name))
            except Unreadable:  # a book without its style sheet is a book all the same
                self._read[name] = HiddenNames()
        return self._read[name]
