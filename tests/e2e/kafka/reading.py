"""What lies in a topic, read to its end."""

from __future__ import annotations

import asyncio

from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition

from streams.kafka.access import KafkaAccess
from streams.kafka.arguments import client_arguments


async def records_of(access: KafkaAccess, topic: str) -> list[ConsumerRecord]:
    """Return every record of the topic, partition after partition, in order of offset."""
    consumer = AIOKafkaConsumer(**client_arguments(access), enable_auto_commit=False)
    await consumer.start()
    try:
        name = access.topic(topic)
        await consumer._client._wait_on_metadata(name)
        parts = [TopicPartition(name, part) for part in consumer.partitions_for_topic(name) or ()]
        consumer.assign(parts)
        await consumer.seek_to_beginning()
        ends = await consumer.end_offsets(parts)
        found: list[ConsumerRecord] = []
        while [part for part in parts if await consumer.position(part) < ends[part]]:
            for records in (await consumer.getmany(timeout_ms=1_000)).values():
                found += records
        return sorted(found, key=lambda record: (record.partition, record.offset))
    finally:
        await consumer.stop()


async def arrived(access: KafkaAccess, topic: str, count: int) -> list[ConsumerRecord]:
    """Wait until the topic has `count` records, and return all of them."""
    async with asyncio.timeout(60):
        while True:
            records = await records_of(access, topic)
            if len(records) >= count:
                return records
            await asyncio.sleep(0.1)
