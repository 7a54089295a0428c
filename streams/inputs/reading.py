"""Whatever lies at a path, read into chapter events.

An EPUB, a folder of text files, one text file with chapter headings, a serial as one JSON
object, or chapter events as JSON lines.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Final

from streams.inputs.encodings import NotText, decode
from streams.inputs.epub import read_epub
from streams.inputs.folder import OTHER_BOOKS, read_folder
from streams.inputs.json_lines import STDIN
from streams.inputs.serial import read_serial
from streams.inputs.single_text import read_single_text
from streams.inputs.text_file import FORMATS
from streams.inputs.values import ChapterInput, EventInput, Naming, UnusableInput

_EVENT_SUFFIXES: Final = (".jsonl", ".ndjson")
_SHAPES: Final = (
    f"give an .epub, a folder of chapters ({', '.join(FORMATS)}), one text file, "
    "a serial as .json, or chapter events as .jsonl"
)


def read_input(path: Path, naming: Naming) -> ChapterInput | EventInput:
    """Read what lies at `path`, whatever shape of input it is.

    Raises:
        UnusableInput: nothing of it can be published; the text says why and what to do.
    """
    try:
        return _read(path, naming)
    except OSError as error:
        raise UnusableInput(f"{path} cannot be read: {error.strerror}.") from error
    except UnusableInput as error:
        if path.name in str(error):
            raise
        raise UnusableInput(f"{path.name}: {error}") from error


def read_events(path: Path, naming: Naming) -> EventInput:
    """Take what lies at `path` for chapter events, one JSON object a line; `STDIN` is a pipe.

    Raises:
        UnusableInput: somebody names the work, which events do themselves.
    """
    if naming != Naming():
        name = "What is piped" if path == STDIN else path.name
        raise UnusableInput(
            f"{name} holds events, which name their works themselves: leave out --work, "
            "--title and --language."
        )
    return EventInput(path)


def _read(path: Path, naming: Naming) -> ChapterInput | EventInput:
    suffix = path.suffix.lower()
    if path == STDIN:
        raise UnusableInput(
            "Only `storygraft publish -` reads from a pipe: publish it, or name a file."
        )
    if not path.exists():
        raise UnusableInput(f"There is no {path}: {_SHAPES}.")
    if path.is_dir():
        return read_folder(path, naming)
    if suffix in _EVENT_SUFFIXES:
        return read_events(path, naming)
    if suffix == ".json":
        return _read_json(path, naming)
    if suffix in FORMATS:
        return read_single_text(path, naming)
    if suffix == ".epub" or _is_epub(path):
        return read_epub(path, naming)
    if remedy := OTHER_BOOKS.get(suffix):
        raise UnusableInput(f"{path.name} cannot be read as it is: {remedy}.")
    raise UnusableInput(f"{path.name} is of a kind that is not known: {_SHAPES}.")


def _is_epub(path: Path) -> bool:
    """Say whether a file of any other name is an EPUB."""
    try:
        with zipfile.ZipFile(path) as archive:
            return "META-INF/container.xml" in archive.namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return False


def _read_json(path: Path, naming: Naming) -> ChapterInput | EventInput:
    """Tell a serial from events that somebody named .json."""
    content = path.read_bytes()
    if _is_event(content.split(b"\n", 1)[0]) or _is_event(content):
        return read_events(path, naming)
    try:
        return read_serial(path, decode(content).text.encode(), naming)
    except NotText as error:
        raise UnusableInput(f"{path.name} is no text: {error}; save it as UTF-8.") from error


def _is_event(content: bytes) -> bool:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "kind" in value and "work_id" in value
