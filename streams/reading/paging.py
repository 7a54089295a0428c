"""Pages of a list that go on where the last one ended, whatever has come to the work since.

A cursor says of which list it is, as of which ordinal, and after which place in it: the next page
is found at an index, not by counting.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from contracts.frozen import Frozen
from contracts.ordinals import Ordinal
from contracts.requests import HEAD, AsOf, Page
from streams.inputs.values import UnusableInput

P = TypeVar("P", bound=tuple[object, ...])
R = TypeVar("R")

_OF_A_PAGE: Final = frozenset({"as_of", "limit", "after"})
"""What may differ between the requests of two pages of one list."""


class _Cursor(Frozen):
    """Where a list goes on."""

    of: str
    as_of: Ordinal
    place: tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Turn(Generic[P]):
    """Which page it is: the as-of it is bound to, its length, and the place that it goes on after.

    `of` names the list, so that no other one goes on there.
    """

    as_of: AsOf
    limit: int
    after: P | None
    of: str

    @property
    def one_more(self) -> int:
        """How many to ask for, to know whether there is a next page."""
        return self.limit + 1

    def next(self, found: Sequence[R], places: Sequence[P], as_of: Ordinal) -> str | None:
        """Return the cursor of the next page, where `found` holds one more than this page."""
        if len(found) <= self.limit:
            return None
        last = places[self.limit - 1]
        plain = tuple(int(each) if isinstance(each, int) else str(each) for each in last)
        cursor = _Cursor(of=self.of, as_of=as_of, place=plain)
        return base64.urlsafe_b64encode(cursor.to_json()).decode().rstrip("=")


def turn_of(asked: Page, place: type[P]) -> Turn[P]:
    """Return which page is asked for, whose places are of the type `place`.

    Raises:
        UnusableInput: `after` is no cursor, or one of another list.
    """
    of = _name_of(asked)
    if asked.after is None:
        return Turn(asked.as_of, asked.limit, None, of)
    cursor = _parsed(asked.after)
    if cursor is None or cursor.of != of:
        raise UnusableInput(
            "The list cannot go on after that: give what `next` was of the page before, "
            "of the same list."
        )
    if asked.as_of not in (HEAD, cursor.as_of):
        raise UnusableInput(
            f"The list that goes on there is as of chapter {cursor.as_of}: ask as of that chapter."
        )
    try:
        after = TypeAdapter(place).validate_python(cursor.place)
    except ValidationError as error:
        raise UnusableInput("The list cannot go on after that: it is no place in it.") from error
    return Turn(cursor.as_of, asked.limit, after, of)


def _name_of(asked: Page) -> str:
    told = type(asked).__name__ + asked.model_dump_json(exclude=set(_OF_A_PAGE))
    return hashlib.blake2b(told.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def _parsed(text: str) -> _Cursor | None:
    try:
        decoded = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        return _Cursor.model_validate_json(decoded)
    except ValueError:
        return None
