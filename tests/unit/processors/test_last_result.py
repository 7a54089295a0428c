from __future__ import annotations

from processors.last_result import remembering_last


def test_the_same_object_again_is_answered_without_a_call() -> None:
    calls: list[list[int]] = []

    @remembering_last
    def total(given: list[int]) -> int:
        calls.append(given)
        return sum(given)

    one = [1, 2]
    assert [total(one), total(one)] == [3, 3]
    assert calls == [one]


def test_an_equal_object_is_another_one() -> None:
    calls: list[list[int]] = []

    @remembering_last
    def total(given: list[int]) -> int:
        calls.append(given)
        return sum(given)

    assert [total([1, 2]), total([1, 2])] == [3, 3]
    assert len(calls) == 2


def test_only_the_last_one_is_remembered() -> None:
    calls: list[list[int]] = []

    @remembering_last
    def total(given: list[int]) -> int:
        calls.append(given)
        return sum(given)

    one, other = [1], [2]
    assert [total(one), total(other), total(one)] == [1, 2, 1]
    assert len(calls) == 3
