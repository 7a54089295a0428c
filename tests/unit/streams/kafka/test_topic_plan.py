"""Which topics there are, and what is said of those that are not as they must be."""

from dataclasses import replace

import pytest

from contracts.ids import Generation
from streams.kafka.access import KafkaAccess
from streams.kafka.topic_plan import TopicFound, TopicPlan, TopicShape, faults, planned

ACCESS = KafkaAccess(("a:9092",), prefix="acme.")


def as_planned(plan: TopicPlan) -> TopicFound:
    return TopicFound(plan.partitions, plan.replication, dict(plan.config))


def said_of(plan: TopicPlan, found: TopicFound) -> list[str]:
    return list(faults([plan], {plan.name: found}))


def plan_of(name: str, shape: TopicShape = TopicShape()) -> TopicPlan:  # noqa: B008 - frozen
    return next(plan for plan in planned(ACCESS, shape) if plan.name == f"acme.{name}")


def test_every_topic_of_a_generation_and_its_dead_letters() -> None:
    names = [plan.name.removeprefix("acme.") for plan in planned(ACCESS, TopicShape())]
    assert names == [
        "answers",
        "chapters",
        "chapters.dlq",
        "embedded.g1",
        "embedded.g1.dlq",
        "generations",
        "grafts.g1",
        "parked.g1",
        "questions",
        "questions.dlq",
        "scenes.g1",
        "scenes.g1.dlq",
    ]
    second = {plan.name for plan in planned(ACCESS, TopicShape(), Generation("g2"))}
    assert {"acme.chapters", "acme.scenes.g2", "acme.scenes.g2.dlq"} <= second


@pytest.mark.parametrize("name", ["chapters", "scenes.g1", "embedded.g1", "chapters.dlq"])
def test_what_replay_reads_is_kept_without_limit_or_as_long_as_was_said(name: str) -> None:
    assert plan_of(name).config["retention.ms"] == "-1"
    assert plan_of(name, TopicShape(keep_days=2)).config["retention.ms"] == "172800000"


@pytest.mark.parametrize("name", ["parked.g1", "generations"])
def test_a_pause_and_a_generation_have_no_end(name: str) -> None:
    assert plan_of(name, TopicShape(keep_days=2)).config["retention.ms"] == "-1"


@pytest.mark.parametrize("plan", planned(ACCESS, TopicShape(3, 3)), ids=lambda plan: plan.name)
def test_no_topic_compacts_and_each_takes_large_messages(plan: TopicPlan) -> None:
    assert plan.config["cleanup.policy"] == "delete"
    letters = plan.name.endswith(".dlq")  # a record, however large, and its headers
    assert plan.config["max.message.bytes"] == str((16 * 1024 + 64 * letters) * 1024)
    assert plan.replication == 3
    assert plan.config["min.insync.replicas"] == "2"
    assert plan.partitions == (
        1 if letters or plan.name.split(".")[1] in ("parked", "generations") else 3
    )


def test_topics_as_planned_have_no_faults() -> None:
    plans = planned(ACCESS, TopicShape())
    assert not list(faults(plans, {plan.name: as_planned(plan) for plan in plans}))


def test_a_missing_topic_is_named_with_the_command_that_makes_it() -> None:
    plan = plan_of("questions")
    assert list(faults([plan], {})) == [
        "There is no topic acme.questions: run `storygraft topics create`."
    ]


def test_other_partitions_are_named_with_why_they_must_not_be_added() -> None:
    plan = plan_of("chapters")
    (said,) = said_of(plan, replace(as_planned(plan), partitions=3))
    assert "acme.chapters has 3 partitions, not 8" in said
    assert "topic_partitions" in said


def test_fewer_replicas_are_a_fault_and_more_are_none() -> None:
    plan = plan_of("chapters", TopicShape(replication=3))
    (said,) = said_of(plan, replace(as_planned(plan), replication=1))
    assert "kept by 1 of the brokers, not by 3" in said
    assert not said_of(plan, replace(as_planned(plan), replication=5))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("cleanup.policy", "compact"),
        ("cleanup.policy", "compact,delete"),
        ("retention.ms", "604800000"),
        ("retention.bytes", "1000000"),
        ("max.message.bytes", "1048588"),
        ("min.insync.replicas", ""),
    ],
)
def test_each_setting_that_does_less_is_named(key: str, value: str) -> None:
    plan = plan_of("chapters")
    (said,) = said_of(plan, replace(as_planned(plan), config={**plan.config, key: value}))
    assert f"acme.chapters has {key}={value} where {plan.config[key]} is needed" in said
    assert "topics create --alter" in said


@pytest.mark.parametrize(
    ("key", "value"), [("retention.ms", "-1"), ("max.message.bytes", "99999999")]
)
def test_a_setting_that_does_more_is_no_fault(key: str, value: str) -> None:
    plan = plan_of("chapters", TopicShape(keep_days=1))
    assert not said_of(plan, replace(as_planned(plan), config={**plan.config, key: value}))
