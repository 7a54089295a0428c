"""`topics create` and `topics check`: the plan beside what the brokers have."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Final

from contracts.ids import FIRST_GENERATION, Generation
from contracts.reports import TopicLine, TopicsReport
from streams.kafka.access import KafkaAccess
from streams.kafka.admin import alter_topics, create_topics, found_topics
from streams.kafka.topic_plan import (
    TopicFound,
    TopicPlan,
    TopicShape,
    faults,
    kept_days,
    misconfigured,
    planned,
)

_SEEN_S: Final = 10.0  # brokers answer from a copy of what their controller decided
_LOOK_S: Final = 0.2


async def check(
    access: KafkaAccess, shape: TopicShape, generation: Generation = FIRST_GENERATION
) -> TopicsReport:
    """Say which topics there are and what is wrong with them; change nothing.

    Raises:
        TransientError: no broker answers.
        PermanentError: the brokers refuse us.
    """
    plans = planned(access, shape, generation)
    return _report(access, plans, await found_topics(access, _names(plans)))


async def create(
    access: KafkaAccess,
    shape: TopicShape,
    generation: Generation = FIRST_GENERATION,
    *,
    alter: bool = False,
) -> TopicsReport:
    """Make the topics that are missing; with `alter`, set right what the others are told.

    Doing it twice, or two at once, is as doing it once. Partitions are never added: a work's
    events would go on elsewhere, past those that wait.

    Raises:
        TransientError: no broker answers.
        PermanentError: the brokers refuse us, or a topic.
    """
    plans = planned(access, shape, generation)
    found = await found_topics(access, _names(plans))
    missing = [plan for plan in plans if plan.name not in found]
    wrong = [plan for plan in plans if plan.name in found and misconfigured(plan, found[plan.name])]
    await create_topics(access, missing)
    altered = wrong if alter else []
    await alter_topics(access, altered)
    report = _report(access, plans, await _found_altered(access, plans, altered))
    return report.model_copy(
        update={"made": _names(missing), "altered": _names(altered)},
    )


async def _found_altered(
    access: KafkaAccess, plans: Sequence[TopicPlan], altered: Sequence[TopicPlan]
) -> Mapping[str, TopicFound]:
    """Return the topics there are, once the brokers tell what they were told a moment ago."""
    until = time.monotonic() + _SEEN_S
    while True:
        found = await found_topics(access, _names(plans))
        there = [each for each in altered if each.name in found]
        seen = not any(misconfigured(each, found[each.name]) for each in there)
        if seen or time.monotonic() > until:
            return found
        await asyncio.sleep(_LOOK_S)


def _names(plans: Sequence[TopicPlan]) -> tuple[str, ...]:
    return tuple(plan.name for plan in plans)


def _report(
    access: KafkaAccess, plans: Sequence[TopicPlan], found: Mapping[str, TopicFound]
) -> TopicsReport:
    return TopicsReport(
        brokers=access.brokers,
        topics=tuple(
            TopicLine(
                name=name,
                partitions=topic.partitions,
                replication=topic.replication,
                keep_days=kept_days(topic),
            )
            for name, topic in sorted(found.items())
        ),
        faults=tuple(faults(plans, found)),
    )
