"""Reads an answer: first as strictly as its schema, then for whatever can be used of it.

Only an answer that conforms is taken at once. The other reading is for the end of all attempts,
when the best of them is mended: numbers in quotes, a single bad segment or a missing list are no
reason to throw the rest away.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Final, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from processors.litseg.wire import Answer, Block, Event, SamePerson, Thread, TurningPoint

M = TypeVar("M", bound=BaseModel)

_FENCED: Final = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL | re.IGNORECASE)
_THOUGHT: Final = "</think>"  # how many models end what they say to themselves
_WHOLE: Final = re.compile(r"\s*\[?\s*([+-]?\d{1,9})\s*\]?\s*")
_LARGEST: Final = 10**9
_NOTHING: Final[Mapping[str, object]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer, whether it conforms to its schema, and how many segments could not be read."""

    answer: Answer
    conforms: bool
    unreadable: int = 0


def read_answer(text: str, given: Mapping[str, object] = _NOTHING) -> Reading:
    """Read the answer of LitSeg-Lite, ours or in the paper's own form.

    `given` are parts that were not asked for: they are taken from there.

    Raises:
        ValueError: it is no JSON object, after basic cleanup.
    """
    told, repeats = parsed(text)
    if isinstance(told, list):
        told, repeats = {"segments": told}, True
    if not isinstance(told, dict):
        raise ValueError("the answer is no JSON object")
    told = {**told, **given}
    if "segments" not in told:
        told = _unfolded(told)
    try:
        return Reading(Answer.model_validate(told), conforms=not repeats)
    except ValidationError:
        return _loosely(told)


def parsed(text: str) -> tuple[Any, bool]:
    """Return the JSON value in `text`, and whether an object in it names a key twice.

    Basic cleanup as in the paper: words and fences around the value are cut off.

    Raises:
        ValueError: there is none.
    """
    repeats: list[str] = []

    def united(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        named = dict(pairs)
        repeats.extend([""] * (len(pairs) - len(named)))
        return named

    for candidate in _candidates(text):
        repeats.clear()
        try:
            return json.loads(candidate, object_pairs_hook=united), bool(repeats)
        except (ValueError, RecursionError):
            continue
    raise ValueError("the answer is no JSON")


def _candidates(text: str) -> Iterable[str]:
    plain = text.strip().lstrip("\ufeff")
    yield plain
    fenced = _FENCED.search(plain)
    if fenced:
        yield fenced.group(1)
    start, end = plain.find("{"), plain.rfind("}")
    if 0 <= start < end:
        yield plain[start : end + 1]
    if _THOUGHT in plain:
        yield plain.rpartition(_THOUGHT)[2]


def _unfolded(told: dict[str, Any]) -> dict[str, Any]:
    """Return the paper's own form as ours; it tells events and threads in words only."""
    steps = [told.get(f"step{number}") for number in (1, 2, 3)]
    last = steps[2] if isinstance(steps[2], dict) else {}
    blocks = last.get("segments")
    if not isinstance(blocks, list):
        return told
    named = [
        {"significance": "", "context_idx": [], **each} if isinstance(each, dict) else each
        for each in blocks
    ]
    unfolded: dict[str, Any] = {**told, "segments": named}
    if all(isinstance(step, dict) for step in steps):
        unfolded = {"events": [], "threads": [], "turning_points": [], **unfolded}
    return unfolded


# --- for what can be used ---------------------------------------------------------------------


def _number(told: object) -> object:
    """Return the whole number that is meant by "12", "[12]" or 12.0."""
    if isinstance(told, bool):
        raise ValueError("no number")
    if isinstance(told, str) and (match := _WHOLE.fullmatch(told)):
        return int(match.group(1))
    if isinstance(told, float) and abs(told) < _LARGEST and told.is_integer():
        return int(told)
    return told


def _text(told: object) -> str:
    return told if isinstance(told, str) else ""


def _texts(told: object) -> list[str]:
    items = told if isinstance(told, list) else [told]
    return [each for each in items if isinstance(each, str)]


def _numbers(told: object) -> list[int]:
    """Return the numbers of a list; one that cannot be read becomes 0, which no sentence has."""
    items = told if isinstance(told, list) else []
    found = []
    for each in items:
        number = None if isinstance(each, bool) else _number(each)
        found.append(number if isinstance(number, int) else 0)
    return found


_Number = Annotated[int, BeforeValidator(_number)]
_Text = Annotated[str, BeforeValidator(_text)]
_Texts = Annotated[list[str], BeforeValidator(_texts)]
_Numbers = Annotated[list[int], BeforeValidator(_numbers)]


class _Loose(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class _LooseEvent(_Loose):
    from_idx: _Number
    to_idx: _Number
    what: _Text = ""
    who: _Texts = []


class _LooseSamePerson(_Loose):
    name: _Text = ""
    also: _Text = ""
    at_idx: _Number


class _LooseThread(_Loose):
    name: _Text = ""
    events: _Numbers = []


class _LooseTurningPoint(_Loose):
    at_idx: _Number
    type: _Text = ""
    description: _Text = ""


class _LooseBlock(_Loose):
    subtitle: _Text = ""
    from_idx: _Number
    to_idx: _Number
    context_idx: _Numbers = []
    significance: _Text = ""


def _loosely(told: dict[str, Any]) -> Reading:
    blocks, unreadable = _each(told.get("segments"), _LooseBlock)
    answer = Answer(
        events=_as(Event, _each(told.get("events"), _LooseEvent)[0]),
        identities=_as(SamePerson, _each(told.get("identities"), _LooseSamePerson)[0]),
        threads=_as(Thread, _each(told.get("threads"), _LooseThread)[0]),
        turning_points=_as(TurningPoint, _each(told.get("turning_points"), _LooseTurningPoint)[0]),
        segments=_as(Block, blocks),
    )
    return Reading(answer, conforms=False, unreadable=unreadable)


def _each(told: object, form: type[M]) -> tuple[list[M], int]:
    """Read what can be read of a list; return it, and how many things could not."""
    items = told if isinstance(told, list) else []
    read = [_one(each, form.model_validate) for each in items]
    kept = [each for each in read if each is not None]
    return kept, len(items) - len(kept)


def _one(told: object, read: Callable[[object], M]) -> M | None:
    try:
        return read(told)
    except ValidationError:
        return None


def _as(form: type[M], loose: Iterable[BaseModel]) -> list[M]:
    return [form.model_validate(each.model_dump()) for each in loose]
