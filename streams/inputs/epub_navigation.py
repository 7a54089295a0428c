"""The table of contents of an EPUB: the navigation document of EPUB 3, the NCX of EPUB 2."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Final
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from processors.markup_cleaning import Tag, attributes_of, tags
from streams.inputs.epub_archive import Archive
from streams.inputs.epub_xml import attribute, content, kind, parsed

_MARKUP: Final = re.compile(r"<[^<>]*>")
_DEEPEST: Final = 20  # levels of a table of contents; real ones have four


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the table of contents: where it leads, and how deep it is set in, from 0."""

    title: str
    path: str
    fragment: str
    depth: int


def read_ncx(archive: Archive, name: str) -> list[Entry]:
    """Read the table of contents of an EPUB 2.

    Raises:
        Unreadable: it is not there, or no XML.
    """
    root = parsed(archive.text(name), name)
    folder = posixpath.dirname(name)
    return [
        entry
        for title, href, depth in _points(root)
        if (entry := _entry(archive, folder, title, href, depth)) is not None
    ]


def _points(root: Element) -> Iterator[tuple[str, str, int]]:
    """Yield what the points say, in order, however deep they lie; without recursion."""
    path: list[tuple[Iterator[Element], int]] = [(iter(root), 0)]
    while path:
        element = next(path[-1][0], None)
        depth = path[-1][1]
        if element is None:
            path.pop()
        elif kind(element) == "navPoint":
            labels = [content(child) for child in element if kind(child) == "navLabel"]
            hrefs = [attribute(child, "src") for child in element if kind(child) == "content"]
            yield "".join(labels[:1]), "".join(hrefs[:1]), depth
            path.append((iter(element), min(depth + 1, _DEEPEST)))
        elif kind(element) == "navMap":
            path.append((iter(element), depth))


def read_nav(archive: Archive, name: str) -> tuple[list[Entry], dict[str, str]]:
    """Read the table of contents of an EPUB 3, and the roles that its landmarks give to files.

    Raises:
        Unreadable: it is not there, or no text.
    """
    links = list(_links(archive.text(name)))
    folder = posixpath.dirname(name)
    entries = [
        entry
        for title, href, depth, role in links
        if not role and (entry := _entry(archive, folder, title, href, depth)) is not None
    ]
    roles = {
        archive.located(href.partition("#")[0], folder): role
        for _, href, _, role in links
        if role and href.partition("#")[0]
    }
    return entries, roles


def _entry(archive: Archive, folder: str, title: str, href: str, depth: int) -> Entry | None:
    place, _, fragment = href.partition("#")
    if not place:
        return None
    return Entry(" ".join(title.split()), archive.located(place, folder), unquote(fragment), depth)


def _links(html: str) -> Iterator[tuple[str, str, int, str]]:
    """Yield title, address, depth, and the role that a landmark gives, of each link in a list.

    Links of other lists, of pages or of pictures, are left out; where no list is marked, all of
    them make the table of contents.
    """
    shown: list[str] = []
    depth = 0
    opened: tuple[Tag, int, str] | None = None
    for tag in tags(html):
        if opened is not None and tag.name in {"a", "nav"}:
            yield from _link(html[opened[0].end : tag.start], *opened)
            opened = None
        if tag.name == "nav":
            depth = 0
            if not tag.is_end:
                given = attributes_of(tag.attributes)
                shown.append(given.get("epub:type") or given.get("role", ""))
            elif shown:
                shown.pop()
        elif tag.name in {"ol", "ul"}:
            depth = max(0, depth - 1 if tag.is_end else depth + 1)
        elif tag.name == "a" and not tag.is_end:
            opened = (tag, min(max(0, depth - 1), _DEEPEST), shown[-1] if shown else "toc")


def _link(inside: str, tag: Tag, depth: int, shown: str) -> Iterator[tuple[str, str, int, str]]:
    given = attributes_of(tag.attributes)
    title = unescape(_MARKUP.sub("", inside))
    if "landmarks" in shown.split():
        yield title, given.get("href", ""), depth, given.get("epub:type") or "landmark"
    elif "toc" in shown or not shown:
        yield title, given.get("href", ""), depth, ""
