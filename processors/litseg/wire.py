"""The answer as it goes over the wire: a superset of the paper's, from which scenes are read.

Events, threads and turning points are objects instead of one text each, so that a scene's synopsis,
characters and threads can be derived from the one answer. Indices are those of the chunk, from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from processors.asking import closed_object

TEXT: Final = {"type": "string"}
NUMBER: Final = {"type": "integer"}


class _Told(BaseModel):
    """Syntax as the schema has it; models that no schema binds add fields of their own."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class Event(_Told):
    """What changes in sentences `from_idx` to `to_idx`, and who takes part."""

    from_idx: int
    to_idx: int
    what: str
    who: list[str]


class SamePerson(_Told):
    """Two names, or descriptions, of which sentence `at_idx` makes known that they are one's."""

    name: str
    also: str
    at_idx: int


class Thread(_Told):
    """A line of action; its events by their places in the list, from 1."""

    name: str
    events: list[int]


class TurningPoint(_Told):
    """Where the story turns."""

    at_idx: int
    type: str
    description: str


class Block(_Told):
    """A scene: its main range, and sentences outside it that it cannot be understood without."""

    subtitle: str
    from_idx: int
    to_idx: int
    context_idx: list[int]
    significance: str


class Answer(_Told):
    """The whole answer: the paper's three steps, in their order, and who is who.

    One that says nothing of who is who says that nothing of it is made known.
    """

    events: list[Event]
    identities: list[SamePerson] = []
    threads: list[Thread]
    turning_points: list[TurningPoint]
    segments: list[Block]


def _list_of(item: Mapping[str, Any]) -> dict[str, object]:
    return {"type": "array", "items": dict(item)}


_PARTS: Final[dict[str, object]] = {
    "events": _list_of(
        closed_object({"from_idx": NUMBER, "to_idx": NUMBER, "what": TEXT, "who": _list_of(TEXT)})
    ),
    "identities": _list_of(closed_object({"name": TEXT, "also": TEXT, "at_idx": NUMBER})),
    "threads": _list_of(closed_object({"name": TEXT, "events": _list_of(NUMBER)})),
    "turning_points": _list_of(
        closed_object({"at_idx": NUMBER, "type": TEXT, "description": TEXT})
    ),
    "segments": _list_of(
        closed_object(
            {
                "subtitle": TEXT,
                "from_idx": NUMBER,
                "to_idx": NUMBER,
                "context_idx": _list_of(NUMBER),
                "significance": TEXT,
            }
        )
    ),
}


def schema_of(*parts: str) -> dict[str, object]:
    """Return the schema of an answer that consists of `parts`, in this order; without any, of all.

    It is the same for every input, so that a server compiles it once.
    """
    return closed_object({part: _PARTS[part] for part in parts or _PARTS})
