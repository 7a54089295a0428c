from __future__ import annotations

import numpy as np

from processors.clues import Clue
from replay.evaluation.fitting_search import fit
from replay.evaluation.search_lessons import SearchLesson


def _lessons() -> list[SearchLesson]:
    """Evidence stands where TERMS is high; LIKE is noise; LENGTH the same everywhere."""
    generator = np.random.default_rng(1)
    lessons = []
    for _ in range(200):
        clues = np.zeros((30, len(Clue)))
        clues[:, list(Clue).index(Clue.TERMS)] = generator.random(30)
        clues[:, list(Clue).index(Clue.LIKE)] = generator.random(30)
        clues[:, list(Clue).index(Clue.LENGTH)] = 3.0
        shares = np.zeros(30)
        shares[clues[:, list(Clue).index(Clue.TERMS)].argmax()] = 1.0
        lessons.append(SearchLesson(clues, shares, np.full(30, 80.0)))
    return lessons


def test_what_tells_evidence_gets_weight_and_noise_gets_none() -> None:
    weights = fit(_lessons()).as_table()
    assert weights["terms"] > 3
    assert abs(weights["like"]) < 0.1 * weights["terms"]
    assert weights["length"] == 0


def test_the_same_lessons_give_the_same_weights() -> None:
    assert fit(_lessons()) == fit(_lessons())
