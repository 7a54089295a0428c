"""A producer whose records arrive in order, acknowledged by every broker that keeps them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final

from aiokafka import AIOKafkaProducer, errors

from contracts.errors import PermanentError, TransientError
from contracts.ports import NewRecord
from streams.kafka.access import KafkaAccess
from streams.kafka.arguments import producer_arguments
from streams.kafka.probing import require_brokers
from streams.message_sizes import size_of

# So much is on its way at once, and so in memory: enough to keep a broker busy.
_MOST_BYTES: Final = 32_000_000
_MOST_RECORDS: Final = 2_000

_BATCH_BYTES: Final = 1_000_000  # a batch is one request, and a chapter has 20 KB


class RecordProducer:
    """Sends records to `access.topic(record.topic)`; those of one key arrive in order, once each.

    Once a call raises, the producer is of no more use: what came after the failed record may have
    arrived. Sending everything again is harmless to whoever reads by our contracts.
    """

    def __init__(self, access: KafkaAccess, producer: AIOKafkaProducer) -> None:
        self._access = access
        self._producer = producer
        self._waiting: deque[tuple[asyncio.Future[object], int]] = deque()
        self._bytes = 0
        self.acknowledged = 0

    async def send(self, record: NewRecord) -> None:
        """Take one record; waits while too much is on its way.

        Raises:
            TransientError: brokers do not answer any more.
            PermanentError: they refuse a record, this or one before.
        """
        size = size_of(record)
        while self._waiting and self._is_full(size):
            await self._oldest()
        with translated(self._access):
            future = await self._producer.send(
                self._access.topic(record.topic),
                value=record.value,
                key=record.key,
                headers=list(record.headers),
            )
        self._waiting.append((future, size))
        self._bytes += size

    async def settle(self) -> None:
        """Return once everything that was taken is acknowledged. Raises as `send` does."""
        while self._waiting:
            await self._oldest()

    def _is_full(self, more: int) -> bool:
        return len(self._waiting) >= _MOST_RECORDS or self._bytes + more > _MOST_BYTES

    async def _oldest(self) -> None:
        future, size = self._waiting.popleft()
        self._bytes -= size
        with translated(self._access):
            await future
        self.acknowledged += 1

    def give_up(self) -> None:
        """Forget what is on its way; its fate is not reported."""
        for future, _ in self._waiting:
            future.add_done_callback(_looked_at)
        self._waiting.clear()


def _looked_at(future: asyncio.Future[object]) -> None:
    if not future.cancelled():
        future.exception()


@asynccontextmanager
async def record_producer(access: KafkaAccess) -> AsyncIterator[RecordProducer]:
    """Connect a producer; what it has taken is sent before it is closed.

    Raises:
        TransientError: no broker answers.
        PermanentError: the brokers refuse us.
    """
    await require_brokers(access)
    client = AIOKafkaProducer(**producer_arguments(access), max_batch_size=_BATCH_BYTES)
    producer = RecordProducer(access, client)
    try:
        with translated(access):
            await client.start()
        yield producer
        await producer.settle()
    finally:
        producer.give_up()
        await client.stop()


@contextmanager
def translated(access: KafkaAccess) -> Iterator[None]:
    """Turn what a client of the brokers raises into one of our two errors."""
    try:
        yield
    except errors.MessageSizeTooLargeError as error:
        raise PermanentError(
            "A topic takes no message so large: run `storygraft topics check`, which says what to "
            "set right."
        ) from error
    except (errors.TopicAuthorizationFailedError, errors.ClusterAuthorizationFailedError) as error:
        raise PermanentError(
            "The Kafka user may not write to our topics: give it the right, or look at kafka_user "
            "and topic_prefix."
        ) from error
    except errors.KafkaError as error:
        if _may_heal(error):
            raise TransientError(
                f"The Kafka brokers at {access.shown} do not answer any more "
                f"({type(error).__name__}): run it again when they do."
            ) from error
        raise PermanentError(
            f"The Kafka brokers at {access.shown} refuse this ({type(error).__name__}: {error}): "
            "run `storygraft topics check`."
        ) from error


def _may_heal(error: errors.KafkaError) -> bool:
    """Say whether a new producer may fare better: waiting helps, or a broker has lost our past."""
    heal = (errors.KafkaTimeoutError, errors.OutOfOrderSequenceNumber, errors.UnknownProducerId)
    return bool(error.retriable) or isinstance(error, heal)
