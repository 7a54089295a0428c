"""What is asked of the brokers themselves: which topics there are, made and set right.

kafka-python, in a thread of its own: it waits, where everything else of ours does not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, TypeVar

from kafka import KafkaAdminClient, OffsetAndMetadata, TopicPartition, errors
from kafka.admin import ConfigResource, ConfigResourceType

from contracts.errors import PermanentError, TransientError
from streams.kafka.access import KafkaAccess
from streams.kafka.arguments import client_arguments
from streams.kafka.probing import require_brokers
from streams.kafka.topic_plan import CHECKED, TopicFound, TopicPlan

_REQUEST_MS: Final = 30_000
_DONE: Final = "OK"

_R = TypeVar("_R")


async def found_topics(access: KafkaAccess, names: Collection[str]) -> dict[str, TopicFound]:
    """Return those of the topics that there are.

    Raises:
        TransientError: no broker answers.
        PermanentError: the brokers refuse us.
    """
    return await _asked(access, lambda client: _found(client, names))


async def create_topics(access: KafkaAccess, plans: Sequence[TopicPlan]) -> None:
    """Make the topics and return when each has its leaders; one that is there is left as it is.

    Raises:
        TransientError: no broker answers.
        PermanentError: the brokers refuse us, or a topic.
    """
    if plans:
        await _asked(access, lambda client: _create(client, plans))


async def alter_topics(access: KafkaAccess, plans: Sequence[TopicPlan]) -> None:
    """Give the topics the plans' configuration.

    Raises:
        TransientError: no broker answers.
        PermanentError: the brokers refuse us, or a setting.
    """
    if plans:
        await _asked(access, lambda client: _alter(client, plans))


async def set_positions(
    access: KafkaAccess, group: str, offsets: Mapping[tuple[str, int], int]
) -> None:
    """Set from where a group without members reads each (topic, partition).

    Raises:
        TransientError: no broker answers, or the group has members.
        PermanentError: the brokers refuse us.
    """
    if offsets:
        await _asked(access, lambda client: _set_positions(client, group, offsets))


async def remove_groups(access: KafkaAccess, groups: Collection[str]) -> None:
    """Delete the groups with their positions; one that is not there is no error.

    Raises:
        TransientError: no broker answers, or a group has members: some of the others are gone.
        PermanentError: the brokers refuse us.
    """
    if groups:
        await _asked(access, lambda client: _remove_groups(client, groups))


async def remove_topics(access: KafkaAccess, names: Collection[str]) -> None:
    """Delete the topics with all their records; one that is not there is no error.

    Raises:
        TransientError: no broker answers.
        PermanentError: the brokers refuse us.
    """
    if names:
        await _asked(access, lambda client: _remove_topics(client, names))


async def require_topics(access: KafkaAccess, names: Collection[str]) -> None:
    """Return if the brokers let us in and have all of the topics.

    Raises:
        TransientError: no broker answers.
        PermanentError: the brokers refuse us, or a topic is missing; the text says what to do.
    """
    missing = sorted(set(names) - (await found_topics(access, names)).keys())
    if missing:
        raise PermanentError(
            f"The brokers at {access.shown} have no topic {', '.join(missing)}: run `storygraft "
            "topics create`, or look at topic_prefix."
        )


async def _asked(access: KafkaAccess, ask: Callable[[KafkaAdminClient], _R]) -> _R:
    await require_brokers(access)

    def run() -> _R:
        with _translated(access):
            client = KafkaAdminClient(**client_arguments(access), request_timeout_ms=_REQUEST_MS)
            try:
                return ask(client)
            finally:
                client.close()

    return await asyncio.to_thread(run)


def _found(client: KafkaAdminClient, names: Collection[str]) -> dict[str, TopicFound]:
    described = {
        topic["name"]: topic["partitions"]
        for topic in client.describe_topics(sorted(names))
        if _is_there(topic["error_code"])
    }
    configs = _configs(client, described)
    return {
        name: TopicFound(
            partitions=len(partitions),
            replication=min((len(part["replica_nodes"]) for part in partitions), default=0),
            config=configs[name],
        )
        for name, partitions in described.items()
    }


def _is_there(error_code: int) -> bool:
    if error_code == errors.UnknownTopicOrPartitionError.errno:
        return False
    if error_code:
        raise errors.for_code(error_code)
    return True


def _configs(client: KafkaAdminClient, names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return what of `CHECKED` applies to each of the topics."""
    wanted = [ConfigResource(ConfigResourceType.TOPIC, name, list(CHECKED)) for name in names]
    if not wanted:
        return {}
    found = client.describe_configs(wanted, config_filter="all")["topic"]
    return {
        name: {key: entry["value"] for key, entry in entries.items()}
        for name, entries in found.items()
    }


def _create(client: KafkaAdminClient, plans: Sequence[TopicPlan]) -> None:
    wanted = {
        plan.name: {
            "num_partitions": plan.partitions,
            "replication_factor": plan.replication,
            "configs": dict(plan.config),
        }
        for plan in plans
    }
    made = client.create_topics(wanted, raise_errors=False)["topics"]
    for topic in made:
        if topic["error_code"] not in (0, errors.TopicAlreadyExistsError.errno):
            raise PermanentError(
                f"The brokers refuse to make {topic['name']}: "
                f"{topic['error_message'] or errors.for_code(topic['error_code']).__name__}"
            )
    client.wait_for_topics(list(wanted), timeout_ms=_REQUEST_MS)


def _alter(client: KafkaAdminClient, plans: Sequence[TopicPlan]) -> None:
    wanted = [
        ConfigResource(ConfigResourceType.TOPIC, plan.name, dict(plan.config)) for plan in plans
    ]
    for name, said in client.alter_configs(wanted)["topic"].items():
        if said != _DONE:
            raise PermanentError(f"The brokers refuse to set {name} right: {said}")


def _set_positions(
    client: KafkaAdminClient, group: str, offsets: Mapping[tuple[str, int], int]
) -> None:
    wanted = {
        TopicPartition(topic, partition): OffsetAndMetadata(offset, "", -1)
        for (topic, partition), offset in offsets.items()
    }
    for error in client.alter_group_offsets(group, wanted).values():
        if error is not errors.NoError:
            raise TransientError(
                f"The position of the group {group} cannot be set ({error.__name__}): stop the "
                "workers that are its members, then try again."
            )


def _remove_groups(client: KafkaAdminClient, groups: Collection[str]) -> None:
    for group, said in client.delete_groups(sorted(groups)).items():
        if said not in (_DONE, errors.GroupIdNotFoundError.__name__):
            raise TransientError(
                f"The group {group} cannot be deleted ({said}): stop the workers that are its "
                "members, then try again."
            )


def _remove_topics(client: KafkaAdminClient, names: Collection[str]) -> None:
    said = client.delete_topics(sorted(names), raise_errors=False)
    for topic in said["topics"]:
        code = topic["error_code"]
        if code not in (0, errors.UnknownTopicOrPartitionError.errno):
            raise errors.for_code(code)(topic["name"])


@contextmanager
def _translated(access: KafkaAccess) -> Iterator[None]:
    try:
        yield
    except errors.AuthorizationError as error:
        raise PermanentError(
            f"The Kafka user may not do this to our topics ({type(error).__name__}): give it the "
            "right to describe, read and write them, and for `topics create` to create and alter."
        ) from error
    except errors.KafkaError as error:
        if error.retriable:
            raise TransientError(
                f"The Kafka brokers at {access.shown} do not answer now ({type(error).__name__})."
            ) from error
        raise PermanentError(
            f"The Kafka brokers at {access.shown} refuse this: {type(error).__name__}."
        ) from error
