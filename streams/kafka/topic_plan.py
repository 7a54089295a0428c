"""Which topics there are, how each is to be made, and what is wrong with those that are there.

Pure: it thinks about what `streams.kafka.admin` reads and does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from contracts import topics
from contracts.ids import FIRST_GENERATION, Generation
from streams.kafka.access import KafkaAccess
from streams.message_sizes import MAX_MESSAGE_BYTES, ROOM_FOR_HEADERS

_FOR_EVER: Final = -1
_DAY_MS: Final = 86_400_000
_PASSING_MS: Final = 30 * _DAY_MS  # an answer that nobody fetched in a month is not missed

_KEPT: Final = (topics.CHAPTERS, topics.SCENES, topics.EMBEDDED)
"""A rebuild reads them again."""

_PASSING: Final = (topics.GRAFTS, topics.QUESTIONS, topics.ANSWERS)
_READ: Final = (*_KEPT, topics.QUESTIONS)
"""What stages read, and so may find unfit."""

_CLEANUP: Final = "cleanup.policy"
_RETENTION: Final = "retention.ms"
_SIZE: Final = "retention.bytes"
_LIMIT: Final = "max.message.bytes"
_SAFE: Final = "min.insync.replicas"
CHECKED: Final = (_CLEANUP, _RETENTION, _SIZE, _LIMIT, _SAFE)


@dataclass(frozen=True, slots=True)
class TopicShape:
    """What an operator decides. `keep_days` 0 keeps what replay reads without limit."""

    partitions: int = 8
    replication: int = 1
    keep_days: int = 0


@dataclass(frozen=True, slots=True)
class TopicPlan:
    """A topic as it is to be; `config` is in Kafka's own words."""

    name: str
    partitions: int
    replication: int
    config: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class TopicFound:
    """A topic as it is, with what of `CHECKED` applies to it, defaults included."""

    partitions: int
    replication: int
    config: Mapping[str, str]


def planned(
    access: KafkaAccess, shape: TopicShape, generation: Generation = FIRST_GENERATION
) -> tuple[TopicPlan, ...]:
    """Return every topic of the path of a chapter and of a question, by name."""
    kept = shape.keep_days * _DAY_MS or _FOR_EVER
    rows = [
        *(_named(topic, generation, shape.partitions, kept) for topic in _KEPT),
        *(_named(topic, generation, shape.partitions, _PASSING_MS) for topic in _PASSING),
        # For ever, whatever the operator keeps: a pause has no end, and a generation is told of
        # once. Both are small and hold no text.
        _named(topics.PARKED, generation, 1, _FOR_EVER),
        _named(topics.GENERATIONS, generation, 1, _FOR_EVER),
        *(_letters_of(topic, generation, kept) for topic in _READ),
    ]
    return tuple(
        TopicPlan(
            name=access.topic(row.name),
            partitions=row.partitions,
            replication=shape.replication,
            config=_config(row, shape),
        )
        for row in sorted(rows, key=lambda row: row.name)
    )


@dataclass(frozen=True, slots=True)
class _Row:
    """What the kinds of topics differ in."""

    name: str
    partitions: int
    retention_ms: int
    max_bytes: int


def _named(topic: str, generation: Generation, partitions: int, retention_ms: int) -> _Row:
    name = topics.physical(topic, generation)
    return _Row(name, partitions, retention_ms, MAX_MESSAGE_BYTES)


def _letters_of(topic: str, generation: Generation, retention_ms: int) -> _Row:
    name = topics.dead_letters(topics.physical(topic, generation))
    return _Row(name, 1, retention_ms, MAX_MESSAGE_BYTES + ROOM_FOR_HEADERS)


def _config(row: _Row, shape: TopicShape) -> dict[str, str]:
    return {
        _CLEANUP: "delete",
        _RETENTION: str(row.retention_ms),
        _SIZE: "-1",
        _LIMIT: str(row.max_bytes),
        # What two of three brokers have outlives one of them, and one may be away.
        _SAFE: "2" if shape.replication > 2 else "1",
    }


def faults(plans: Sequence[TopicPlan], found: Mapping[str, TopicFound]) -> Iterator[str]:
    """Yield one sentence a fault: what is wrong, and what to do."""
    for plan in plans:
        topic = found.get(plan.name)
        if topic is None:
            yield f"There is no topic {plan.name}: run `storygraft topics create`."
        else:
            yield from _faults_of(plan, topic)


def _faults_of(plan: TopicPlan, topic: TopicFound) -> Iterator[str]:
    if topic.partitions != plan.partitions:
        yield (
            f"{plan.name} has {topic.partitions} partitions, not {plan.partitions}: set "
            "topic_partitions to what is there (more of them would break the order of a work's "
            "events), or topic_prefix to begin with new topics."
        )
    if topic.replication < plan.replication:
        yield (
            f"{plan.name} is kept by {topic.replication} of the brokers, not by "
            f"{plan.replication}: move its partitions with `kafka-reassign-partitions.sh`, or set "
            "topic_replication to what is there."
        )
    for key in misconfigured(plan, topic):
        yield (
            f"{plan.name} has {key}={topic.config.get(key, '')} where {plan.config[key]} is "
            f"needed ({_WHY[key]}): run `storygraft topics create --alter`."
        )


_WHY: Final = {
    _CLEANUP: "a compacted topic forgets all but a work's last event",
    _RETENTION: "what is kept for less is lost to replay",
    _SIZE: "a topic that is full forgets its first events",
    _LIMIT: "scenes and dead letters are larger than their chapter",
    _SAFE: "an acknowledged event must outlive a broker",
}


def misconfigured(plan: TopicPlan, topic: TopicFound) -> tuple[str, ...]:
    """Return which of the topic's settings do less than the plan's; more is no fault."""
    return tuple(
        key for key in CHECKED if not _does(key, topic.config.get(key, ""), plan.config[key])
    )


def _does(key: str, value: str, wanted: str) -> bool:
    if key == _CLEANUP:
        return value == wanted
    if not _is_number(value):
        return False
    if key in (_RETENTION, _SIZE):
        return int(value) == _FOR_EVER or _FOR_EVER < int(wanted) <= int(value)
    return int(value) >= int(wanted)


def kept_days(topic: TopicFound) -> float | None:
    """Return how many days the topic's events are kept, None if without limit."""
    retention = topic.config.get(_RETENTION, "")
    if not _is_number(retention) or int(retention) == _FOR_EVER:
        return None
    return int(retention) / _DAY_MS


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdecimal()
