"""A window summed up: where it points, who is in it, when it was last seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from contracts.ids import CharacterId
from graph.rarity import cosine
from graph.state import Place, Remembered, Storyline

Vector = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Profile:
    """`total` is the sum of the vectors of `scenes` scenes, `last` the place of the newest."""

    total: Vector
    scenes: int
    company: Mapping[CharacterId, int]
    last: Place


def profile_of(storyline: Storyline) -> Profile:
    """Sum up a storyline's window, once in the storyline's life."""
    if storyline.summed is None:
        object.__setattr__(storyline, "summed", profile(storyline.window))
    summed: Profile = storyline.summed
    return summed


def profile(window: Sequence[Remembered]) -> Profile:
    """Sum up a window, which has at least one scene."""
    company = Counter(character for scene in window for character in scene.characters)
    return Profile(vectors(window).sum(axis=0), len(window), company, window[-1].place)


def vectors(scenes: Sequence[Remembered]) -> Vector:
    """Return the scenes' vectors: (number of scenes, dimensions)."""
    joined = np.frombuffer(b"".join(scene.dense for scene in scenes), dtype="<i2")
    return joined.reshape(len(scenes), -1).astype(np.int64)


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
