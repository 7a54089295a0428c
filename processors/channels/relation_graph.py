"""The relation graph as a source: scenes in which those whom a question names are together.

Both are looked up by name as of then; where it is revealed that one is the other counts as well.
Of these scenes sentences are brought that name both, or one beside a word of kinship or station.
Asked how often they met, when first or last, each scene tells once, in that order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from contracts.ids import ChapterId, row_key
from contracts.ports import BoundStory
from contracts.scenes import Scene
from contracts.story_graph import PlacedScene
from contracts.vectors import Hit
from contracts.words import count_words
from contracts.works import ChapterRecord
from processors.channels.meetings import Meeting, meeting_of
from processors.channels.persons import Person, names_in, words_of
from processors.channels.reaches import Reach, reach_of
from processors.channels.signs import signs_of
from processors.channels.source import Brought, Searched, asked_share
from processors.channels.wants import Want, wants_of
from processors.extracts import Extract
from processors.fusion import Candidate
from processors.passage_sentences import sentences_within
from processors.questions import Question

_SCENES: Final = 8
"""Who is what to whom is told in the first scenes together; so many are read."""

_MOST_SCENES: Final = 40
"""Read where every or the last scene together is asked for."""

_BOTH: Final = 2.0  # naming both tells as much as a word of kinship and all of the question
_KINSHIP: Final = 1.0
_STATION: Final = 0.5


class _Told(NamedTuple):
    """A sentence, of the `nth` scene that was read, and how much it tells of the persons."""

    worth: float
    nth: int
    sentence: Extract


@dataclass(frozen=True, slots=True)
class RelationGraph:
    """Implements `Source` on the story's graph: a handful of indexed statements a question."""

    name: str = "graph"

    def serves(self, question: Question) -> bool:
        """Say whether the question asks who is what to whom, and names somebody."""
        return Want.RELATION in wants_of(question) and bool(names_in(question.text))

    async def bring(self, view: BoundStory, searched: Searched) -> Brought:
        """Return sentences of scenes that the persons named share (see `Source.bring`)."""
        text, reach = searched.question.text, reach_of(searched.question)
        limit = _MOST_SCENES if reach in (Reach.LAST, Reach.EVERY) else _SCENES
        meeting = await view.consult(lambda graph: meeting_of(graph, text, limit))
        chapters = {each.chapter_id: each for each in searched.chapters}
        scenes = [each for each in meeting.scenes if each.chapter_id in chapters]
        scenes = scenes[-_SCENES:] if reach is Reach.LAST else scenes
        texts = await view.texts({each.chapter_id for each in scenes})
        told = [
            _Told(worth, nth, sentence)
            for nth, placed in enumerate(scenes)
            for worth, sentence in self._naming(
                placed, meeting, searched, chapters[placed.chapter_id], texts
            )
        ]
        return Brought(_ordered(told, reach if len(meeting.persons) > 1 else None), texts)

    def _naming(
        self,
        placed: PlacedScene,
        meeting: Meeting,
        searched: Searched,
        chapter: ChapterRecord,
        texts: Mapping[ChapterId, str],
    ) -> Iterator[tuple[float, Extract]]:
        """Yield the sentences of a scene that name one of the persons, and what each tells."""
        text, scene = texts.get(placed.chapter_id, ""), placed.scene
        if scene is None or scene.end > len(text):
            return
        candidate = _candidate(scene, chapter)
        for span in sentences_within(text, scene.start, scene.end, searched.question.language):
            sentence = text[span.start : span.end]
            worth = _worth(sentence, meeting.persons, searched)
            if worth is not None:
                words = count_words(sentence)
                yield worth, Extract(candidate, span.start, span.end, words, 0.0, self.name)


def _candidate(scene: Scene, chapter: ChapterRecord) -> Candidate:
    """Return the scene as a passage that no search found: it can be confirmed all the same."""
    hit = Hit(
        key=row_key("", scene.scene_id, chapter.row_position),
        item_id=scene.scene_id,
        scene_id=scene.scene_id,
        chapter_id=chapter.chapter_id,
        position=chapter.row_position,
        start=scene.start,
        end=scene.end,
        score=0.0,
    )
    return Candidate(hit, 0.0, 0.0)


def _worth(sentence: str, persons: Sequence[Person], searched: Searched) -> float | None:
    """Return how much a sentence tells of persons, 0 where it but names one; None if none."""
    words = words_of(sentence)
    named = sum(person.named_in(words) for person in persons)
    if not named:
        return None
    signs, lowered = signs_of(searched.question.language), sentence.lower()
    sign = _KINSHIP * bool(signs.kinship.search(lowered))
    sign = sign or _STATION * bool(signs.station.search(lowered))
    if named < len(persons) and not sign:
        return 0.0
    return _BOTH * (named > 1) + sign + asked_share(sentence, searched, searched.question.names)


def _ordered(told: Sequence[_Told], reach: Reach | None) -> list[Extract]:
    """Order by what sentences tell; one a scene in the order that the question is after."""
    ranked = sorted(told, key=lambda each: -each.worth)  # stable: story order stays
    if reach is None:
        return [each.sentence for each in ranked if each.worth > 0]
    best: dict[int, Extract] = {}
    for each in ranked:
        best.setdefault(each.nth, each.sentence)
    return [best[nth] for nth in sorted(best, reverse=reach is Reach.LAST)]
