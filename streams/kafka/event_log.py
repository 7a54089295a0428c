"""Kafka as the event log of who asks: what lies in its topics, and how far the stages are.

Workers do not use it: they consume as members of a group, and commit what they did. To others
it answers the same questions as the local log. Keys lie in the partition that Kafka's own
clients choose for them (murmur2); of a topic with several partitions a position is the sum over
them all, which is right for lags, and its records can be read by key only.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import (
    AsyncGenerator,
    Awaitable,
    Callable,
    Collection,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import aclosing, contextmanager, suppress
from typing import Final, cast

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import (
    GroupCoordinatorNotAvailableError,
    GroupLoadInProgressError,
    KafkaError,
)
from aiokafka.partitioner import DefaultPartitioner
from aiokafka.structs import OffsetAndMetadata

from contracts.errors import PermanentError, TransientError
from contracts.ports import NewRecord, Record, Standing
from streams.kafka.access import KafkaAccess
from streams.kafka.admin import remove_groups, remove_topics, set_positions
from streams.kafka.arguments import client_arguments, producer_arguments
from streams.kafka.groups import group_of, noted
from streams.kafka.probing import require_brokers
from streams.kafka.ranges import RangeReader, started_consumer

_FETCH_BYTES: Final = 8_000_000
_SINGLE_BYTES: Final = 64_000  # who wants one record is not to be sent all that follow it
_ATTEMPTS: Final = 50
_FRESH_S: Final = 2.0  # so old may be what we know of topics
_PAUSE_S: Final = 0.2


class KafkaEventLog:
    """`contracts.ports.EventLog` on a Kafka cluster; connects at its first use.

    Kafka knows no sources: what is appended again is there twice, which the stages see and make
    nothing of.
    """

    def __init__(self, access: KafkaAccess) -> None:
        self._access = access
        self._partitioner = DefaultPartitioner()
        self._consumer: AIOKafkaConsumer | None = None
        self._producer: AIOKafkaProducer | None = None
        self._admin: AIOKafkaAdminClient | None = None
        self._heard_at = time.monotonic()
        self._ranges = RangeReader(access, _FETCH_BYTES)
        self._single = RangeReader(access, _SINGLE_BYTES)

    async def append(self, records: Sequence[NewRecord]) -> int:
        """Append all of `records`, each acknowledged when this returns; return how many."""
        with self._translated():
            producer = await self._writer()
            sent = [
                await producer.send(
                    self._access.topic(record.topic),
                    record.value,
                    record.key,
                    headers=list(record.headers),
                )
                for record in records
            ]
            await asyncio.gather(*sent)
        return len(records)

    async def read(self, topic: str, start: int, limit: int, max_bytes: int) -> tuple[Record, ...]:
        """See `EventLog.read`; a topic with several partitions is refused."""
        with self._translated():
            places = await self._places(topic)
            if len(places) > 1:
                raise PermanentError(f"{topic} has several partitions: read it by key")
            found: list[Record] = []
            size = 0
            for place in places:
                end = (await self._ends([place]))[place]
                async with aclosing(self._ranges.read(topic, place, start, end)) as records:
                    async for record in records:
                        size += len(record.value or b"")
                        if len(found) == limit or (found and size > max_bytes):
                            break
                        found.append(record)
        return tuple(found)

    async def read_key(self, topic: str, key: bytes) -> tuple[Record, ...]:
        """See `EventLog.read_key`; the key's whole partition is read for it."""
        with self._translated():
            mine = await self._place_of(topic, key)
            if mine is None:
                return ()
            end = (await self._ends([mine]))[mine]
            found = self._ranges.read(topic, mine, 0, end)
            return tuple([record async for record in found if record.key == key])

    async def record_at(self, topic: str, key: bytes, offset: int) -> Record | None:
        """See `EventLog.record_at`."""
        with self._translated():
            place = await self._place_of(topic, key)
            if place is None or offset >= (await self._ends([place]))[place]:
                return None
            found = self._single.read(topic, place, offset, offset + 1)
            records = [record async for record in found if record.key == key]
        return records[0] if records else None

    async def span(
        self, topic: str, partition: int, start: int, end: int
    ) -> AsyncGenerator[Record, None]:
        """See `EventLog.span`."""
        place = TopicPartition(self._access.topic(topic), partition)
        with self._translated():
            async with aclosing(self._ranges.read(topic, place, start, end)) as records:
                async for record in records:
                    yield record

    async def end(self, topic: str) -> int:
        """See `EventLog.end`: summed over the partitions."""
        with self._translated():
            return sum((await self._ends(await self._places(topic))).values())

    async def ends(self, topic: str) -> tuple[int, ...]:
        """See `EventLog.ends`."""
        with self._translated():
            places = await self._places(topic)
            ends = await self._ends(places)
        return tuple(ends[place] for place in places)

    async def position(self, group: str, topic: str) -> int:
        """See `EventLog.position`: summed over the partitions."""
        return sum(line.position for line in await self.standing(group, topic))

    async def advance(
        self,
        group: str,  # noqa: ARG002 - the port's
        topic: str,  # noqa: ARG002
        position: int,  # noqa: ARG002
        outputs: Sequence[NewRecord],  # noqa: ARG002
    ) -> None:
        """Refuse: positions in Kafka are those of its workers."""
        raise PermanentError("The stages of this index run in workers: start `storygraft worker`.")

    async def begin(self, group: str, topic: str, positions: Mapping[int, int]) -> None:
        """See `EventLog.begin`."""
        known = {line.partition: line.position for line in await self.standing(group, topic)}
        name = self._access.topic(topic)
        offsets = {
            (name, partition): position
            for partition, position in positions.items()
            if position > known.get(partition, 0)
        }
        await set_positions(self._access, group_of(self._access, group), offsets)

    async def remove(self, topics: Collection[str], groups: Collection[str]) -> None:
        """See `EventLog.remove`."""
        await remove_groups(self._access, [group_of(self._access, each) for each in groups])
        names = [self._access.topic(each) for each in topics]
        await remove_topics(self._access, names)
        with self._translated():
            await self._forget(names)

    async def faults(self) -> tuple[str, ...]:
        """Return nothing: the brokers check what they keep."""
        return ()

    async def close(self) -> None:
        """See `EventLog.close`."""
        for reader in (self._ranges, self._single):
            await reader.close()
        for client in (self._consumer, self._producer):
            if client is not None:
                await client.stop()
        if self._admin is not None:
            await self._admin.close()
        self._consumer = self._producer = self._admin = None

    async def standing(self, group: str, topic: str) -> tuple[Standing, ...]:
        """See `EventLog.standing`."""
        with self._translated():
            places = await self._places(topic)
            ends = await self._ends(places)
            firsts = await self._firsts(places)
            told = await self._committed(group)
        return tuple(
            Standing(
                partition=place.partition,
                position=max(firsts[place], told[place].offset if place in told else 0),
                end=ends[place],
                hold=noted(told[place].metadata) if place in told else None,
            )
            for place in places
        )

    async def _committed(self, group: str) -> Mapping[TopicPartition, OffsetAndMetadata]:
        """Return what the group has committed; brokers that have just started may need a moment."""
        asker = await self._asker()
        for _ in range(_ATTEMPTS):
            with suppress(GroupCoordinatorNotAvailableError, GroupLoadInProgressError):
                found = await asker.list_consumer_group_offsets(group_of(self._access, group))
                return cast(Mapping[TopicPartition, OffsetAndMetadata], found)
            await asyncio.sleep(_PAUSE_S)
        raise TransientError(f"The brokers at {self._access.shown} do not know their groups yet.")

    async def _place_of(self, topic: str, key: bytes) -> TopicPartition | None:
        """Return the partition of a key; None where there is no such topic."""
        places = await self._places(topic)
        if not places:
            return None
        return places[self._partitioner(key, list(range(len(places))), [])]

    async def _places(self, topic: str) -> list[TopicPartition]:
        """Return the topic's partitions in order; none where there is no such topic."""
        name = self._access.topic(topic)
        known = await self._known_partitions(name)
        return [TopicPartition(name, partition) for partition in sorted(known)]

    async def _known_partitions(self, name: str) -> Collection[int]:
        reader = await self._reader()
        known = reader.partitions_for_topic(name)
        # It may have been made since, or deleted: who asks for what is gone waits long in vain.
        if known is None or time.monotonic() - self._heard_at > _FRESH_S:
            await self._hear(reader)
            known = reader.partitions_for_topic(name)
        return known or ()

    async def _hear(self, reader: AIOKafkaConsumer) -> None:
        """Hear which topics there are now."""
        self._heard_at = time.monotonic()
        await reader._client.force_metadata_update()  # noqa: SLF001 - there is no other way

    async def _forget(self, names: Collection[str]) -> None:
        """Wait until our client knows no more of topics that are deleted.

        It would ask for what is in them, for as long as it may.
        """
        reader = await self._reader()
        for _ in range(_ATTEMPTS):
            await self._hear(reader)
            if not any(reader.partitions_for_topic(name) for name in names):
                return
            await asyncio.sleep(_PAUSE_S)

    async def _ends(self, places: Sequence[TopicPartition]) -> dict[TopicPartition, int]:
        """Return the offsets after the last records of partitions of one topic."""
        return await self._told((await self._reader()).end_offsets, places)

    async def _firsts(self, places: Sequence[TopicPartition]) -> dict[TopicPartition, int]:
        """Return the offsets of the first records that are kept, of partitions of one topic."""
        return await self._told((await self._reader()).beginning_offsets, places)

    async def _told(
        self,
        ask: Callable[[Sequence[TopicPartition]], Awaitable[dict[TopicPartition, int]]],
        places: Sequence[TopicPartition],
    ) -> dict[TopicPartition, int]:
        """Ask the brokers for offsets; of a topic that is deleted meanwhile they are 0."""
        if not places:
            return {}
        asking = asyncio.ensure_future(ask(places))
        try:
            while not (await asyncio.wait({asking}, timeout=_FRESH_S))[0]:
                if not await self._known_partitions(places[0].topic):
                    return dict.fromkeys(places, 0)
            return asking.result()
        finally:
            asking.cancel()

    async def _reader(self) -> AIOKafkaConsumer:
        """Return a consumer that reads nothing, and so hears of every topic."""
        if self._consumer is None:
            self._consumer = await started_consumer(self._access, _FETCH_BYTES)
        return self._consumer

    async def _writer(self) -> AIOKafkaProducer:
        if self._producer is None:
            await require_brokers(self._access)
            producer = AIOKafkaProducer(**producer_arguments(self._access))
            await producer.start()
            self._producer = producer
        return self._producer

    async def _asker(self) -> AIOKafkaAdminClient:
        if self._admin is None:
            await require_brokers(self._access)
            admin = AIOKafkaAdminClient(**client_arguments(self._access))
            await admin.start()
            self._admin = admin
        return self._admin

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (KafkaError, OSError, TimeoutError) as error:
            raise TransientError(
                f"The Kafka brokers at {self._access.shown} cannot be used now: "
                f"{str(error) or type(error).__name__}"
            ) from error
