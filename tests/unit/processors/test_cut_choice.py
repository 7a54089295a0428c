from __future__ import annotations

from itertools import pairwise

import numpy as np

from processors.cut_choice import best_cuts
from processors.length_prior import LONGEST_WORDS, WHOLE_WORDS


def _chances(count: int, sure: dict[int, float]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    chances = np.zeros(count - 1)
    for block, chance in sure.items():
        chances[block - 1] = chance
    return chances


def test_cuts_where_a_boundary_is_likely() -> None:
    assert best_cuts([50] * 20, _chances(20, {7: 0.9, 14: 0.8}), 1.0, alone=True) == (7, 14)


def test_likely_neighbours_together_are_worth_one_cut_between_them() -> None:
    third = {9: 0.33, 10: 0.33, 11: 0.33}
    assert best_cuts([30] * 20, _chances(20, third), 1.0, alone=True) == (10,)


def test_sure_boundaries_three_paragraphs_apart_are_two_cuts() -> None:
    assert best_cuts([50] * 20, _chances(20, {8: 1.0, 11: 1.0}), 1.0, alone=True) == (8, 11)


def test_a_short_chapter_is_not_cut_for_the_sake_of_any_hit() -> None:
    assert best_cuts([40] * 10, np.full(9, 0.02), 1.0, alone=True) == ()


def test_where_nothing_is_sure_a_scene_holds_about_one_boundary() -> None:
    cuts = best_cuts([30] * 200, np.full(199, 0.06), 1.0, alone=True)
    assert 6 <= len(cuts) <= 12
    scenes = [after - first for first, after in pairwise([0, *cuts, 200])]
    assert max(scenes) - min(scenes) <= 12


def test_a_chapter_that_could_hold_two_scenes_is_never_one() -> None:
    never = np.zeros(13)
    assert len(best_cuts([50] * 14, never, 1.0, alone=True)) == 1
    assert best_cuts([50] * 14, never, 1.0, alone=False) == ()
    assert WHOLE_WORDS <= 50 * 14
    assert best_cuts([50] * 13, never[:12], 1.0, alone=True) == ()


def test_no_scene_of_several_blocks_is_too_long() -> None:
    cuts = best_cuts([100] * 50, np.zeros(49), 1.0, alone=True)
    assert max(after - first for first, after in pairwise([0, *cuts, 50])) * 100 <= LONGEST_WORDS
    assert best_cuts([5_000, 10, 5_000], np.zeros(2), 1.0, alone=True) in {(1,), (1, 2), (2,)}


def test_one_block_has_no_place_to_cut() -> None:
    assert best_cuts([5_000], np.empty(0), 1.0, alone=True) == ()


def test_noise_far_below_a_step_decides_nothing() -> None:
    random = np.random.default_rng(1)
    chances = random.random(199) * 0.4
    noisy = chances + 1e-12 * random.standard_normal(199)
    words = [40] * 200
    assert best_cuts(words, chances, 1.0, alone=True) == best_cuts(words, noisy, 1.0, alone=True)
