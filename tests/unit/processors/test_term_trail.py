from __future__ import annotations

import numpy as np
import pytest

from processors.term_trail import TermTrail, term_weight


def test_common_words_weigh_nothing_and_rare_ones_most() -> None:
    assert term_weight("the", "en") == 0
    assert 0 < term_weight("lantern", "en") <= term_weight("zyxwv", "en")


def test_new_is_what_does_not_stand_in_the_window_before() -> None:
    trail = TermTrail.of(["qqa qqb", "qqa qqc", "the qqa qqd qqd"], "en")
    places = np.array([1, 2])
    assert trail.novelty(np.array([0, 1]), places, places + 1) == pytest.approx([0.5, 0.5])
    assert trail.novelty(np.array([0, 0]), places, np.array([3, 3])) == pytest.approx([2 / 3, 0.5])


def test_a_window_without_a_telling_word_is_unknown() -> None:
    trail = TermTrail.of(["qqa", "the and of"], "en")
    assert np.isnan(trail.novelty(np.array([0]), np.array([1]), np.array([2]))).all()
