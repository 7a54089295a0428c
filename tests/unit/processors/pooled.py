"""Pools of sentences out of made-up chapters, each passage a scene."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contracts.ids import ChapterId, RowKey
from contracts.ports import PassageCounts
from contracts.vectors import Hit
from processors.extracts import Extract, sentences_of
from processors.fusion import Candidate
from processors.lexicon import Lexicon
from processors.questions import analyse
from processors.ranking import Asking

NOTHING_COUNTED = PassageCounts(passages=0, counts={})


def asking(question: str, language: str = "en") -> Asking:
    analysed = analyse(question, language)
    rarities = {term: Lexicon().rarity(term, NOTHING_COUNTED, language) for term in analysed.terms}
    return Asking(analysed, rarities)


def found(
    chapters: Mapping[str, Sequence[str]], language: str = "en"
) -> tuple[list[Extract], dict[ChapterId, str]]:
    """Return all sentences of `chapters` (their passages), and the chapters' texts."""
    texts = {ChapterId(name): "\n\n".join(passages) for name, passages in chapters.items()}
    candidates = [
        Candidate(_hit(name, nth, texts[ChapterId(name)].index(passage), len(passage)), 1.0, 0.5)
        for name, passages in chapters.items()
        for nth, passage in enumerate(passages)
    ]
    order = {chapter: place for place, chapter in enumerate(texts)}
    return sentences_of(candidates, texts, order, language), texts


def _hit(chapter: str, nth: int, start: int, length: int) -> Hit:
    return Hit(
        key=RowKey(f"{chapter}-{nth}"),
        item_id=f"{chapter}-{nth}",
        scene_id=f"{chapter}-scene-{nth}",
        chapter_id=chapter,
        position=0,
        start=start,
        end=start + length,
        score=1.0,
    )
