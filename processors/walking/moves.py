"""What a model may say in a walk: where to look next, or an answer with its quotes; pure.

Its words are read as loosely as they can be: what is no id is dropped and counted, and only an
answer out of which nothing can be read is unfit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict

from processors.asking import closed_object
from processors.one_line import one_line

MOST_OPENED: Final = 3
"""Storylines that one look opens: more would leave room for few scenes of each."""

_QUERY_CHARACTERS: Final = 300
_ANSWER_CHARACTERS: Final = 1_500
_TEXT: Final[Mapping[str, object]] = {"type": "string"}
_TEXTS: Final[Mapping[str, object]] = {"type": "array", "items": _TEXT}
_NUMBERS: Final[Mapping[str, object]] = {"type": "array", "items": {"type": "integer"}}
_LOOK: Final[Mapping[str, object]] = {"scenes": _NUMBERS, "open": _TEXTS, "query": _TEXT}
_SAY: Final[Mapping[str, object]] = {
    "quotes": _TEXTS,
    "known": {"type": "boolean"},
    "answer": _TEXT,
}

LOOK_SCHEMA: Final = closed_object(_LOOK)
SAY_SCHEMA: Final = closed_object(_SAY)
STEP_SCHEMA: Final = closed_object({**_SAY, **_LOOK})


@dataclass(frozen=True, slots=True)
class Move:
    """Where to look: scenes by number, best first, storylines by name, a query of its own.

    `dropped` counts what was named and is not on the map.
    """

    scenes: tuple[int, ...] = ()
    opens: tuple[str, ...] = ()
    query: str = ""
    dropped: int = 0

    def __bool__(self) -> bool:
        return bool(self.scenes or self.opens or self.query)


@dataclass(frozen=True, slots=True)
class Said:
    """An answer and its quotes, as the model gave them; "" where it is not known."""

    answer: str = ""
    quotes: tuple[str, ...] = ()


def _listed(told: object) -> list[object]:
    return list(told) if isinstance(told, list) else [told] if told is not None else []


_Listed = Annotated[list[object], BeforeValidator(_listed)]


class _Wire(BaseModel):
    """Models that no schema binds leave fields out, and add some."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    scenes: _Listed = field(default_factory=list)
    open: _Listed = field(default_factory=list)
    query: str | None = None
    known: bool = False
    answer: str | None = None
    quotes: _Listed = field(default_factory=list)


def read_move(
    text: str, shown: Collection[int], storylines: Collection[str], most_scenes: int
) -> Move:
    """Read where to look; of scenes and storylines only those that were shown count.

    Raises:
        ValueError: it is no JSON object of the kind.
    """
    wire = _Wire.model_validate_json(text)
    numbers = [_number(told) for told in wire.scenes]
    known = dict.fromkeys(n for n in numbers if n is not None and n in shown)
    names = [str(told).strip() for told in wire.open]
    there = dict.fromkeys(name for name in names if name in storylines)
    dropped = _missing(numbers, shown) + _missing(names, storylines)
    query = one_line(wire.query or "")[:_QUERY_CHARACTERS]
    return Move(tuple(known)[:most_scenes], tuple(there)[:MOST_OPENED], query, dropped)


def read_said(text: str) -> Said:
    """Read an answer; one that is not known, or has no words, is an empty one.

    Raises:
        ValueError: it is no JSON object of the kind.
    """
    wire = _Wire.model_validate_json(text)
    answer = one_line(wire.answer or "")[:_ANSWER_CHARACTERS]
    if not wire.known or not answer:
        return Said()
    return Said(answer, tuple(told for told in wire.quotes if isinstance(told, str)))


def _number(told: object) -> int | None:
    if isinstance(told, str) and told.strip().isdecimal():
        return int(told)
    return told if isinstance(told, int) and not isinstance(told, bool) else None


def _missing(told: Iterable[object], known: Collection[object]) -> int:
    return len({each for each in told if each not in known})
