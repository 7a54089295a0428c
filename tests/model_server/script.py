"""What the server hears, and what a script may have it reply."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Heard:
    """One request. `purpose` is the schema's name, `number` counts requests from 0.

    `at_ms` is when it came, in ms since 1970.
    """

    number: int
    purpose: str
    system: str
    user: str
    schema: dict[str, Any]
    temperature: float
    top_p: float
    max_tokens: int
    seed: int
    at_ms: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Says:
    """A fit answer: `value` as JSON. A value that the schema refuses is the test's mistake."""

    value: object


@dataclass(frozen=True, slots=True)
class Text:
    """Any answer at all, as a model without a schema, or cut off, would give it."""

    text: str | None
    finish: str | None = "stop"
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class Rambles:
    """Never stops by itself: words up to `max_tokens`, and then `length`."""

    word: str = "and "


@dataclass(frozen=True, slots=True)
class Fails:
    """A status other than success; the error's fields are left out where they are empty."""

    status: int
    message: str = ""
    code: str = ""
    type: str = ""
    param: str = ""
    retry_after: str = ""


@dataclass(frozen=True, slots=True)
class Body:
    """Success with a body of another making, such as a proxy's page."""

    content: bytes
    media_type: str = "text/html"


@dataclass(frozen=True, slots=True)
class Hangs:
    """No answer until the caller has gone."""


@dataclass(frozen=True, slots=True)
class Breaks:
    """Begins its answer and closes the connection."""


@dataclass(frozen=True, slots=True)
class Later:
    """Another reply after `seconds`."""

    seconds: float
    reply: Says | Text | Rambles | Fails


Reply = Says | Text | Rambles | Fails | Body | Hangs | Breaks | Later
Script = Callable[[Heard], Reply]


def cut(value: object) -> Text:
    """Answer with the first half of `value` and say that the limit was reached."""
    text = json.dumps(value)
    return Text(text[: len(text) // 2], finish="length")


def in_prose(value: object) -> Text:
    """Answer with `value` in a fence, with friendly words around it."""
    return Text(f"Sure! Here it is:\n```json\n{json.dumps(value)}\n```\nAnything else?")
