"""A serial as one JSON object: id, title, author, language, and its chapters with their texts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from contracts.events import Format
from contracts.ordinals import Ordinal
from streams.decoding import explained
from streams.inputs.building import Draft, described, publish
from streams.inputs.sniffing import sniffed
from streams.inputs.values import ChapterInput, Naming, Problem, UnusableInput

_REMEDY = 'a chapter is {"index": 1, "title": "…", "text": "…"}'


class _Serial(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: str = ""
    title: str | None = None
    author: str | None = None
    language: str | None = None
    format: Format | None = None
    chapters: Annotated[list[JsonValue], Field(min_length=1)]


class _Chapter(BaseModel):
    model_config = ConfigDict(extra="ignore")

    index: Ordinal
    title: str | None = None
    label: str | None = None
    text: str
    format: Format | None = None


def read_serial(path: Path, content: bytes, naming: Naming) -> ChapterInput:
    """Read a serial from the JSON in `content`.

    A chapter's `index` is its ordinal and, as text, its id; its `format` is its own, else the
    serial's, else HTML where the text holds HTML. A chapter that is unfit is a problem, the
    others are published.

    Raises:
        UnusableInput: the JSON is no serial at all.
    """
    try:
        serial = _Serial.model_validate_json(content)
    except ValidationError as error:
        raise UnusableInput(f"{path.name} is no serial: {explained(error)}; {_REMEDY}.") from error
    named = Naming(naming.work_id, naming.title, naming.language or serial.language or None)
    title = named.title or serial.title or path.stem
    work = described(named, title, work_id=serial.id, author=serial.author or None)
    drafts: list[Draft] = []
    problems: list[Problem] = []
    for number, value in enumerate(serial.chapters, start=1):
        try:
            drafts.append(_draft(path.name, _Chapter.model_validate(value), serial.format))
        except ValidationError as error:
            problems.append(Problem(path.name, f"number {number}", explained(error), _REMEDY))
    chapters, unfit = publish(work.work_id, drafts, named.language)
    return ChapterInput(work, chapters, (*problems, *unfit), _notes(path.name, serial, drafts))


def _draft(file: str, chapter: _Chapter, told: Format | None) -> Draft:
    title = chapter.title or chapter.label or ""
    format_ = chapter.format or told or sniffed(chapter.text)
    return Draft(file, str(chapter.index), chapter.index, title, chapter.text, format_)


def _notes(file: str, serial: _Serial, drafts: list[Draft]) -> tuple[str, ...]:
    pages = sum(draft.format is Format.HTML for draft in drafts)
    if not pages or serial.format is Format.HTML:
        return ()
    return (f"{file}: {pages} of {len(drafts)} chapters read as HTML, which they hold",)
