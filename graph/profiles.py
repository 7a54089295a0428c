"""A window summed up: where it points, who is in it, when it was last seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from contracts.ids import CharacterId
from graph.rarity import cosine
from graph.state import Place, Remembered

Vector = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Profile:
    """`total` is the sum of the vectors of `scenes` scenes, `last` the place of the newest."""

    total: Vector
    scenes: int
    company: Mapping[CharacterId, int]
    last: Place


def profile(window: Sequence[Remembered]) -> Profile:
    """Sum up a window, which has at least one scene."""
    company = Counter(character for scene in window for character in scene.characters)
    return Profile(vectors(window).sum(axis=0), len(window), company, window[-1].place)


def vectors(scenes: Sequence[Remembered]) -> Vector:
    """Return the scenes' vectors: (number of scenes, dimensions)."""
    joined = np.frombuffer(b"".join(scene.dense for scene in scenes), dtype="<i2")
    return joined.reshape(len(scenes), -1).astype(np.int64)


def likeness(scene: Vector, profiles: Sequence[Profile]) -> list[int]:
    """Return how near in meaning a scene is to each profile, in thousandths.

    Cosines after the mean of all the profiles' scenes is taken off both sides: what a whole
    book is about tells its storylines apart no more than a common word does. All in integers:
    both sides are held as multiples, so that the mean needs no division.
    """
    scenes = sum(profile.scenes for profile in profiles)
    totals = np.stack([profile.total for profile in profiles])
    ground = totals.sum(axis=0)
    sizes = np.array([profile.scenes for profile in profiles], dtype=np.int64)
    here = scenes * scene - ground
    there = scenes * totals - sizes[:, None] * ground
    dots, squares = there @ here, (there * there).sum(axis=1)
    square = int(here @ here)
    return [cosine(int(dot), square, int(other)) for dot, other in zip(dots, squares, strict=True)]


def by_centrality(window: Sequence[Remembered]) -> list[Remembered]:
    """Return the scenes, the one nearest to the whole window's direction first."""
    each = vectors(window)
    total = each.sum(axis=0)
    whole = int(total @ total)
    central = [cosine(int(one @ total), int(one @ one), whole) for one in each]
    order = sorted(range(len(window)), key=lambda i: (-central[i], i))
    return [window[i] for i in order]


def most_typical(window: Sequence[Remembered]) -> Remembered:
    """Return the scene that stands best for a window of at least one."""
    return by_centrality(window)[0]
