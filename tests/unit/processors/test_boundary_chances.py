from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from processors.boundary_chances import Lattice, chances, lowest_starts, steady_chances
from processors.length_prior import (
    LONGEST_WORDS,
    WHOLE_WORDS,
    expected_boundaries,
    length_terms,
)

_LENGTHS = np.array([0.5, 1.5, -0.7, 0.3])


@pytest.mark.parametrize("alone", [True, False])
def test_chances_are_those_of_all_ways_to_cut(alone: bool) -> None:
    words = np.array([300, 80, 500, 20, 260, 410])
    scores = np.array([-1.0, 0.5, 2.0, -3.0, 0.1])
    lattice = Lattice.of(words.tolist(), 1.0, alone=alone)
    found = chances(scores, lattice, _LENGTHS)

    total, cut, lengths = 0.0, np.zeros(5), np.zeros(4)
    for count in range(1 if alone else 0, 6):
        for cuts in combinations(range(1, 6), count):
            scenes = np.array([words[a:b].sum() for a, b in pairwise([0, *cuts, 6])])
            terms = length_terms(scenes, 1.0).sum(axis=0)
            weight = np.exp(scores[[at - 1 for at in cuts]].sum() + terms @ _LENGTHS)
            total += weight
            lengths += weight * terms
            cut[[at - 1 for at in cuts]] += weight
    assert found.log_total == pytest.approx(np.log(total))
    assert found.cuts == pytest.approx(cut / total)
    assert found.lengths == pytest.approx(lengths / total)


def test_the_gradient_of_the_total_is_what_is_expected() -> None:
    words = np.array([120, 340, 90, 700, 210])
    scores = np.array([0.3, -0.4, 1.0, 0.0])
    lattice = Lattice.of(words.tolist(), 1.4, alone=False)
    found = chances(scores, lattice, _LENGTHS)
    step = 1e-6
    for place in range(4):
        moved = scores.copy()
        moved[place] += step
        slope = (chances(moved, lattice, _LENGTHS).log_total - found.log_total) / step
        assert slope == pytest.approx(found.cuts[place], abs=1e-4)
    for term in range(4):
        moved = _LENGTHS.copy()
        moved[term] += step
        slope = (chances(scores, lattice, moved).log_total - found.log_total) / step
        assert slope == pytest.approx(found.lengths[term], abs=1e-4)


def test_scenes_of_several_blocks_have_an_end() -> None:
    lows = lowest_starts(np.array([600, 600, 600, 5_000, 10]), LONGEST_WORDS, 1.0, alone=False)
    assert lows == [0, 0, 0, 1, 3, 4]


def test_a_chapter_that_could_hold_two_scenes_is_never_one() -> None:
    half = WHOLE_WORDS // 2
    assert lowest_starts(np.array([half, half]), LONGEST_WORDS, 1.0, alone=True)[-1] == 1
    assert lowest_starts(np.array([half, half]), LONGEST_WORDS, 1.0, alone=False)[-1] == 0
    assert lowest_starts(np.array([half, half]), LONGEST_WORDS, 1.4, alone=True)[-1] == 0
    assert lowest_starts(np.array([WHOLE_WORDS]), LONGEST_WORDS, 1.0, alone=True)[-1] == 0


def test_sums_of_very_unlikely_ways_do_not_vanish() -> None:
    lattice = Lattice.of([60] * 400, 1.0, alone=True)
    found = chances(np.full(399, -200.0), lattice, _LENGTHS)
    assert np.isfinite(found.log_total)
    assert found.cuts.sum() >= 1


@pytest.mark.parametrize("level", [-6.0, -1.0, 3.0])
@pytest.mark.parametrize("blocks", [12, 100, 900])
def test_steady_chances_are_as_many_as_the_length_lets_expect(level: float, blocks: int) -> None:
    random = np.random.default_rng(blocks)
    scores = level + random.standard_normal(blocks - 1)
    lattice = Lattice.of([45] * blocks, 1.0, alone=False)
    cuts = steady_chances(scores, lattice, np.array([1.5, 4.5, -0.5, 1.4]), 1.0)
    assert cuts.sum() == pytest.approx(expected_boundaries(45 * blocks, 1.0), rel=0.1)


def test_what_is_expected_rises_with_the_length() -> None:
    numbers = [expected_boundaries(words, 1.0) for words in range(0, 5_000, 50)]
    assert numbers == sorted(numbers)
    assert numbers[0] > 0
    assert expected_boundaries(5_200, 1.0) == pytest.approx(9, abs=0.01)
    assert expected_boundaries(7_280, 1.4) == expected_boundaries(5_200, 1.0)
