"""Who somebody is, where the story has revealed it: read from the cast, cited from the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from contracts.answers import Citation
from contracts.frozen import Span
from contracts.ids import ChapterId
from contracts.ports import ChapterScenes, StoryView, TreeSnapshot
from contracts.tree import IdentityRow
from contracts.works import ChapterRecord
from processors.passage_sentences import sentences_within
from processors.question_words import Asked
from processors.questions import Question
from processors.quote_marks import without_stray_marks
from processors.retriever import Reading
from processors.term_background import expected_share
from processors.terms import terms_of

_COMMON: Final = 0.05
"""Words in every twentieth passage, such as "was" and "really", ask for nothing of their own."""

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_PREDICATE: Final = re.compile(
    r"\s*(?:(?:is|was|are|were|had been|has been)\s+(?:not\s+)?(?:really\s+)?|,\s*)"
    r"(?:(?:an?|the|my|his|her|their|our|your)\s+[^\W\d_]|[A-Z][^\W\d_]+)"
)


def who_is(question: Question) -> bool:
    """Say whether the question asks who somebody is, by name, and nothing else."""
    if question.asked is not Asked.PERSON or not question.names:
        return False
    others = set(question.terms) - question.names
    return all(expected_share(term, question.language) > _COMMON for term in others)


def defines(sentence: str, names: frozenset[str], language: str) -> bool:
    """Say whether `sentence` says what somebody is who has one of `names` (terms).

    That is a name with a form of "to be", or a comma, between it and "a", "the" or a name.
    """
    return any(
        _PREDICATE.match(sentence, word.end())
        for word in _WORD.finditer(sentence)
        if not names.isdisjoint(terms_of(word.group(), language))
    )


async def find_identity(view: StoryView, reading: Reading) -> Citation | None:
    """Return the sentence that reveals who the person in question is, as of the view.

    None where the question asks anything else, or nothing is revealed yet.
    """
    if not who_is(reading.question):
        return None
    snapshot = await view.snapshot()
    names = _names_by_character(snapshot, reading)
    asked = reading.question.names
    for row in sorted(snapshot.identities, key=lambda each: -each.from_ordinal):
        if any(asked <= terms for each in _both(row) for terms in names.get(each, [])):
            found = await _revealing(view, reading, row, names)
            if found is not None and await _stands(view, reading, found):
                return found
    return None


async def _stands(view: StoryView, reading: Reading, citation: Citation) -> bool:
    """Say whether the chapter cited is still what it was when the reading began."""
    chapter = next(each for each in reading.chapters if each.chapter_id == citation.chapter_id)
    return bool(await view.confirm([(citation.scene_id, chapter.row_position)]))


def _both(row: IdentityRow) -> tuple[str, str]:
    return row.character, row.same_as


def _names_by_character(snapshot: TreeSnapshot, reading: Reading) -> dict[str, list[set[str]]]:
    names: dict[str, list[set[str]]] = {}
    for alias in snapshot.aliases:
        terms = set(terms_of(alias.alias, reading.question.language))
        names.setdefault(alias.character, []).append(terms)
    return names


async def _revealing(
    view: StoryView, reading: Reading, row: IdentityRow, names: dict[str, list[set[str]]]
) -> Citation | None:
    """Return the sentence of the revealing chapters that names both, as a statement if it can."""
    chapters = [each for each in reading.chapters if each.place == row.from_ordinal]
    texts = await view.texts([chapter.chapter_id for chapter in chapters])
    scenes = {each.chapter_id: each for each in await view.scenes()}
    persons = [names.get(each, []) for each in _both(row)]
    found = [
        citation
        for chapter in chapters
        for span in _naming_all(texts.get(chapter.chapter_id, ""), persons, reading)
        if (citation := _cited(chapter, scenes.get(chapter.chapter_id), span, texts)) is not None
    ]
    either = frozenset(term for person in persons for name in person for term in name)
    stated = (each for each in found if defines(each.quote, either, reading.question.language))
    return next(stated, found[0] if found else None)


def _naming_all(
    text: str, persons: Sequence[Sequence[set[str]]], reading: Reading
) -> Iterator[Span]:
    """Yield the sentences of `text` in which every one of `persons` is named."""
    language = reading.question.language
    for span in sentences_within(text, 0, len(text), language):
        terms = set(terms_of(text[span.start : span.end], language))
        if all(any(name <= terms for name in names) for names in persons):
            yield without_stray_marks(text, span)


def _cited(
    chapter: ChapterRecord,
    scenes: ChapterScenes | None,
    span: Span,
    texts: Mapping[ChapterId, str],
) -> Citation | None:
    home = [
        scene
        for scene in (scenes.scenes if scenes else ())
        if scene.start <= span.start and span.end <= scene.end
    ]
    if not home:
        return None
    return Citation(
        chapter_id=chapter.chapter_id,
        ordinal=chapter.story_place,
        scene_id=home[0].scene_id,
        start=span.start,
        end=span.end,
        quote=texts[chapter.chapter_id][span.start : span.end],
    )
