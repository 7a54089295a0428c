"""Reads a published chapter: its text, language, paratext and sentences. Pure, one chapter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from contracts.events import ChapterPublished, Format
from contracts.scenes import ChapterText, ParatextReason, Warned
from processors.extraction import Extraction
from processors.language import language_of
from processors.markup import extract
from processors.notices import notice_warnings
from processors.paragraphs import find_paragraphs
from processors.paratext import find_roles, paratext_spans
from processors.sentences import Sentences, find_sentences


def read_chapter(event: ChapterPublished) -> ChapterText:
    """Return the chapter as every segmenter gets it.

    For `format: text` the text is the body itself, code point for code point. A chapter that
    is all paratext has no sentences, and a warning that says so.

    Raises:
        PermanentError: the markup holds no text that a reader could see.
    """
    published = _published(event)
    text = published.text
    language = language_of(event.language, text)
    paragraphs = find_paragraphs(text, event.title, published.hints)
    roles = find_roles(text, paragraphs)
    story = [(p.start, p.end) for p, role in zip(paragraphs, roles, strict=True) if role is None]
    sentences = find_sentences(text, story, language)
    return ChapterText(
        work_id=event.work_id,
        chapter_id=event.chapter_id,
        title=event.title,
        language=language,
        format=event.format,
        text=text,
        sentences=sentences.spans,
        paragraph_starts=sentences.paragraph_starts,
        stretch_starts=_stretch_starts(roles, sentences),
        paratext=paratext_spans(paragraphs, roles),
        dropped=published.dropped,
        warnings=_warnings(event.title, text, sentences),
    )


def _published(event: ChapterPublished) -> Extraction:
    if event.format is Format.TEXT:
        return Extraction(event.body)
    return extract(event.body, event.format)


def _stretch_starts(
    roles: Sequence[ParatextReason | None], sentences: Sentences
) -> tuple[int, ...]:
    """Return the first sentence of each run of story paragraphs."""
    opens = [
        before is not None
        for before, role in pairwise([ParatextReason.NOTICE, *roles])
        if role is None
    ]
    starts = zip(sentences.paragraph_starts, opens, strict=True)
    return tuple(number for number, opening in starts if opening)


def _warnings(title: str, text: str, sentences: Sentences) -> tuple[Warned, ...]:
    if not sentences.spans:
        return (Warned.ALL_PARATEXT,)
    return notice_warnings(title, text)
