"""A folder of text files, one a chapter, in the order in which a person would read their names."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from natsort import natsort_keygen, ns

from streams.inputs.building import Draft, described, nth, publish
from streams.inputs.text_file import FORMATS, TextFile, own_title, read_text_file
from streams.inputs.values import ChapterInput, Naming, Problem, UnusableInput

_natural = natsort_keygen(alg=ns.IGNORECASE)


def read_folder(path: Path, naming: Naming) -> ChapterInput:
    """Read a work from a folder: ordinals count the files, a chapter's id is its file's stem.

    A file that cannot be read keeps its ordinal: the chapters after it stay where they are.

    Raises:
        UnusableInput: the folder holds no file that could be a chapter.
    """
    files = chapter_files(path)
    if not files:
        raise UnusableInput(
            f"The folder {path} holds no chapters: they are files named "
            f"{', '.join('*' + suffix for suffix in FORMATS)}."
        )
    work = described(naming, naming.title or path.resolve().name)
    read = [read_text_file(file) for file in files]
    drafts = [
        _draft(result, file.stem, number)
        for number, (file, result) in enumerate(zip(files, read, strict=True), start=1)
        if isinstance(result, TextFile)
    ]
    chapters, problems = publish(work.work_id, drafts, naming.language)
    unreadable = tuple(result for result in read if isinstance(result, Problem))
    notes = [result.note for result in read if isinstance(result, TextFile) and result.note]
    return ChapterInput(work, chapters, unreadable + problems, (*notes, *_passed_over(path, files)))


def chapter_files(path: Path) -> list[Path]:
    """Return the files of `path` that can be chapters, in natural order (2 before 10)."""
    found = [
        file
        for file in path.iterdir()
        if file.is_file() and not file.name.startswith(".") and file.suffix.lower() in FORMATS
    ]
    return sorted(found, key=_reading_order)


def _reading_order(file: Path) -> tuple[object, str]:
    # Full-width digits count like plain ones; equal names are told apart by their bytes.
    return _natural(unicodedata.normalize("NFKC", file.name)), file.name


def _draft(file: TextFile, stem: str, number: int) -> Draft:
    return Draft(file.name, stem, nth(number), own_title(file) or stem, file.text, file.format)


def _passed_over(path: Path, files: list[Path]) -> tuple[str, ...]:
    others = [
        entry.name
        for entry in path.iterdir()
        if entry not in files and not entry.name.startswith(".")
    ]
    if not others:
        return ()
    shown = ", ".join(sorted(others)[:3]) + (", …" if len(others) > 3 else "")
    return (f"{path.name}: {len(others)} entries that are no chapters were passed over ({shown})",)
