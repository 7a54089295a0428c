"""Which pages of a book are no chapters: covers, title pages, imprints, tables of contents.

What the book says of a page counts, then the page's name, then its words; and always less than
real prose: a page that holds some is a chapter, whatever it is called.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from itertools import pairwise
from typing import Final

from contracts.ids import normalised
from contracts.words import count_words
from streams.inputs.epub_pages import Page, body_attributes
from streams.inputs.headings import Heading, HeadingKind, find_headings

_COVER: Final = "the cover"
_TITLE_PAGE: Final = "a title page"
_IMPRINT: Final = "the copyright page"
_CONTENTS: Final = "the table of contents"


def _each(reason: str, *names: str) -> dict[str, str]:
    return dict.fromkeys(names, reason)


_ROLES: Final[Mapping[str, str]] = {
    **_each(_COVER, "cover", "doc-cover"),
    **_each(_TITLE_PAGE, "titlepage", "title-page", "halftitlepage", "halftitle"),
    **_each(_IMPRINT, "copyright-page", "copyright", "imprint", "colophon", "doc-colophon"),
    **_each(_CONTENTS, "toc", "doc-toc", "landmarks", "loi", "lot", "page-list"),
}
_NAMES: Final[Mapping[str, str]] = {
    **_each(_COVER, "cover", "coverpage", "cover page", "cover image", "封面", "表紙", "titelbild"),
    **_each(
        _TITLE_PAGE, "titlepage", "title page", "halftitle", "half title", "halftitlepage",
        "half title page", "书名页", "書名頁", "扉页", "扉頁", "titelseite", "page de titre",
    ),
    **_each(
        _IMPRINT, "copyright", "copyright page", "copyright notice", "imprint", "colophon",
        "uncopyright", "版权", "版权页", "版權", "版權頁", "奥付", "impressum",
    ),
    **_each(
        _CONTENTS, "toc", "nav", "toc page", "contents", "table of contents", "目录", "目錄",
        "目次",         "inhalt", "inhaltsverzeichnis", "table des matières", "índice", "sommaire",
    ),
}  # fmt: skip

_PROSE: Final = 600  # words: a page that has more is no front matter, whatever it is called
_LINKED: Final = 0.6  # of the words of a table of contents; chapters link hardly any
_FEWEST_LINKS: Final = 3
_TITLE_WORDS: Final = 60
_IMPRINT_WORDS: Final = 500
_RIGHTS: Final = re.compile(
    r"(?i)all\s+rights\s+reserved|alle\s+rechte\s+vorbehalten|tous\s+droits\s+réservés|版权所有|"
    r"著作権|(?:©|\(c\)|copyright)\s*(?:©\s*)?(?:by\s+)?[^.]{0,60}?\b(?:1[6-9]|20)\d\d\b"
)
_PUBLISHED: Final = re.compile(
    r"(?i)\bisbn\b|\bpublished\s+by\b|\bpublisher\b|\bno\s+part\s+of\s+this\b|\bpress\b|\beditions?\b|"
    r"\breserved\b|\bverlag\b|出版|\bwork\s+of\s+fiction\b|\bpermission\b"
)
_SECTION: Final = re.compile(r"<(?:section|div|article)\b([^<>]*)>", re.IGNORECASE)
_TYPE: Final = re.compile(r"\b(?:epub:type|role)\s*=\s*[\"']([^\"']*)[\"']", re.IGNORECASE)
_LINK_ENDS: Final = re.compile(r"<a\b[^<>]*\bhref\b[^<>]*>|</a\s*>", re.IGNORECASE)
_MARKUP: Final = re.compile(r"<[^<>]*>")
_HEADING_TAG: Final = re.compile(r"<h[1-3]\b", re.IGNORECASE)
_HEADING: Final = re.compile(r"<(h[1-4])\b[^<>]*>(.{0,600}?)</\1\s*>", re.IGNORECASE | re.DOTALL)
_HEAD: Final = 3_000  # code points of a page's body in which its heading stands
_DIVISION_WORDS: Final = 40


@dataclass(frozen=True, slots=True)
class Book:
    """What a page is compared with. `roles` are those that the book gives to its files."""

    title: str
    author: str
    roles: Mapping[str, str]


def not_a_chapter(page: Page, book: Book, *, before_the_story: bool) -> str:
    """Say what the page is where it is no chapter; nothing where it is one."""
    if not page.words:
        images = re.search(r"<(?:img|svg|image)\b", page.html, re.IGNORECASE)
        return _told(page, book) or ("only images" if images else "no text")
    linked, links = _linked(page.html)
    is_list = links >= _FEWEST_LINKS and linked >= _LINKED * page.words
    if page.words <= _PROSE or is_list:
        told = _told(page, book)
        if told:
            return told
    if is_list and not page.listed:
        return _CONTENTS
    return _seen(page, book, before_the_story=before_the_story)


def _told(page: Page, book: Book) -> str:
    """Return what the book or the page itself calls the page."""
    if not page.fragment:
        told = [book.roles.get(page.path, ""), *_TYPE.findall(body_attributes(page.html))]
        begin = max(0, page.html.find("<body"))
        for section in _SECTION.findall(page.html, begin, begin + _HEAD):
            told += _TYPE.findall(section)
        for role in " ".join(told).casefold().split():
            if role in _ROLES:
                return _ROLES[role]
        stem = posixpath.splitext(posixpath.basename(page.path))[0]
        if name := _NAMES.get(_plain(stem)):
            return name
    return _NAMES.get(_plain(page.title or heading_of(page)), "")


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", " ", normalised(name).casefold()).strip()


def _seen(page: Page, book: Book, *, before_the_story: bool) -> str:
    """Return what the words of the page show it to be."""
    text = "\n".join(page.lines)
    if page.words <= _IMPRINT_WORDS and _RIGHTS.search(text) and _PUBLISHED.search(text):
        return _IMPRINT
    title, author = _plain(book.title), _plain(book.author)
    if before_the_story and title and page.words <= _TITLE_WORDS and not page.listed:
        shown = _plain(text)
        rest = shown.replace(title, " ", 1).replace(author, " ", 1)
        if title in shown and (author in shown if author else not rest.strip()):
            return _TITLE_PAGE
    return ""


def _linked(html: str) -> tuple[int, int]:
    """Return how many words of the page are links, and how many links there are."""
    words = links = 0
    for opened, closed in pairwise(_LINK_ENDS.finditer(html)):
        if not opened[0].startswith("</") and closed[0].startswith("</"):
            words += count_words(_MARKUP.sub(" ", html[opened.end() : closed.start()]))
            links += 1
    return words, links


def heading_of(page: Page) -> str:
    """Return the heading at the head of a page, or nothing."""
    begin = page.html.find("<body")
    found = _HEADING.search(page.html, max(0, begin), max(0, begin) + _HEAD)
    if found:
        return " ".join(unescape(_MARKUP.sub(" ", found[2])).split())
    return page.lines[0] if page.lines and heading_kind(page.lines[0]) is not None else ""


def has_heading(page: Page) -> bool:
    """Say whether the page begins something: under a heading, or with a line that is one."""
    begin = max(0, page.html.find("<body"))
    tagged = _HEADING_TAG.search(page.html, begin, begin + _HEAD)
    return bool(tagged) or (bool(page.lines) and heading_kind(page.lines[0]) is not None)


def heading_kind(line: str) -> HeadingKind | None:
    """Return what a line that is a heading opens; None where it is none."""
    found: tuple[Heading, ...] = find_headings(line)
    return found[0].kind if found else None


def is_division(page: Page) -> bool:
    """Say whether the page only opens a part of the book, whose first chapter comes next."""
    if not page.lines or page.words > _DIVISION_WORDS:
        return False
    return HeadingKind.DIVISION in {heading_kind(page.lines[0]), heading_kind(page.title)}
