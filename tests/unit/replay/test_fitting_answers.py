from __future__ import annotations

import pytest

from processors.answer_support import Signals
from replay.evaluation.fitting_answers import ANSWERED, Example, fitted, held_out, held_out_judge

_POOR = Signals(own=0.2, mass=1.0, beside=0.0, unnamed=0.1, unknown_name=0.0, worth=3.0)


def _examples(strange: float = 0.0) -> list[Example]:
    """Of ten answers the richer half is right; early ones are poor, and of unknown names."""
    told = [
        Example(_POOR._replace(mass=1.0 + n, worth=3.0 + n / 2), right=n >= 5, early=False)
        for n in range(10)
    ]
    early = [
        Example(_POOR._replace(mass=1.0 + n + strange, unknown_name=1.0), right=False, early=True)
        for n in range(4)
    ]
    return [*told, *early]


def test_what_is_right_is_answered_and_what_is_early_is_not() -> None:
    judge = fitted(_examples())
    assert judge.weights.mass > 0 > judge.weights.unknown_name
    answered = [judge.is_enough(each.seen) for each in _examples()]
    assert answered == [*[False] * 5, *[True] * 5, *[False] * 4]
    assert sum(answered[:10]) / 10 == pytest.approx(ANSWERED, abs=0.06)


def test_a_book_is_judged_by_the_others_only() -> None:
    one, other = _examples(), _examples(strange=9.0)
    judges = held_out({"one": one, "other": other})
    assert judges == {"one": fitted(other), "other": fitted(one)}


def test_every_annotated_novel_has_a_judge_of_its_own() -> None:
    assert held_out_judge("treasure-island") != held_out_judge("time-machine")
