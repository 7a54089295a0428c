"""A stage as a Faust app: one agent that hands raw records to lanes, and a producer.

Built by a factory, since an app binds to the event loop that it is made in. Each stage is an app
and a consumer group of its own, so `hide` can read what `segment` reads, and a rebalance of one
stage stops no other. Faust fetches, balances and sends; what it would decide on its own is off:

- Nothing is acknowledged through it. It takes a hole between two offsets for acknowledged, and
  what a lane lets go of while its partition is paused looks like one: events would be lost. Lanes
  know what is done, and their positions are committed.
- No leader, no tables, no web server, no topics made on its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import faust
import structlog
from aiokafka import TopicPartition
from aiokafka.errors import IllegalStateError, KafkaError
from aiokafka.structs import OffsetAndMetadata
from faust.exceptions import ConsumerNotStarted, FaustError
from faust.transport.drivers.aiokafka import Consumer
from faust.transport.utils import DefaultSchedulingStrategy
from faust.types import TP, StreamT

from contracts.crash_points import Reached, go_on
from contracts.errors import TransientError
from contracts.ports import NewRecord, Record
from streams.flow import Mark, Place, Process, Watcher
from streams.kafka.access import KafkaAccess
from streams.kafka.arguments import faust_arguments
from streams.kafka.groups import group_of, note_of
from streams.lanes import Lanes
from streams.stage import MEGABYTE, Stage

_SESSION_S: Final = 10.0  # a killed worker's partitions are another's after so long
_HEARTBEAT_S: Final = 2.0
_REQUEST_S: Final = 20.0
_REBALANCE_S: Final = 30.0
_POLL_S: Final = 86_400.0
"""Longer than any chapter takes, and longer than a store is down: a held partition is no dead
worker. A dead one misses its heartbeats; a stuck one shows in its health."""

_FETCH_BYTES: Final = 4 * MEGABYTE  # of one partition at once; a larger record comes alone
_BUFFER: Final = 64  # records between Faust and a lane, which takes each at once
_ASK_S: Final = 5.0
_STOP_S: Final = 15.0

_log: Final = structlog.stdlib.get_logger()


broker_errors: Final = (KafkaError, FaustError, TimeoutError, OSError)
"""What Faust and aiokafka raise where the broker cannot be used."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """What a stage's app is given beside the stage: who processes, who watches."""

    process: Process
    watcher: Watcher
    crowded: Callable[[], bool]
    reached: Reached = go_on


class StageApp:
    """Runs one stage on the partitions that the broker gives to this process.

    Make it, start it and stop it in one event loop.
    """

    def __init__(self, stage: Stage[Any], access: KafkaAccess, hooks: Hooks, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._topic = access.topic(stage.intake.source)
        self._source = stage.intake.source
        self._app = _faust_app(access, stage.intake.group, folder, self._scheduler())
        self._flow = _KafkaFlow(self._app, access)
        self.lanes = Lanes(
            stage=stage,
            flow=self._flow,
            process=hooks.process,
            commit=self._commit,
            watcher=hooks.watcher,
            crowded=hooks.crowded,
            reached=hooks.reached,
        )
        self._connect(stage.intake.name)
        self._going: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Connect, and begin to consume.

        Raises:
            KafkaError: the broker cannot be used.
        """
        await self._app.start()
        self._going = asyncio.create_task(self.lanes.keep_going())

    async def ended(self) -> BaseException | None:
        """Wait until the app has ended, of itself or stopped; return why, if it crashed."""
        await self._app.wait()
        return self._app.crash_reason

    async def stop(self, drain_s: float = 0.0) -> None:
        """Let the lanes finish their batch, for so long, commit, and leave the group."""
        if self._going is not None:
            self._going.cancel()
        if drain_s and not self._app.crashed:
            await self.lanes.drain(drain_s)
        await self.lanes.close()
        with suppress(TimeoutError, asyncio.CancelledError):
            await asyncio.wait_for(self._app.stop(), _STOP_S)

    def end_of(self, place: Place) -> int | None:
        """Return the offset after the partition's last record, None while it is not known."""
        return self._flow.end_of(place)

    async def _commit(self, done: Mapping[Place, Mark]) -> bool:
        offsets = {
            TopicPartition(*self._flow.partition(place)): OffsetAndMetadata(
                to.position, note_of(to.hold)
            )
            for place, to in done.items()
        }
        try:
            # Faust's own commit takes no notes, and knows only what was acknowledged through it.
            await self._flow.asked("commit", offsets)
        except broker_errors as error:
            _log.warning("positions_not_committed", reason=str(error) or type(error).__name__)
            return False
        return True

    def _connect(self, name: str) -> None:
        """Have the app give us records and partitions."""
        app, lanes, source = self._app, self.lanes, self._source

        async def assigned(_: Any, *told: set[TP], **__: Any) -> None:
            lanes.assign({tp.partition for tp in told[0] if tp.topic == self._topic})

        async def revoked(_: Any, *told: set[TP], **__: Any) -> None:
            await lanes.revoke({tp.partition for tp in told[0] if tp.topic == self._topic})

        app.on_partitions_assigned.connect(cast(Any, assigned))  # its type wants more arguments
        app.on_partitions_revoked.connect(cast(Any, revoked))

        topic = app.topic(
            self._topic,
            key_type=bytes,
            value_type=bytes,
            key_serializer="raw",
            value_serializer="raw",
            acks=False,
        )

        @app.agent(topic, name=name, concurrency=1, isolated_partitions=True)
        async def _take(stream: StreamT[bytes]) -> None:
            async for event in stream.events():
                lanes.offer(_record(source, event.message))

    def _scheduler(self) -> type[DefaultSchedulingStrategy]:
        """Return what Faust asks in which order to deliver a fetch: so we hear of each."""
        mine, told = self._topic, self._fetched

        class _Telling(DefaultSchedulingStrategy):
            def iterate(self, records: Mapping[TP, list[Any]]) -> Iterator[tuple[TP, Any]]:
                told(
                    {
                        tp.partition: [each.offset for each in got]
                        for tp, got in records.items()
                        if got and tp.topic == mine
                    }
                )
                return super().iterate(records)

        return _Telling

    def _fetched(self, offsets: Mapping[int, Sequence[int]]) -> None:
        self._flow.fetch_over()
        self.lanes.fetched(offsets)


class _KafkaFlow:
    """`streams.lane.Flow` on the consumer and producer of one app."""

    def __init__(self, app: faust.App, access: KafkaAccess) -> None:
        self._app = app
        self._access = access
        self._fetches = 0
        self._fetch = asyncio.Event()
        self._paused_in: dict[Place, int] = {}

    def fetch_over(self) -> None:
        """Take notice that a fetch came back, with what was under way before a pause."""
        self._fetches += 1
        self._fetch.set()
        self._fetch.clear()

    def partition(self, place: Place) -> TP:
        """Return the partition as Faust names it; a record's own name for it will not do."""
        return TP(self._access.topic(place.topic), place.partition)

    async def asked(self, name: str, *arguments: Any) -> Any:
        """Call a method of the client itself, in the thread where Faust keeps it."""
        thread = cast(Consumer, self._app.consumer)._thread  # noqa: SLF001 - not to be had else
        method = getattr(thread._ensure_consumer(), name)  # noqa: SLF001
        return await asyncio.wait_for(thread.call_thread(method, *arguments), _ASK_S)

    async def start_of(self, place: Place) -> int:
        """See `Flow.start_of`: what was committed, or the first record that is kept."""
        partition = TopicPartition(*self.partition(place))
        with _translated("beginning with a partition"):
            committed = await self.asked("committed", partition)
            if committed is not None:
                return int(committed)
            firsts = await self.asked("beginning_offsets", [partition])
        return int(firsts[partition])

    def end_of(self, place: Place) -> int | None:
        """See `Flow.end_of`."""
        with suppress(IllegalStateError, ConsumerNotStarted, AssertionError):
            end = self._app.consumer.highwater(self.partition(place))
            return None if end is None else int(end)
        return None

    def pause(self, place: Place) -> None:
        """See `Flow.pause`."""
        self._paused_in[place] = self._fetches
        self._app.consumer.pause_partitions({self.partition(place)})

    async def resume(self, place: Place, offset: int) -> None:
        """See `Flow.resume`."""
        while self._fetches == self._paused_in.get(place):
            await self._fetch.wait()
        partition = self.partition(place)
        with _translated("going on with a partition"):
            await self._app.consumer.seek_wait({partition: offset})
            self._app.consumer.resume_partitions({partition})

    async def send(self, records: Sequence[NewRecord]) -> None:
        """See `Flow.send`."""
        with _translated("writing to a topic"):
            sent = [await self._sent(record) for record in records]
            await asyncio.gather(*sent)

    async def _sent(self, record: NewRecord) -> Any:
        return await self._app.producer.send(
            self._access.topic(record.topic),
            record.key,
            record.value,
            None,
            None,
            list(record.headers) or None,
        )


@contextmanager
def _translated(deed: str) -> Iterator[None]:
    try:
        yield
    except broker_errors as error:
        reason = str(error) or type(error).__name__
        raise TransientError(f"{deed}: the broker cannot be used: {reason}") from error


def _record(source: str, message: Any) -> Record:
    return Record(
        topic=source,
        offset=message.offset,
        key=message.key,
        value=message.value,
        headers=tuple((name, value or b"") for name, value in message.headers or ()),
        timestamp_ms=int(message.timestamp * 1000),
        partition=message.partition,
    )


def _faust_app(
    access: KafkaAccess, group: str, folder: Path, scheduler: type[DefaultSchedulingStrategy]
) -> faust.App:
    return faust.App(
        group_of(access, group),
        **faust_arguments(access),
        datadir=folder,
        store="memory://",
        autodiscover=False,
        web_enabled=False,
        reply_create_topic=False,
        topic_allow_declare=False,
        topic_disable_leader=True,
        table_standby_replicas=0,
        broker_session_timeout=_SESSION_S,
        broker_heartbeat_interval=_HEARTBEAT_S,
        broker_request_timeout=_REQUEST_S,
        broker_rebalance_timeout=_REBALANCE_S,
        broker_max_poll_interval=_POLL_S,
        consumer_auto_offset_reset="earliest",
        consumer_max_fetch_size=_FETCH_BYTES,
        producer_acks=-1,
        producer_linger=0.0,
        producer_request_timeout=_REQUEST_S,
        stream_buffer_maxsize=_BUFFER,
        stream_wait_empty=False,
        ConsumerScheduler=scheduler,
    )
