"""A stage is one row of the topology: where its messages come from, what they become.

A handler is a plain async callable; it knows nothing of logs, offsets or dead letters.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar

from contracts import topics
from contracts.frozen import Frozen
from contracts.ids import Generation
from contracts.ports import Record
from streams.ahead import Ahead
from streams.intakes import Intake
from streams.parking import ParkingLot

M = TypeVar("M")

MEGABYTE: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Arrival(Generic[M]):
    """A decoded message; `position` is its place in its log at first arrival."""

    message: M
    position: int
    partition: int = 0


Handler = Callable[[Sequence[Arrival[M]]], Awaitable[Sequence[Frozen]]]
"""Takes a non-empty batch of messages, in order; returns what goes to the sink."""


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """Most messages, and most bytes of them, that a handler gets at once.

    They are of one work, unless it takes them `mixed`. A stage may be offered `ahead` messages
    more, to begin with them.
    """

    messages: int = 1
    bytes: int = 64 * MEGABYTE
    mixed: bool = False
    ahead: int = 0


ONE: Final = BatchLimits()


NOWHERE: Final = ""


@dataclass(frozen=True, slots=True)
class Stage(Generic[M]):
    """One step of the path: messages that its intake reads become messages of `sink`.

    With `concerns` it is a stage that looks ahead: it takes nothing but the records for which
    that holds, does not wait for the other stages, and leaves what is unfit to those, so that
    each dead letter is written once. With `parking` it lets the events of paused works wait.
    With `ready` it does not begin before that holds, and need not be asked again then. With
    `ahead` it begins with messages before it is their turn; it takes one at a time.
    """

    intake: Intake[M]
    handler: Handler[M]
    sink: str
    limits: BatchLimits = ONE
    concerns: Callable[[Record], bool] | None = None
    parking: ParkingLot | None = None
    ready: Callable[[], Coroutine[Any, Any, bool]] | None = None
    ahead: Ahead | None = None


def of_generation(stage: Stage[M], generation: Generation) -> Stage[M]:
    """Return `stage` with the topics and the group of `generation`."""
    sink = topics.physical(stage.sink, generation)
    return replace(stage, intake=stage.intake.of_generation(generation), sink=sink)


def each(handle: Callable[[M], Awaitable[Frozen]]) -> Handler[M]:
    """Make a handler of a callable that turns one message into one."""

    async def handler(arrivals: Sequence[Arrival[M]]) -> Sequence[Frozen]:
        return [await handle(arrival.message) for arrival in arrivals]

    return handler


def each_with_position(handle: Callable[[M, int], Awaitable[Frozen]]) -> Handler[M]:
    """Make a handler of a callable that also wants to know the message's position."""

    async def handler(arrivals: Sequence[Arrival[M]]) -> Sequence[Frozen]:
        return [await handle(arrival.message, arrival.position) for arrival in arrivals]

    return handler


def effect(handle: Callable[[Sequence[tuple[M, int]]], Awaitable[None]]) -> Handler[M]:
    """Make a handler of a callable that takes a batch with positions, and says nothing."""

    async def handler(arrivals: Sequence[Arrival[M]]) -> Sequence[Frozen]:
        await handle([(arrival.message, arrival.position) for arrival in arrivals])
        return ()

    return handler


def batched(handle: Callable[[Sequence[M]], Awaitable[Sequence[Frozen]]]) -> Handler[M]:
    """Make a handler of a callable that takes a whole batch."""

    async def handler(arrivals: Sequence[Arrival[M]]) -> Sequence[Frozen]:
        return await handle([arrival.message for arrival in arrivals])

    return handler
