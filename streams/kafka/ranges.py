"""Reads what lies in one partition between two offsets, by a consumer of no group."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, TopicPartition

from contracts.ports import Record
from streams.kafka.access import KafkaAccess
from streams.kafka.arguments import client_arguments
from streams.kafka.probing import require_brokers

_POLL_MS: Final = 1_000
_FETCH_WAIT_MS: Final = 10  # what is read is there; a fetch of more would hold up the next range


async def started_consumer(access: KafkaAccess, fetch_bytes: int) -> AIOKafkaConsumer:
    """Return a connected consumer of no group that fetches so much of a partition at once.

    Raises:
        TransientError: no broker answers.
        PermanentError: the brokers refuse us.
    """
    await require_brokers(access)
    consumer = AIOKafkaConsumer(
        **client_arguments(access),
        enable_auto_commit=False,
        auto_offset_reset="earliest",
        max_partition_fetch_bytes=fetch_bytes,
        fetch_max_wait_ms=_FETCH_WAIT_MS,
    )
    await consumer.start()
    return consumer


class RangeReader:
    """Reads ranges, one after the other: a consumer has one place in a partition.

    It connects at its first use. A record larger than `fetch_bytes` comes alone.
    """

    def __init__(self, access: KafkaAccess, fetch_bytes: int) -> None:
        self._access = access
        self._fetch_bytes = fetch_bytes
        self._consumer: AIOKafkaConsumer | None = None
        self._reading = asyncio.Lock()

    async def read(
        self, topic: str, place: TopicPartition, start: int, end: int
    ) -> AsyncGenerator[Record, None]:
        """Yield the records from `start` to before `end`, as far as they are kept.

        Who does not read to the end closes it.

        Raises:
            KafkaError, OSError: the brokers cannot be used.
        """
        async with self._reading:
            if self._consumer is None:
                self._consumer = await started_consumer(self._access, self._fetch_bytes)
            first = (await self._consumer.beginning_offsets([place]))[place]
            at = max(start, first)
            if at >= end:
                return
            self._consumer.assign([place])
            self._consumer.seek(place, at)
            try:
                while at < end:
                    fetched = await self._consumer.getmany(place, timeout_ms=_POLL_MS)
                    for found in fetched.get(place, ()):
                        if found.offset < end:
                            yield _record(topic, found)
                    # Marks of transactions take offsets and bring no record.
                    at = await self._consumer.position(place)
            finally:
                self._consumer.unsubscribe()  # else it would fetch on, for nobody

    async def close(self) -> None:
        """Disconnect; a later use connects anew."""
        if self._consumer is not None:
            await self._consumer.stop()
        self._consumer = None


def _record(topic: str, found: Any) -> Record:
    return Record(
        topic=topic,
        offset=found.offset,
        key=found.key,
        value=found.value,
        headers=tuple((name, value or b"") for name, value in found.headers),
        timestamp_ms=found.timestamp,
        partition=found.partition,
    )
