"""From what an input holds to chapter events; what makes none becomes a `Problem`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import ValidationError

from contracts.events import ChapterPublished, Format, WorkDescribed
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from streams.decoding import explained
from streams.inputs.values import Naming, Problem, UnusableInput, slug


@dataclass(frozen=True, slots=True)
class Draft:
    """A chapter as an input has it, not yet checked. `file` is where it stands."""

    file: str
    chapter_id: str
    ordinal: Ordinal
    title: str
    body: str
    format: Format = Format.TEXT


def nth(number: int) -> Ordinal:
    """Return `number` as an ordinal."""
    return Ordinal.parse(number)


def described(
    naming: Naming, title: str, *, work_id: str = "", author: str | None = None
) -> WorkDescribed:
    """Return what the work is called; its id is told, given by the input, or made of the title.

    Raises:
        UnusableInput: no id can be made of these.
    """
    found = naming.work_id or work_id or slug(title)
    if not found:
        raise UnusableInput("The work has neither an id nor a title: give it one with --work.")
    try:
        return WorkDescribed(
            work_id=WorkId(found), title=title or None, author=author, language=naming.language
        )
    except ValidationError as error:
        raise UnusableInput(
            f"The work id {found[:80]!r} cannot be used: {explained(error)}."
        ) from error


def publish(
    work_id: WorkId, drafts: Iterable[Draft], language: str | None
) -> tuple[tuple[ChapterPublished, ...], tuple[Problem, ...]]:
    """Return the events of the fit drafts, and what is wrong with the others."""
    chapters: list[ChapterPublished] = []
    problems: list[Problem] = []
    seen: dict[str, str] = {}
    for draft in drafts:
        if draft.chapter_id in seen:
            other = seen[draft.chapter_id]
            problems.append(
                Problem(
                    draft.file,
                    draft.chapter_id,
                    f"a chapter of that name was read already (from {other})",
                    "give one of them another name",
                )
            )
            continue
        seen[draft.chapter_id] = draft.file
        result = _published(work_id, draft, language)
        if isinstance(result, Problem):
            problems.append(result)
        else:
            chapters.append(result)
    return tuple(chapters), tuple(problems)


def _published(work_id: WorkId, draft: Draft, language: str | None) -> ChapterPublished | Problem:
    try:
        return ChapterPublished(
            work_id=work_id,
            chapter_id=ChapterId(draft.chapter_id),
            ordinal=draft.ordinal,
            title=draft.title,
            body=draft.body,
            format=draft.format,
            language=language,
        )
    except ValidationError as error:
        return Problem(
            draft.file,
            draft.chapter_id,
            explained(error),
            "mend it or take it out, then index again",
        )
