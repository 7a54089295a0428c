"""A book as an EPUB: its chapters in reading order, named as its table of contents names them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Final

from contracts.events import Format
from contracts.ordinals import Ordinal
from streams.inputs.building import Draft, described, nth, publish
from streams.inputs.epub_archive import Archive, Unreadable
from streams.inputs.epub_matter import (
    Book,
    has_heading,
    heading_kind,
    heading_of,
    is_division,
    not_a_chapter,
)
from streams.inputs.epub_navigation import Entry
from streams.inputs.epub_package import Package, Spine, read_package
from streams.inputs.epub_pages import Page, StyleSheets, cut
from streams.inputs.headings import HeadingKind
from streams.inputs.values import ChapterInput, Naming, Problem, UnusableInput

_PAGES: Final = frozenset(
    {"application/xhtml+xml", "text/html", "application/xml", "text/x-oeb1-document", ""}
)
_SPLIT: Final = re.compile(r"(.*)_split_\d+\.\w+\Z", re.DOTALL)  # of one page cut by its size
_OPENING_WORDS: Final = 40  # of a heading and a motto
_CHAPTERS: Final = (HeadingKind.CHAPTER, HeadingKind.NUMBER)


def read_epub(path: Path, naming: Naming) -> ChapterInput:
    """Read the chapters of a book.

    A chapter's id is what the book calls its file, with the anchor where it begins within one;
    its ordinal counts the chapters. A chapter that cannot be read keeps its ordinal. What of
    the book is no chapter is in the notes, each with the reason.

    Raises:
        UnusableInput: it is no EPUB, a protected one, or one without chapters.
    """
    try:
        with Archive(path) as archive:
            package = read_package(archive)
            found = _Reading(path.name, package, StyleSheets(archive))
            for spine in package.spine:
                found.take(archive, spine)
    except Unreadable as error:
        raise UnusableInput(f"{path.name}: {error.trouble}; {error.remedy}.") from error
    drafts = found.finish()
    if not drafts:
        told = "; ".join([*map(str, found.problems), *found.notes])
        raise UnusableInput(f"{path.name} holds no chapters ({told}): index another copy.")
    title = naming.title or package.title or path.stem
    named = Naming(naming.work_id, naming.title, naming.language or package.language or None)
    work = described(named, title, author=package.author or None)
    # What books say of their language is wrong too often to read them by it.
    chapters, problems = publish(work.work_id, drafts, naming.language)
    return ChapterInput(work, chapters, (*found.problems, *problems), tuple(found.notes))


@dataclass(frozen=True, slots=True)
class _Chapter:
    """A chapter and the pages that make it."""

    chapter_id: str
    ordinal: Ordinal
    title: str
    parts: list[str]


@dataclass
class _Reading:
    """What is read of a book so far, chapter by chapter. `lost` could not be read just now."""

    file: str
    package: Package
    styles: StyleSheets
    chapters: list[_Chapter] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    waiting: list[Page] = field(default_factory=list)
    count: int = 0
    last_path: str = ""
    lost: str = ""

    def __post_init__(self) -> None:
        told = [f"{self.file}: {note}" for note in self.package.notes]
        self.notes.extend(told)
        self.chosen = chapter_entries(self.package.navigation)
        self.listed = {entry.path for entry in self.package.navigation}
        self.book = Book(self.package.title, self.package.author, self.package.roles)

    def take(self, archive: Archive, spine: Spine) -> None:
        """Read the next file of the book."""
        file = spine.file
        if not spine.linear:
            self._pass_over(file.path, "off the reading order (linear is no)")
            return
        if file.media_type not in _PAGES:
            self._pass_over(file.path, f"{file.media_type}, no page of text")
            return
        entries = [entry for entry in self.chosen if entry.path == file.path]
        try:
            html = self.styles.with_hidden(archive.text(file.path), file.path)
        except Unreadable as error:
            self.problems.append(Problem(self.file, file.id, error.trouble, error.remedy))
            if entries or not self._may_go_on(file.path):
                self.count += max(1, len(entries))
                self.lost = file.id
            return
        pages, lost = cut(html, file.path, entries)
        for fragment in lost:
            self.notes.append(f"{self.file}: {file.path} has no place {fragment!r}")
        for page, following in pairwise([*pages, None]):
            if page is not None:
                self._take_page(page, file.id, opens=_only_opens(page, following))

    def _take_page(self, page: Page, idref: str, *, opens: bool) -> None:
        reason = not_a_chapter(page, self.book, before_the_story=not self.chapters)
        if reason:
            self._pass_over(page.path + (f"#{page.fragment}" if page.fragment else ""), reason)
        elif opens or is_division(page):
            self.waiting.append(page)
        elif self.chapters and not self.waiting and self._goes_on(page):
            self._add(page)
        else:
            self._begin(page, idref)

    def _begin(self, page: Page, idref: str) -> None:
        self.count += 1
        self.lost = ""
        chapter_id = f"{idref}#{page.fragment}" if page.fragment else idref
        title = page.title or heading_of(page)
        parts = [each.html for each in (*self.waiting, page)]
        self.waiting.clear()
        self.chapters.append(_Chapter(chapter_id, nth(self.count), title, parts))
        self.last_path = page.path

    def _add(self, page: Page) -> None:
        if self.lost:
            trouble = f"{page.path} goes on with it and is left out"
            self.problems.append(Problem(self.file, self.lost, trouble, "mend what was before it"))
            return
        self.chapters[-1].parts.append(page.html)
        self.last_path = page.path

    def _goes_on(self, page: Page) -> bool:
        """Say whether the page is the rest of the chapter before it."""
        if page.listed:
            return False
        if page.path == self.last_path:
            return True
        return self._may_go_on(page.path) and (page.path in self.listed or not has_heading(page))

    def _may_go_on(self, path: str) -> bool:
        """Say whether a file that no chapter begins in may be the rest of the one before."""
        if self.listed:
            return bool(self.chapters)
        before, now = _SPLIT.match(self.last_path), _SPLIT.match(path)
        return before is not None and now is not None and before[1] == now[1]

    def _pass_over(self, path: str, reason: str) -> None:
        self.notes.append(f"{self.file}: {path} is no chapter: {reason}")

    def finish(self) -> list[Draft]:
        """End the book; return its chapters."""
        for page in self.waiting:
            self._pass_over(page.path, "a heading without a chapter after it")
        return [
            Draft(
                self.file, one.chapter_id, one.ordinal, one.title, "\n".join(one.parts), Format.HTML
            )
            for one in self.chapters
        ]


def _only_opens(page: Page, following: Page | None) -> bool:
    """Say whether a piece is no more than what stands above the first chapter of its file."""
    return following is not None and not page.listed and page.words <= _OPENING_WORDS


def chapter_entries(entries: Sequence[Entry]) -> list[Entry]:
    """Return the lines of a table of contents that begin chapters, without sections of one."""
    return list(_chapter_entries(entries))


def _chapter_entries(entries: Sequence[Entry]) -> Iterator[Entry]:
    above: list[Entry] = []
    for entry in entries:
        while above and above[-1].depth >= entry.depth:
            above.pop()
        if not above or not _is_section(entry, above[-1], entries):
            yield entry
            above.append(entry)


def _is_section(entry: Entry, parent: Entry, entries: Sequence[Entry]) -> bool:
    """Say whether a line set in under `parent` names a part of that chapter, not a chapter."""
    outer = heading_kind(parent.title)
    if outer in _CHAPTERS:
        return True
    if outer is HeadingKind.DIVISION or heading_kind(entry.title) in _CHAPTERS:
        return False
    beside = sum(other.depth == parent.depth for other in entries)
    return entry.path == parent.path and beside > 1
