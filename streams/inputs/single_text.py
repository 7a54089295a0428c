"""One text file that holds a whole work, its chapters under headings.

Every chapter's body is exactly a slice of the file's text. Chapter ids and ordinals count the
headings: "1", "2" and so on, whatever the headings say, since their numbers may begin again in
every part. "0" is a preface that stands before all headings.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from contracts.events import Format
from streams.inputs.building import Draft, described, nth, publish
from streams.inputs.sniffing import front_matter
from streams.inputs.splitting import Part, Split, split
from streams.inputs.text_file import TextFile, own_title, read_text_file
from streams.inputs.values import ChapterInput, Naming, Problem, UnusableInput

_TITLE_LINE: Final = re.compile(r"^Title:[ \t]*([^\r\n]+)", re.MULTILINE)
_AUTHOR_LINE: Final = re.compile(r"^Author:[ \t]*([^\r\n]+)", re.MULTILINE)
_HEADER: Final = 4_000  # characters in which a digital library names the book


def read_single_text(path: Path, naming: Naming) -> ChapterInput:
    """Read a whole work from one file.

    Raises:
        UnusableInput: the file cannot be read as text, or no work id can be made.
    """
    file = read_text_file(path)
    if isinstance(file, Problem):
        raise UnusableInput(str(file))
    found = _split(file)
    fields = front_matter(file.text)[0] if file.format is Format.MARKDOWN else {}
    told = fields.get("title") or _told(_TITLE_LINE, file)
    title = naming.title or told or _title_of_whole(file, found) or path.stem
    author = fields.get("author") or _told(_AUTHOR_LINE, file)
    work = described(naming, title, author=author)
    drafts = [
        Draft(
            file.name,
            str(number),
            nth(number),
            part.title or (title if len(found.parts) == 1 else ""),
            file.text[part.start : part.end],
            file.format,
        )
        for number, part in enumerate(found.parts, start=0 if found.front else 1)
    ]
    chapters, problems = publish(work.work_id, drafts, naming.language)
    return ChapterInput(work, chapters, problems, _notes(file, found))


def _split(file: TextFile) -> Split:
    if file.page:  # one page is one chapter: a slice of it would be no page
        return Split((Part(0, len(file.text), own_title(file)),))
    return split(file.text)


def _title_of_whole(file: TextFile, found: Split) -> str:
    """Return the title at the head of the file, unless it is that of its first chapter."""
    title = own_title(file)
    several = len(found.parts) > 1
    return "" if several and title == found.parts[0].title else title


def _told(line: re.Pattern[str], file: TextFile) -> str | None:
    found = line.search(file.text[:_HEADER])
    return found[1].strip() if found else None


def _notes(file: TextFile, found: Split) -> tuple[str, ...]:
    told = [file.note] if file.note else []
    if found.contents:
        told.append(f"{file.name}: a table of contents of {found.contents} lines was passed over")
    if len(found.parts) == 1 and not file.page:
        told.append(f"{file.name}: no chapter headings were found; it is taken as one chapter")
    return tuple(told)
