"""From a record's bytes to a message, or to a reason that a publisher can act on."""

from __future__ import annotations

from typing import Final, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from contracts.errors import StorygraftError
from contracts.events import SCHEMA_VERSION, chapter_event
from contracts.ports import Record
from streams.dead_letters import Failure, FailureKind
from streams.identity import identity_of

M = TypeVar("M")
_SHOWN_ERRORS: Final = 5  # a publisher mends the first ones and sends again
_REASON_LIMIT: Final = 1_000  # characters: a reason travels in a header and stands in a table
_KINDS: Final = frozenset(chapter_event.json_schema()["discriminator"]["mapping"])
"""A location begins with the kind of the event, which is no field."""

_PREFIX: Final = "Value error, "


class Unfit(Exception):  # noqa: N818 - it names the record, as the code that catches it does
    """The record is no message of this topic."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure


def decoded(decode: TypeAdapter[M], record: Record) -> M:
    """Return the message in `record`.

    Raises:
        Unfit: no value, not UTF-8, not JSON, not a message of the topic, or the wrong key.
    """
    message = _message(decode, record)
    work_id = identity_of(message).work_id
    if record.key is None:
        raise _wrong_key("the record has no key: the key of a record is its work_id")
    if work_id is not None and record.key != work_id.encode():
        shown = record.key.decode("utf-8", errors="replace")
        raise _wrong_key(f"the record's key {shown!r} is not its work_id {work_id!r}")
    return message


def _message(decode: TypeAdapter[M], record: Record) -> M:
    if record.value is None:
        raise _unreadable(
            "the record has no value, which withdraws nothing: to withdraw a chapter or a work, "
            "send chapter.withdrawn or work.withdrawn"
        )
    try:
        record.value.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _unreadable(f"byte {error.start} of the value is not UTF-8") from error
    try:
        return decode.validate_json(record.value)
    except ValidationError as error:
        raise _unreadable(explained(error)) from error


def explained(error: StorygraftError | ValidationError) -> str:
    """Say in one line what is wrong, quoting no value: a value may be a chapter."""
    if not isinstance(error, ValidationError):
        return str(error)[:_REASON_LIMIT]
    details = error.errors(include_url=False, include_input=False, include_context=False)
    shown = [_explained_detail(detail) for detail in details[:_SHOWN_ERRORS]]
    more = len(details) - len(shown)
    return ("; ".join(shown) + (f"; and {more} more" if more else ""))[:_REASON_LIMIT]


def _explained_detail(detail: ErrorDetails) -> str:
    place = ".".join(str(part) for part in detail["loc"] if part not in _KINDS)
    if place.endswith("schema_version"):
        return f"{place}: this program knows version {SCHEMA_VERSION} only; a newer one is needed"
    message = detail["msg"].removeprefix(_PREFIX)
    if detail["type"] == "json_invalid" and "hex escape" in message:
        message += (
            r" (an escape like \ud800 is half a character: send both halves, or the character)"
        )
    return f"{place}: {message}" if place else message


def _unreadable(reason: str) -> Unfit:
    return Unfit(Failure(FailureKind.UNREADABLE, reason))


def _wrong_key(reason: str) -> Unfit:
    return Unfit(Failure(FailureKind.WRONG_KEY, reason))
