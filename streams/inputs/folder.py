"""A folder of text files, one a chapter, in the order in which a person would read their names."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from natsort import natsort_keygen, ns

from streams.inputs.building import Draft, described, nth, publish
from streams.inputs.text_file import FORMATS, TextFile, own_title, read_text_file
from streams.inputs.values import ChapterInput, Naming, Problem, UnusableInput

_natural = natsort_keygen(alg=ns.IGNORECASE)

_UNPACK: Final = "unpack it and index the folder"
_CONVERT: Final = "convert it to .epub or .txt and index that"
OTHER_BOOKS: Final[Mapping[str, str]] = {
    ".epub": "index it by itself",
    **dict.fromkeys((".zip", ".7z", ".rar", ".tar", ".gz", ".tgz", ".xz", ".bz2"), _UNPACK),
    **dict.fromkeys((".mobi", ".azw", ".azw3", ".pdf", ".docx", ".odt", ".rtf", ".fb2"), _CONVERT),
}
"""What to do with files that may hold chapters and cannot be read as text."""

_NO_CHAPTERS: Final = frozenset(
    ("readme", "license", "licence", "copying", "changelog", "contributing", "toc", "contents")
)


def read_folder(path: Path, naming: Naming) -> ChapterInput:
    """Read a work from a folder and the folders in it: ordinals count the files.

    A chapter's id is its file's name without its ending, behind those of the folders that it
    lies in. A file that cannot be read keeps its ordinal: the chapters after it stay where they
    are.

    Raises:
        UnusableInput: the folder holds no file that could be a chapter.
    """
    unopened: list[Problem] = []
    entries = [*_entries(path, unopened)]
    files = chapter_files(path, entries)
    if not files:
        raise UnusableInput(_nothing(path, entries))
    work = described(naming, naming.title or path.resolve().name)
    read = [read_text_file(file, _shown(path, file)) for file in files]
    drafts = [
        _draft(result, _chapter_id(path, file), number)
        for number, (file, result) in enumerate(zip(files, read, strict=True), start=1)
        if isinstance(result, TextFile)
    ]
    chapters, problems = publish(work.work_id, drafts, naming.language)
    unreadable = tuple(result for result in read if isinstance(result, Problem))
    notes = [result.note for result in read if isinstance(result, TextFile) and result.note]
    notes += _passed_over(path, entries, files)
    return ChapterInput(work, chapters, (*unopened, *unreadable, *problems), tuple(notes))


def chapter_files(path: Path, entries: Iterable[Path]) -> list[Path]:
    """Return those of `entries` that can be chapters, in natural order (2 before 10)."""
    found = [
        file
        for file in entries
        if file.suffix.lower() in FORMATS
        and file.stem.casefold() not in _NO_CHAPTERS
        and not file.name.startswith(".")
        and (file.is_file() or not file.exists())  # a link to nothing is a chapter that is lost
    ]
    return sorted(found, key=lambda file: _reading_order(path, file))


def _entries(path: Path, unopened: list[Problem]) -> Iterator[Path]:
    """Yield what lies in the folder and those in it; links to folders are not followed.

    Of hidden files only those are told of that would else be chapters.
    """

    def complain(error: OSError) -> None:
        folder = Path(error.filename or path)
        if folder == path:
            raise error
        trouble = f"the folder cannot be opened ({error.strerror})"
        unopened.append(Problem(_shown(path, folder), None, trouble, "see its rights"))

    for folder, folders, files in os.walk(path, onerror=complain):
        links = [name for name in folders if Path(folder, name).is_symlink()]
        folders[:] = [name for name in folders if not name.startswith(".") and name not in links]
        for name in (*files, *links):
            if not name.startswith(".") or Path(name).suffix.lower() in FORMATS:
                yield Path(folder, name)


def _reading_order(path: Path, file: Path) -> tuple[object, ...]:
    # Full-width digits count like plain ones; equal names are told apart by their bytes.
    parts = file.relative_to(path).parts
    return (tuple(_natural(unicodedata.normalize("NFKC", part)) for part in parts), parts)


def _shown(path: Path, file: Path) -> str:
    return file.relative_to(path).as_posix()


def _chapter_id(path: Path, file: Path) -> str:
    return file.relative_to(path).with_suffix("").as_posix()


def _draft(file: TextFile, chapter_id: str, number: int) -> Draft:
    title = own_title(file) or chapter_id.rpartition("/")[2]
    return Draft(file.name, chapter_id, nth(number), title, file.text, file.format)


def _passed_over(path: Path, entries: list[Path], files: list[Path]) -> Iterator[str]:
    taken = set(files)
    others = sorted(_shown(path, entry) for entry in entries if entry not in taken)
    if others:
        shown = ", ".join(others[:3]) + (", …" if len(others) > 3 else "")
        count = "1 entry" if len(others) == 1 else f"{len(others)} entries"
        yield f"{path.name}: passed over, being no chapters: {count} ({shown})"
    for suffix in sorted(
        {s for entry in others if (s := Path(entry).suffix.lower()) in OTHER_BOOKS}
    ):
        yield f"{path.name}: to have {suffix} files indexed, {OTHER_BOOKS[suffix]}"


def _nothing(path: Path, entries: list[Path]) -> str:
    chapters = ", ".join("*" + suffix for suffix in FORMATS)
    books = sorted(_shown(path, e) for e in entries if e.suffix.lower() in OTHER_BOOKS)
    if books:
        remedy = OTHER_BOOKS[Path(books[0]).suffix.lower()]
        return f"The folder {path} holds no chapters ({chapters}) but {books[0]}: {remedy}."
    return f"The folder {path} holds no chapters: they are files named {chapters}."
