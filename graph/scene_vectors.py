"""A scene's vector, as the fold reads it, from the chapter's rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from contracts.vectors import DENSE_SCALE, DIMENSIONS, Level, VectorRow

_ZERO: Final = bytes(2 * DIMENSIONS)


def scene_vectors(rows: Sequence[VectorRow]) -> dict[str, bytes]:
    """Return by scene id the int16 vector of its scene row.

    A scene too long for a row of its own is the direction of its passages' sum.
    """
    vectors = {row.scene_id: row.dense for row in rows if row.level == Level.SCENE}
    for scene_id in sorted({row.scene_id for row in rows} - vectors.keys()):
        passages = [row.dense for row in rows if row.scene_id == scene_id]
        vectors[scene_id] = _direction(passages)
    return vectors


def _direction(vectors: Sequence[bytes]) -> bytes:
    total = np.zeros(DIMENSIONS, dtype=np.int64)
    for vector in vectors:
        total += np.frombuffer(vector, dtype="<i2")
    length = float(np.sqrt(float((total * total).sum())))
    if length == 0.0:
        return _ZERO
    return bytes(np.rint(total * (DENSE_SCALE / length)).astype("<i2").tobytes())
