"""Takes a stage's next records through its handler: decode, handle, or dead-letter, or hold.

Nothing escapes it. What waiting cannot mend becomes a dead letter and the work goes on; what
waiting may mend is held, and its position stays. No text of a chapter is ever logged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import Any, Final, Generic, TypeVar

import structlog
from pydantic import ValidationError
from structlog.contextvars import bound_contextvars

from contracts.errors import PermanentError, TransientError, WorkMustWait
from contracts.frozen import Frozen
from contracts.ids import WorkId
from contracts.parking import EventParked
from contracts.ports import NewRecord, Record
from streams.dead_letters import Failure, FailureKind, dead_letter, position_of
from streams.decoding import Unfit, decoded, explained
from streams.identity import NOBODY, Identity, guessed, identity_of
from streams.message_sizes import MAX_MESSAGE_BYTES, size_of
from streams.parking import ParkingLot
from streams.stage import Arrival, Stage

M = TypeVar("M")
_log: Final = structlog.stdlib.get_logger()


@dataclass(frozen=True, slots=True)
class Step:
    """What became of one record: `message` where it decoded, `failure` where it is dead."""

    stage: str
    record: Record
    identity: Identity
    message: object = None
    outputs: tuple[Frozen, ...] = ()
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Processed:
    """The first records of those offered are done; `records` go out with the new position."""

    steps: tuple[Step, ...]
    records: tuple[NewRecord, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """The first record offered cannot be done now, and why. `by_work`: other works' can."""

    stage: str
    record: Record
    identity: Identity
    reason: str
    by_work: bool = False


@dataclass(frozen=True, slots=True)
class _Taken(Generic[M]):
    """A record with its decoded message."""

    record: Record
    arrival: Arrival[M]
    identity: Identity


@dataclass(frozen=True, slots=True)
class StageRunner(Generic[M]):
    """Runs one stage. `now_ms` stamps dead letters."""

    stage: Stage[M]
    now_ms: Callable[[], int]

    async def process(self, records: Sequence[Record]) -> Processed | Held:
        """Process a batch from the head of `records` (not empty), as long as the stage allows.

        A batch is of consecutive records, of one key unless the stage takes them mixed. Where it
        fails for good, its records are tried one by one, so that only the unfit one is lost. What
        is of a paused work is parked, where the stage does that.
        """
        passed = self._passed_over(records)
        if passed:
            return Processed(passed, ())
        lot = self.stage.parking
        if lot is None:
            return await self.take(records)
        parked = await self._parked(lot, records)
        if parked is not None:
            return parked
        self._begin_ahead(lot, records[self.stage.limits.messages :])
        result = await self.take(records)
        if isinstance(result, Held) and await self.paused(result):
            return await self._parked(lot, records) or result
        return result

    async def paused(self, held: Held) -> bool:
        """Pause the work of a record that is held, if it is the work that must wait.

        False where it is not, or the log cannot be used now.
        """
        lot, work_id = self.stage.parking, held.identity.work_id
        if lot is None or work_id is None or not held.by_work:
            return False
        try:
            await lot.pause(WorkId(work_id), held.reason)
        except TransientError as error:
            _log.warning("work_not_paused", reason=str(error))
            return False
        return True

    async def take(self, records: Sequence[Record]) -> Processed | Held:
        """As `process`, whether or not the work is paused."""
        batch = self._batch(records)
        if isinstance(batch, Processed):
            return batch
        result = await self._attempt(batch)
        if isinstance(result, Failure):
            return await self._one_by_one(batch, result)
        return result

    def _begin_ahead(self, lot: ParkingLot, records: Sequence[Record]) -> None:
        """Begin with those of `records` that will be taken, as far as the stage does that."""
        ahead = self.stage.ahead
        if ahead is None:
            return
        for record in records:
            if not ahead.has_room():
                return
            if lot.is_aside(record.key):
                continue
            with suppress(Unfit):  # it is a dead letter when its turn has come
                taken = self._take(record)
                ahead.begin(record, partial(self._bound, [taken]))

    async def _bound(self, batch: Sequence[_Taken[M]]) -> Sequence[Frozen]:
        """Handle a batch; what is logged meanwhile tells whose it is."""
        first = batch[0]
        with bound_contextvars(
            stage=self.stage.intake.name,
            work_id=first.identity.work_id,
            chapter_id=first.identity.chapter_id,
            position=first.arrival.position,
        ):
            return await self.stage.handler([taken.arrival for taken in batch])

    async def _handled(self, batch: Sequence[_Taken[M]]) -> Sequence[Frozen]:
        ahead = self.stage.ahead
        if ahead is None:
            return await self._bound(batch)
        return await ahead.outputs(batch[0].record, partial(self._bound, batch))

    async def _parked(self, lot: ParkingLot, records: Sequence[Record]) -> Processed | Held | None:
        """Park the records at the head that are of paused works; None if there are none.

        What cannot be read is not parked: it is a dead letter whenever it is looked at.
        """
        parked: list[_Taken[M]] = []
        try:
            await lot.look_for(records[0])
            for record in takewhile(lambda record: lot.is_aside(record.key), records):
                try:
                    parked.append(self._take(record))
                except Unfit:
                    break
            if not parked:
                return None
            await lot.park([_parked_event(taken) for taken in parked])
        except TransientError as error:
            identity = guessed(records[0].value, records[0].key)
            return Held(self.stage.intake.name, records[0], identity, str(error))
        name = self.stage.intake.name
        return Processed(tuple(Step(name, each.record, each.identity) for each in parked), ())

    def _passed_over(self, records: Sequence[Record]) -> tuple[Step, ...]:
        """Return steps of the records at the head that do not concern the stage."""
        concerns = self.stage.concerns
        if concerns is None:
            return ()
        others = takewhile(lambda record: not concerns(record), records)
        return tuple(Step(self.stage.intake.name, record, NOBODY) for record in others)

    def _batch(self, records: Sequence[Record]) -> list[_Taken[M]] | Processed:
        taken: list[_Taken[M]] = []
        size = 0
        for record in records[: self.stage.limits.messages]:
            size += len(record.value or b"")
            if taken and (size > self.stage.limits.bytes or not self._goes_with(taken[0], record)):
                break
            if taken and self._passed_over([record]):
                break
            try:
                taken.append(self._take(record))
            except Unfit as unfit:
                return taken or self._dead(record, guessed(record.value, record.key), unfit.failure)
        return taken

    def _goes_with(self, first: _Taken[M], record: Record) -> bool:
        return self.stage.limits.mixed or record.key == first.record.key

    def _take(self, record: Record) -> _Taken[M]:
        message = decoded(self.stage.intake.decode, record)
        identity = identity_of(message)
        position = identity.position
        at = position_of(record) if position is None else position
        arrival = Arrival(message, at, record.partition)
        return _Taken(record, arrival, identity)

    async def _attempt(self, batch: Sequence[_Taken[M]]) -> Processed | Held | Failure:
        first = batch[0]
        with bound_contextvars(
            stage=self.stage.intake.name,
            work_id=first.identity.work_id,
            chapter_id=first.identity.chapter_id,
            position=first.arrival.position,
        ):
            try:
                outputs = await self._handled(batch)
            except (TransientError, OSError) as error:  # an OSError is one nobody translated
                _log.warning("message_held", reason=str(error))
                return Held(
                    stage=self.stage.intake.name,
                    record=first.record,
                    identity=first.identity,
                    reason=str(error),
                    by_work=isinstance(error, WorkMustWait),
                )
            except (PermanentError, ValidationError) as error:
                return Failure(FailureKind.UNFIT, explained(error))
            except Exception as error:  # noqa: BLE001 - a bug must cost one chapter, not all after it
                _log.error("handler_failed", error=type(error).__name__, at=_place_of(error))
                return Failure(FailureKind.UNEXPECTED, f"{type(error).__name__} {_place_of(error)}")
            records = self._records(batch, outputs)
            size = max(map(size_of, records), default=0)
            if size > MAX_MESSAGE_BYTES:
                return Failure(FailureKind.UNFIT, _too_large(self.stage.sink, size))
            _log.info("messages_processed", messages=len(batch), outputs=len(outputs))
        return self._done(batch, outputs, records)

    def _records(
        self, batch: Sequence[_Taken[M]], outputs: Sequence[Frozen]
    ) -> tuple[NewRecord, ...]:
        sink, key = self.stage.sink, batch[0].record.key
        if not self.stage.limits.mixed:
            return tuple(NewRecord(sink, key, output.to_json()) for output in outputs)
        works = (identity_of(output).work_id or "" for output in outputs)
        return tuple(
            NewRecord(sink, work.encode(), output.to_json())
            for work, output in zip(works, outputs, strict=True)
        )

    async def _one_by_one(self, batch: Sequence[_Taken[M]], failure: Failure) -> Processed | Held:
        if len(batch) == 1:
            taken = batch[0]
            return self._dead(taken.record, taken.identity, failure, taken.arrival)
        done: list[Processed] = []
        for taken in batch:
            result = await self._attempt([taken])
            if isinstance(result, Held):
                if not done:
                    return result
                break  # what is done is committed first; the next call holds here again
            if isinstance(result, Failure):
                result = self._dead(taken.record, taken.identity, result, taken.arrival)
            done.append(result)
        return Processed(
            steps=tuple(step for each in done for step in each.steps),
            records=tuple(record for each in done for record in each.records),
        )

    def _done(
        self,
        batch: Sequence[_Taken[M]],
        outputs: Sequence[Frozen],
        records: tuple[NewRecord, ...],
    ) -> Processed:
        steps = [
            Step(self.stage.intake.name, taken.record, taken.identity, taken.arrival.message)
            for taken in batch
        ]
        # Outputs need not match messages one to one: they are told of with the batch's last one.
        last = steps[-1]
        steps[-1] = Step(last.stage, last.record, last.identity, last.message, tuple(outputs))
        return Processed(tuple(steps), records)

    def _dead(
        self,
        record: Record,
        identity: Identity,
        failure: Failure,
        arrival: Arrival[M] | None = None,
    ) -> Processed:
        position = arrival.position if arrival else position_of(record)
        if self.stage.concerns is not None:
            _log.warning(
                "message_left_to_later_stages",
                stage=self.stage.intake.name,
                position=position,
                kind=failure.kind.value,
                reason=failure.reason,
            )
            return Processed((Step(self.stage.intake.name, record, identity),), ())
        _log.warning(
            "message_dead_lettered",
            stage=self.stage.intake.name,
            work_id=identity.work_id,
            chapter_id=identity.chapter_id,
            position=position,
            kind=failure.kind.value,
            reason=failure.reason,
        )
        letter = dead_letter(
            record, self.stage.intake.name, failure, identity, position, self.now_ms()
        )
        step = Step(self.stage.intake.name, record, identity, failure=failure)
        return Processed((step,), (letter,))


def _parked_event(taken: _Taken[Any]) -> EventParked:
    identity = taken.identity
    return EventParked(
        work_id=WorkId(identity.work_id or ""),
        partition=taken.record.partition,
        offset=taken.record.offset,
        position=taken.arrival.position,
        event=identity.kind,
        chapter_id=identity.chapter_id,
        ordinal=identity.ordinal,
        revision=identity.revision,
    )


def _too_large(sink: str, size: int) -> str:
    return (
        f"its message for {sink} has {size:,} bytes, and a topic takes {MAX_MESSAGE_BYTES:,} at "
        "most: publish it as several chapters"
    )


def _place_of(error: BaseException) -> str:
    """Say where `error` was raised; its text might quote a chapter."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    code = trace.tb_frame.f_code
    return (
        f"in {trace.tb_frame.f_globals.get('__name__', '?')}.{code.co_name}, line {trace.tb_lineno}"
    )
