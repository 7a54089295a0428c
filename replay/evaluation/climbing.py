"""The lowest point of a smooth convex function: L-BFGS (Liu and Nocedal, 1989) in numpy."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Smooth = Callable[[Floats], tuple[float, Floats]]
"""Returns the value at a point and its gradient there."""

_REMEMBERED: Final = 12
_HALVINGS: Final = 20
_ENOUGH: Final = 1e-4
"""A step must fall by this share of what the slope promises."""


def lowest(function: Smooth, start: Floats, curvature: Floats, flat: float, steps: int) -> Floats:
    """Return where `function` is lowest.

    Args:
        function: to be minimised.
        start: where the search begins.
        curvature: a guess of the second derivative along each axis.
        flat: the search ends at a step that falls by less.
        steps: it ends after so many in any case.
    """
    point = start
    value, slope = function(point)
    moves: deque[tuple[Floats, Floats]] = deque(maxlen=_REMEMBERED)
    for _ in range(steps):
        direction = -_newton(slope, moves, curvature)
        there, lower, steeper = _walk(function, point, value, slope, direction)
        moved, turned = there - point, steeper - slope
        if moved @ turned > 0:
            moves.append((moved, turned))
        fell, point, value, slope = value - lower, there, lower, steeper
        if fell < flat:
            break
    return point


def _newton(slope: Floats, moves: deque[tuple[Floats, Floats]], curvature: Floats) -> Floats:
    """Return the slope times the inverse second derivative, as the last moves tell it."""
    turn = slope.copy()
    shares = []
    for moved, turned in reversed(moves):
        share = float(moved @ turn) / float(moved @ turned)
        shares.append(share)
        turn -= share * turned
    turn /= curvature
    if moves:
        moved, turned = moves[-1]
        turn *= float(moved @ turned) / float(turned @ (turned / curvature))
    for (moved, turned), share in zip(moves, reversed(shares), strict=True):
        turn += moved * (share - float(turned @ turn) / float(moved @ turned))
    return turn


def _walk(
    function: Smooth, point: Floats, value: float, slope: Floats, direction: Floats
) -> tuple[Floats, float, Floats]:
    promised = float(slope @ direction)
    length = 1.0
    there = point + direction
    lower, steeper = function(there)
    for _ in range(_HALVINGS):
        if lower <= value + _ENOUGH * length * promised:
            break
        length /= 2
        there = point + length * direction
        lower, steeper = function(there)
    return there, lower, steeper
