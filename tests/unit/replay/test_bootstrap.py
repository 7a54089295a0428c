from __future__ import annotations

import pytest

from replay.evaluation.bootstrap import paired_gain


def test_a_gain_on_every_question_is_certain() -> None:
    gain = paired_gain([0.6, 0.7, 0.9], [0.5, 0.6, 0.8])
    assert gain.mean == pytest.approx(0.1)
    assert gain.low == pytest.approx(0.1)
    assert gain.high == pytest.approx(0.1)


def test_a_gain_that_hangs_on_one_question_is_not() -> None:
    gain = paired_gain([1.0, *[0.0] * 19], [0.0] * 20)
    assert gain.mean == pytest.approx(0.05)
    assert gain.low == 0.0
    assert gain.high > 0.1


def test_bounds_are_near_those_of_the_normal_law() -> None:
    ours, theirs = [0.0, 1.0] * 200, [0.5] * 400
    gain = paired_gain(ours, theirs)
    assert gain.mean == 0
    assert gain.low == pytest.approx(-0.049, abs=0.004)
    assert gain.high == pytest.approx(0.049, abs=0.004)


def test_the_same_figures_give_the_same_bounds() -> None:
    ours, theirs = [0.1, 0.9, 0.4, 0.0], [0.2, 0.1, 0.4, 0.3]
    assert paired_gain(ours, theirs) == paired_gain(ours, theirs)


def test_lists_that_do_not_pair_are_refused() -> None:
    with pytest.raises(ValueError, match="broadcast"):
        paired_gain([0.1, 0.2], [0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match="one at least"):
        paired_gain([], [])
