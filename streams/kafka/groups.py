"""Consumer groups: what those of the stages are called, and what is read of them.

With a position goes a note, empty, or the `Hold` that the partition's next record is in: so who
asks how things stand needs to ask no worker.
"""

from __future__ import annotations

from typing import Final

from pydantic import ValidationError

from contracts.reports import Hold
from streams.kafka.access import KafkaAccess

_LONGEST_REASON: Final = 600  # the brokers take 4,096 bytes, of any script


def group_of(access: KafkaAccess, group: str) -> str:
    """Return what the consumer group of a stage is called in the cluster."""
    return f"{access.prefix}storygraft.{group}"


def note_of(hold: Hold | None) -> str:
    """Return the note that tells of `hold`."""
    if hold is None:
        return ""
    short = hold.model_copy(update={"reason": hold.reason[:_LONGEST_REASON]})
    return short.model_dump_json()


def noted(note: str) -> Hold | None:
    """Return the hold that a note tells of; None where it is empty, or somebody else's."""
    try:
        return Hold.model_validate_json(note) if note else None
    except ValidationError:
        return None
