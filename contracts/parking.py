"""What the topic `parked` says: which works are paused, and which of their events wait there.

It holds no text. An event that waits stays where it is in its own topic; here stands only which
one it is. Each record is a fact that stays true, whoever writes it and however often.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from contracts.frozen import Frozen
from contracts.ids import WorkId
from contracts.ordinals import Ordinal


class WorkPaused(Frozen):
    """From now on no event of the work goes further than it is.

    `reason` is empty where an operator wanted it.
    """

    kind: Literal["work.paused"] = "work.paused"
    work_id: WorkId
    reason: str = ""


class WorkResumed(Frozen):
    """What waits of the work goes on, in the order in which it came, and then what is new."""

    kind: Literal["work.resumed"] = "work.resumed"
    work_id: WorkId


class EventParked(Frozen):
    """An event of a paused work waits.

    `offset` is where it lies in the topic that it was read from, within `partition`; `position`
    is its place there at first arrival. The rest is what a gap tells of it.
    """

    kind: Literal["event.parked"] = "event.parked"
    work_id: WorkId
    partition: int
    offset: int
    position: int
    event: str | None = None
    chapter_id: str | None = None
    ordinal: Ordinal | None = None
    revision: int | None = None


class EventsReleased(Frozen):
    """What the work had waiting at offsets up to `until`, inclusive, went on."""

    kind: Literal["events.released"] = "events.released"
    work_id: WorkId
    until: int


class ReleaseHeld(Frozen):
    """The event at `offset` is to go on and cannot now; it is tried again."""

    kind: Literal["release.held"] = "release.held"
    work_id: WorkId
    offset: int
    reason: str


ParkedMessage = Annotated[
    WorkPaused | WorkResumed | EventParked | EventsReleased | ReleaseHeld,
    Field(discriminator="kind"),
]
parked_message: TypeAdapter[ParkedMessage] = TypeAdapter(ParkedMessage)
