"""How much of `../shared/data` a test reads: enough to fail, or with `CORPUS=whole` all of it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final, TypeVar

WHOLE: Final = os.environ.get("CORPUS") == "whole"

_Book = TypeVar("_Book")


def enough(whole: Sequence[_Book], few: Sequence[_Book]) -> Sequence[_Book]:
    """Return `few` books, or the `whole` corpus where that was asked for."""
    return whole if WHOLE else few
