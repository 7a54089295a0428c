"""Rows of the vector store, and why their scores are exact.

Every number is quantised so that each product and each partial sum of a score is exact in
float32: then neither the order of summation, nor the number of other rows, nor the engine can
change a score, and a search as of chapter N gives the same bytes whatever was published later.

- dense: unit vectors in steps of 1/2048. Products are multiples of 2**-22 and, both vectors
  being of length about 1, no partial sum exceeds 2: 24 bits hold it.
- sparse: document weights in steps of 1/64 (at most 4), query weights in steps of 1/128.
  Products are multiples of 2**-13: 24 bits hold sums up to 2,048.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from contracts.ids import RowKey

DIMENSIONS: Final = 256
DENSE_SCALE: Final = 2048
SPARSE_DOCUMENT_SCALE: Final = 64
SPARSE_QUERY_SCALE: Final = 128
MAX_TEXT_BYTES: Final = 60_000
MAX_ID_BYTES: Final = 2_000
"""What 500 code points take at most: an id of a publisher's (`contracts.events`)."""

TERM_NUMBERS: Final = 2**32 - 1
"""Vector stores take uint32 below its maximum."""

Dense = bytes
"""`DIMENSIONS` little-endian int16: the vector's components times `DENSE_SCALE`.

A text with no known word has the zero vector."""

Sparse = tuple[tuple[int, int], ...]
"""(term number, weight times its scale) pairs, by rising term number.

Numbers are below `TERM_NUMBERS`, weights above zero."""


class Level(IntEnum):
    """The two levels of rows."""

    SCENE = 1
    PASSAGE = 2


@dataclass(frozen=True, slots=True)
class VectorRow:
    """One row; it never changes after it is written (`key` changes with `position`).

    `key` is made by `contracts.ids.row_key`. Ids are at most `MAX_ID_BYTES` of UTF-8, the integers
    fit int64.

    `start`/`end` are code points in the chapter's text. `text` is at most `MAX_TEXT_BYTES` of
    UTF-8 (a longer scene's row holds its beginning; its passages hold all of it).
    """

    key: RowKey
    level: Level
    item_id: str
    scene_id: str
    chapter_id: str
    position: int
    ordinal: int
    start: int
    end: int
    text: str
    dense: Dense
    sparse: Sparse


@dataclass(frozen=True, slots=True)
class Hit:
    """One row that a search found; `score` is exact (see the module's docstring)."""

    key: RowKey
    item_id: str
    scene_id: str
    chapter_id: str
    position: int
    start: int
    end: int
    score: float

    @classmethod
    def of(cls, row: VectorRow, score: float) -> Hit:
        """Return `row` as a hit."""
        return cls(
            key=row.key,
            item_id=row.item_id,
            scene_id=row.scene_id,
            chapter_id=row.chapter_id,
            position=row.position,
            start=row.start,
            end=row.end,
            score=score,
        )
