"""Where to cut, given a score for each place: scenes of likely lengths with the best scores.

Scene lengths are log-normal. All arithmetic that decides is in integers, so that no rounding of
a float can turn a decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from processors.background import primary

MEDIAN_WORDS: Final = 426
LOG_SD: Final = 0.47
"""Median and spread of annotated scenes of English novels."""

LONGEST_WORDS: Final = 1_600
"""Nearly no annotated scene is longer; a longer one would waste every reader's budget."""

WHOLE_WORDS: Final = 700
"""A chapter of so many words has a turning point inside: none annotated is a single scene."""

_STEPS: Final = 1_000
"""Integer steps to one unit of log-odds."""

_PACE: Final = {"zh": 1.4, "ja": 1.8, "ko": 1.8}
"""Words (characters here) that tell what one English word tells: annotated Chinese scenes have
1.4 times as many; Japanese and Korean, with their endings spelt out, some more."""


def pace(language: str) -> float:
    """Return how many words of `language`, a BCP 47 tag, tell what one English word tells."""
    return _PACE.get(primary(language), 1.0)


def best_cuts(
    words: Sequence[int], scores: NDArray[np.float64], pace: float, *, alone: bool
) -> tuple[int, ...]:
    """Return the blocks (from 0) before which to cut, rising, never 0.

    The cuts maximise the sum of their scores and of the scenes' log-likelihood by length. No
    scene of several blocks is longer than `LONGEST_WORDS`.

    Args:
        words: words of each block of one stretch, each at least 1.
        scores: log-odds of a boundary before block 1, 2 …, shape (blocks - 1,).
        pace: words of this language to one of English.
        alone: whether these are all blocks of the chapter; then `WHOLE_WORDS` holds.
    """
    count = len(words)
    if count == 1:
        return ()
    reach = np.concatenate([[0], np.cumsum(np.asarray(words, dtype=np.int64))])
    gains = np.rint(scores * _STEPS).astype(np.int64)
    best = np.zeros(count + 1, dtype=np.int64)
    back = np.zeros(count + 1, dtype=np.int64)
    lowest = np.searchsorted(reach, reach - int(LONGEST_WORDS * pace), side="left")
    for after in range(1, count + 1):
        low = min(int(lowest[after]), after - 1)
        if alone and after == count and reach[count] >= WHOLE_WORDS * pace:
            low = max(low, 1)
        totals = best[low:after] + _likelihood(reach[after] - reach[low:after], pace)
        chosen = int(np.argmax(totals))
        back[after] = low + chosen
        best[after] = totals[chosen] + (gains[after - 1] if after < count else 0)
    return _path(back)


def _likelihood(words: NDArray[np.int64], pace: float) -> NDArray[np.int64]:
    """Return the log-likelihood of scene lengths in steps, 0 at the median."""
    away = (np.log(words / pace) - np.log(MEDIAN_WORDS)) / LOG_SD
    steps: NDArray[np.int64] = np.rint(-0.5 * _STEPS * np.round(away, 6) ** 2).astype(np.int64)
    return steps


def _path(back: NDArray[np.int64]) -> tuple[int, ...]:
    cuts = []
    at = int(back[-1])
    while at > 0:
        cuts.append(at)
        at = int(back[at])
    return tuple(reversed(cuts))
