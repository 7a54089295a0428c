"""`topics create` and `topics check` on a real broker."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from contracts.errors import PermanentError
from streams.kafka import topics
from streams.kafka.access import KafkaAccess, brokers_of
from streams.kafka.admin import alter_topics, create_topics, found_topics, require_topics
from streams.kafka.topic_plan import TopicShape, planned

pytestmark = pytest.mark.real

SHAPE = TopicShape(partitions=2)


@pytest.fixture
def access(kafka_url: str, request: pytest.FixtureRequest) -> KafkaAccess:
    return KafkaAccess(brokers_of(kafka_url), prefix=f"{request.node.name}.")


async def test_topics_are_made_once_and_are_then_as_they_must_be(access: KafkaAccess) -> None:
    before = await topics.check(access, SHAPE)
    assert not before.topics
    assert len(before.faults) == 12
    assert before.faults[0] == (
        f"There is no topic {access.prefix}answers: run `storygraft topics create`."
    )
    with pytest.raises(PermanentError, match=r"have no topic .*chapters: run `storygraft topics"):
        await require_topics(access, [access.topic("chapters")])

    made = await topics.create(access, SHAPE)
    assert len(made.made) == 12
    assert not made.faults
    again = await topics.create(access, SHAPE)
    assert not again.made
    assert again.topics == made.topics == (await topics.check(access, SHAPE)).topics
    await require_topics(access, [access.topic("chapters")])
    by_name = {line.name.removeprefix(access.prefix): line for line in made.topics}
    assert by_name["chapters"].partitions == 2
    assert by_name["chapters"].keep_days is None
    assert by_name["grafts.g1"].keep_days == 30
    assert by_name["scenes.g1.dlq"].partitions == 1


async def test_two_who_make_the_topics_at_once_make_them_once(access: KafkaAccess) -> None:
    first, second = await asyncio.gather(*(topics.create(access, SHAPE) for _ in range(2)))
    assert not first.faults
    assert first.topics == second.topics


async def test_what_is_wrong_is_said_and_set_right_only_when_asked(access: KafkaAccess) -> None:
    wrong = [
        replace(plan, config={"cleanup.policy": "compact", "max.message.bytes": "1000012"})
        if plan.name.endswith(".chapters")
        else plan
        for plan in planned(access, SHAPE)
    ]
    await create_topics(access, wrong)
    said = (await topics.create(access, SHAPE)).faults
    assert len(said) == 3  # and the broker's own retention of a week
    assert all("topics create --alter" in fault for fault in said)
    altered = await topics.create(access, SHAPE, alter=True)
    assert altered.altered == (access.topic("chapters"),)
    assert not altered.faults


async def test_partitions_are_never_added(access: KafkaAccess) -> None:
    await topics.create(access, SHAPE)
    report = await topics.create(access, TopicShape(partitions=3), alter=True)
    assert "chapters has 2 partitions, not 3" in " ".join(report.faults)
    found = await found_topics(access, [access.topic("chapters")])
    assert found[access.topic("chapters")].partitions == 2


async def test_more_replicas_than_brokers_are_refused_in_one_sentence(access: KafkaAccess) -> None:
    with pytest.raises(PermanentError, match=r"refuse to make .*replic") as refused:
        await topics.create(access, TopicShape(replication=3))
    assert "\n" not in str(refused.value)


async def test_a_setting_that_kafka_does_not_take_is_refused(access: KafkaAccess) -> None:
    await topics.create(access, SHAPE)
    (plan,) = (plan for plan in planned(access, SHAPE) if plan.name == access.topic("chapters"))
    with pytest.raises(PermanentError, match=r"refuse to set .*chapters right"):
        await alter_topics(access, [replace(plan, config={"retention.ms": "for ever"})])
