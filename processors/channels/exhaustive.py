"""The exhaustive scan as a source: every place that speaks of what is counted, its first or last.

Ranking shows the likeliest sentences. A count, a first and a last hang on all places, so all that a
search by words found are looked through, and each scene tells once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from contracts.ids import ChapterId, SceneId
from contracts.ports import BoundStory
from contracts.works import story_order
from processors.channels.reaches import Reach, reach_of
from processors.channels.source import Brought, Searched, asked_share
from processors.extracts import Extract, sentences_of
from processors.fusion import Candidate
from processors.questions import Question

_MOST_PASSAGES: Final = 60
"""Passages taken apart, those with most of the question: one a scene fills a large budget."""

_FAIR: Final = 0.6
"""What a passage, and a sentence, must hold of the question, as a share of the best one's."""


@dataclass(frozen=True, slots=True)
class ExhaustiveScan:
    """Implements `Source` on the passages that a search by words found."""

    name: str = "scan"

    def serves(self, question: Question) -> bool:
        """Say whether the question counts, lists, or asks for the first or last of something."""
        return reach_of(question) is not None

    async def bring(self, view: BoundStory, searched: Searched) -> Brought:
        """Return one sentence a scene, in the order that the question is after."""
        best = max((hit.score for hit in searched.by_words), default=0.0)
        fair = [hit for hit in searched.by_words if hit.score >= _FAIR * best][:_MOST_PASSAGES]
        texts = await view.texts({ChapterId(hit.chapter_id) for hit in fair})
        candidates = [
            Candidate(hit, 0.0, 0.0)
            for hit in fair
            if hit.end <= len(texts.get(ChapterId(hit.chapter_id), ""))
        ]
        order, language = story_order(searched.chapters), searched.question.language
        sentences = sentences_of(candidates, texts, order, language)
        told = _one_a_scene(sentences, texts, searched)
        return Brought(
            [each._replace(channel=self.name) for each in _ordered(told, searched.question)], texts
        )


class _Told(NamedTuple):
    share: float
    sentence: Extract


def _one_a_scene(
    sentences: Sequence[Extract], texts: Mapping[ChapterId, str], searched: Searched
) -> list[_Told]:
    """Return of each scene the sentence that holds most of the question, in story order.

    Scenes whose best holds little beside the best of all are left out.
    """
    best: dict[SceneId, _Told] = {}
    for each in sentences:
        text = texts[each.candidate.chapter_id][each.start : each.end]
        told = _Told(asked_share(text, searched), each)
        scene = each.candidate.scene_id
        if scene not in best or told.share > best[scene].share:
            best[scene] = told
    most = max((told.share for told in best.values()), default=0.0)
    return [told for told in best.values() if most > 0 and told.share >= _FAIR * most]


def _ordered(told: Sequence[_Told], question: Question) -> list[Extract]:
    """Order what was told: from the first on, from the last back, or chapters taking turns."""
    reach = reach_of(question)
    if reach is Reach.EVERY:
        seen: Counter[ChapterId] = Counter()
        turns: dict[int, int] = {}
        ranked = sorted(told, key=lambda each: -each.share)
        for nth, each in enumerate(ranked):
            turns[nth] = seen[each.sentence.candidate.chapter_id]
            seen[each.sentence.candidate.chapter_id] += 1
        return [ranked[nth].sentence for nth in sorted(turns, key=lambda nth: (turns[nth], nth))]
    story = [each.sentence for each in told]
    return story if reach is Reach.FIRST else story[::-1]
