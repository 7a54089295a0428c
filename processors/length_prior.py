"""What is known of scenes' lengths: how long, and which texts are never a single scene."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from processors.background import primary

MEDIAN_WORDS: Final = 426
"""Median of annotated scenes of English novels: lengths are measured against it."""

MEAN_WORDS: Final = 520
"""Words to one annotated scene of English novels."""

LONGEST_WORDS: Final = 1_600
"""Nearly no annotated scene is longer; a longer one would waste every reader's budget."""

WHOLE_WORDS: Final = 700
"""A chapter of so many words has a turning point inside: none annotated is a single scene."""

_PACE: Final = {"zh": 1.4, "ja": 1.8, "ko": 1.8}
"""Words (characters here) that tell what one English word tells: annotated Chinese scenes have
1.4 times as many; Japanese and Korean, with their endings spelt out, some more."""

LENGTH_TERMS: Final = 4
_FEWEST: Final = 0.02


def pace(language: str) -> float:
    """Return how many words of `language`, a BCP 47 tag, tell what one English word tells."""
    return _PACE.get(primary(language), 1.0)


def length_terms(words: NDArray[np.int64], pace: float) -> NDArray[np.float64]:
    """Return what a scene's log-potential by length is a weighted sum of, shape (..., 4).

    One; the logarithm of the length to the median; its square; and the square of what it lies
    below a third of the median: very short scenes are rarer than any parabola says.
    """
    away = np.round(np.log(words / pace / MEDIAN_WORDS), 6)
    return np.stack([np.ones_like(away), away, away**2, np.minimum(away + 1, 0.0) ** 2], axis=-1)


def expected_boundaries(words: int, pace: float) -> float:
    """Return how many boundaries to expect inside so many words.

    One less than scenes in a long text; in one shorter than a scene some, but few.
    """
    scenes = words / pace / MEAN_WORDS
    return max(_FEWEST, scenes - 1 + math.exp(-scenes))
