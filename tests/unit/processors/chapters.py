"""Published chapters for the tests of reading, and what must hold of every one that was read."""

from __future__ import annotations

from contracts.events import ChapterPublished, Format
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from contracts.scenes import ChapterText
from processors.text import read_chapter


def published(
    body: str, format_: Format = Format.TEXT, title: str = "", language: str | None = "en"
) -> ChapterPublished:
    return ChapterPublished(
        work_id=WorkId("w"),
        chapter_id=ChapterId("c"),
        ordinal=Ordinal.parse("1"),
        title=title,
        body=body,
        format=format_,
        language=language,
    )


def read(
    body: str, format_: Format = Format.TEXT, title: str = "", language: str | None = "en"
) -> ChapterText:
    return read_chapter(published(body, format_, title, language))


def sentences(chapter: ChapterText) -> list[str]:
    return [chapter.sentence(number) for number in range(1, len(chapter.sentences) + 1)]


def paratext(chapter: ChapterText) -> list[tuple[str, str]]:
    return [(part.reason.value, chapter.text[part.start : part.end]) for part in chapter.paratext]


def assert_well_formed(chapter: ChapterText) -> None:
    """Every code point but white space lies in exactly one sentence or paratext, all in order."""
    text = chapter.text
    spans = sorted(
        [(span.start, span.end) for span in chapter.sentences]
        + [(part.start, part.end) for part in chapter.paratext]
    )
    at = 0
    for start, end in spans:
        assert at <= start < end <= len(text)
        assert text[at:start].strip() == ""
        assert not text[start].isspace()
        assert not text[end - 1].isspace()
        at = end
    assert text[at:].strip() == ""
    assert list(chapter.sentences) == sorted(chapter.sentences, key=lambda span: span.start)
    _assert_starts(chapter)


def _assert_starts(chapter: ChapterText) -> None:
    numbers = range(1, len(chapter.sentences) + 1)
    assert list(chapter.paragraph_starts) == sorted(set(chapter.paragraph_starts))
    assert set(chapter.paragraph_starts) <= set(numbers)
    assert set(chapter.stretch_starts) <= set(chapter.paragraph_starts)
    ends = [part.end for part in chapter.paratext]
    opening = [
        number
        for number in numbers
        if number == 1
        or any(
            chapter.sentences[number - 2].end <= end <= chapter.sentences[number - 1].start
            for end in ends
        )
    ]
    assert list(chapter.stretch_starts) == opening
