"""Remembering the last result: several steps ask the same thing of the same chapter in turn."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def remembering_last(function: Callable[[T], R]) -> Callable[[T], R]:
    """Make `function` answer at once when it is given the very object of its last call again.

    The object itself counts, not what it equals: comparing two chapters would cost more. It must
    never change. One argument and its result are kept; threads may call at once.
    """
    last: list[tuple[T, R]] = []

    @wraps(function)
    def remembered(given: T) -> R:
        for known, result in last:
            if known is given:
                return result
        result = function(given)
        last[:] = [(given, result)]
        return result

    return remembered
