"""Collapsed retrieval (*Storyline Trees*, 5.3): scenes and storylines in one pool, one search."""

from __future__ import annotations

from contracts.ports import BoundStory
from contracts.words import count_words
from processors.lexicon import Lexicon
from processors.retriever import Retriever
from processors.story_map.numbering import Numbered
from replay.evaluation.annotated import Evidence


async def collapsed(
    retriever: Retriever, view: BoundStory, told: Numbered, question: str, words: int
) -> list[Evidence]:
    """Return what of the story's own text is shown within `words` words.

    A storyline that has more of the question's rare words than a scene found stands before that
    scene. It is shown by title and description, whose words count and hold no evidence.
    """
    reading = await retriever.read(view, question, words)
    lexicon, language = Lexicon(), reading.question.language
    total = sum(reading.rarities.values()) or 1.0

    def share(text: str) -> float:
        there = set(lexicon.terms(text, language))
        return sum(rarity for term, rarity in reading.rarities.items() if term in there) / total

    nodes = []
    for versions in told.versions.values():
        text = f"{versions[-1].title}\n{versions[-1].synopsis}"
        nodes.append((share(text), count_words(text)))
    pool = sorted((node for node in nodes if node[0] > 0), reverse=True)
    shown: list[Evidence] = []
    left = words
    for extract in reading.extracts:
        text = reading.texts[extract.candidate.chapter_id][extract.start : extract.end]
        while pool and pool[0][0] > share(text) and pool[0][1] <= left:
            left -= pool.pop(0)[1]
        if extract.words <= left:
            left -= extract.words
            candidate = extract.candidate
            shown.append(Evidence(candidate.chapter_id, extract.start, extract.end))
    return shown
