from __future__ import annotations

import numpy as np
import pytest

from processors.boundary_features import Feature
from replay.evaluation.climbing import lowest
from replay.evaluation.fitting_segmenter import fit, lesson_of
from replay.evaluation.scene_gold import AnnotatedChapter
from tests.unit.processors.handmade import HashedWords, chapter_of

_TOLD = "Gulls screamed above the masts and the tide pulled at every rope along the old wharf."
_MORNING = "The next morning the tide had gone out and the wharf lay empty under the old masts."


def _annotated(pattern: str) -> AnnotatedChapter:
    text = chapter_of("\n\n".join(_MORNING if mark == "M" else _TOLD for mark in pattern))
    starts = tuple(text.sentences[number - 1].start for number in text.paragraph_starts)
    gold = frozenset(nth for nth, mark in enumerate(pattern) if mark == "M" and nth)
    return AnnotatedChapter(text, starts, gold)


def test_the_lowest_point_of_a_bowl_is_found() -> None:
    steep = np.array([1.0, 30.0, 4.0])
    wanted = np.array([2.0, -1.0, 0.5])

    def bowl(point: np.ndarray) -> tuple[float, np.ndarray]:
        away = point - wanted
        return float(steep @ np.cosh(away)), steep * np.sinh(away)

    found = lowest(bowl, np.zeros(3), np.ones(3), 1e-12, 100)
    assert found == pytest.approx(wanted, abs=1e-5)


async def test_what_opens_the_annotated_scenes_gets_weight() -> None:
    patterns = [
        "..........M.........M......",
        "........M..........M.......M....",
        "......M..........",
    ]
    lessons = [await lesson_of(_annotated(pattern), HashedWords()) for pattern in patterns]
    assert [float(each.cut.sum()) for lesson in lessons for each in lesson.cuttings] == [2, 3, 1]
    model = fit(lessons)
    assert model.weights[Feature.DATED] > 0.05
    assert model.weights[Feature.INSIDE] == -1
    again = fit(lessons)
    assert again == model
