"""docs/asyncapi.yaml says what the code does: topics, messages, headers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from asyncapi3 import AsyncAPI3

from contracts.ids import ChapterId
from contracts.ordinals import Ordinal
from contracts.ports import Record
from contracts.schema_export import schemas
from streams.dead_letters import Failure, FailureKind, dead_letter
from streams.identity import Identity
from streams.intakes import ANSWER, EMBED, GRAFT, HIDE, SEGMENT
from streams.kafka.access import KafkaAccess
from streams.kafka.topic_plan import TopicShape, planned

PAGE = Path(__file__).parents[2] / "docs" / "asyncapi.yaml"
DOCUMENT: Any = yaml.safe_load(PAGE.read_text("utf-8"))
MESSAGES: Any = DOCUMENT["components"]["messages"]


def nodes(node: Any) -> Iterator[Any]:
    yield node
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for child in children:
        yield from nodes(child)


REFERENCES = sorted(
    {node["$ref"] for node in nodes(DOCUMENT) if isinstance(node, dict) and "$ref" in node}
)


def resolved(reference: str) -> Any:
    file, _, pointer = reference.partition("#")
    node = json.loads((PAGE.parent / file).read_text("utf-8")) if file else DOCUMENT
    for part in pointer.strip("/").split("/"):
        node = node[part] if part else node
    return node


def schema_file(message: Any) -> str:
    return Path(message["payload"]["schema"]["$ref"]).name


def messages_of(channel: str) -> dict[str, Any]:
    found = DOCUMENT["channels"][channel]["messages"].values()
    return {schema_file(message): message for message in map(resolved, (m["$ref"] for m in found))}


def test_it_is_an_asyncapi_document() -> None:
    assert AsyncAPI3.model_validate(DOCUMENT).asyncapi == "3.0.0"


@pytest.mark.parametrize("reference", REFERENCES)
def test_every_reference_leads_somewhere(reference: str) -> None:
    assert resolved(reference)


def test_the_channels_are_the_topics_as_they_are_made() -> None:
    plans = planned(KafkaAccess(("localhost:9092",)), TopicShape())
    told = {
        channel["address"].format(generation="g1"): channel["bindings"]["kafka"]
        for channel in DOCUMENT["channels"].values()
    }
    assert set(told) == {plan.name for plan in plans}
    for plan in plans:
        kafka = told[plan.name]
        assert (kafka["partitions"], kafka["replicas"]) == (plan.partitions, plan.replication)
        config = kafka["topicConfiguration"] | {"min.insync.replicas": 1}
        config["cleanup.policy"] = ",".join(config["cleanup.policy"])
        assert {key: str(value) for key, value in config.items()} == plan.config


def test_every_schema_of_a_topic_is_that_of_a_message() -> None:
    said = {f"{kind}.json" for kind in ("chapter.published", "chapter.withdrawn", "chapter.moved")}
    said |= {f"{kind}.json" for kind in ("work.reordered", "work.described", "work.withdrawn")}
    assert set(messages_of("chapters")) == said
    for topic in ("scenes", "embedded", "grafts", "parked", "generations", "answers"):
        assert set(messages_of(topic)) == {f"topic.{topic}.json"}
    assert set(messages_of("questions")) == {"question.asked.json"}
    used = {schema_file(message) for message in MESSAGES.values() if "schema" in message["payload"]}
    exported = {name for name in schemas() if name.startswith(("chapter.", "work.", "topic."))}
    assert used == exported | {"question.asked.json"}


@pytest.mark.parametrize(
    "name", [name for name in MESSAGES if "schema" in MESSAGES[name]["payload"]]
)
def test_every_messages_schema_is_the_exported_one(name: str) -> None:
    schema = resolved(MESSAGES[name]["payload"]["schema"]["$ref"])
    assert schema == json.loads(schemas()[schema_file(MESSAGES[name])])
    jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize(
    ("name", "example"),
    [(name, each) for name, message in MESSAGES.items() for each in message.get("examples", ())],
)
def test_every_example_fits_its_schema(name: str, example: Any) -> None:
    schema = resolved(MESSAGES[name]["payload"]["schema"]["$ref"])
    jsonschema.Draft202012Validator(schema).validate(example["payload"])
    assert example["payload"]["kind"] == MESSAGES[name]["name"]


def test_every_kind_that_is_published_has_an_example() -> None:
    for channel in ("chapters", "questions"):
        assert all(message.get("examples") for message in messages_of(channel).values())


def test_the_headers_of_dead_letters_are_those_that_are_written() -> None:
    told = DOCUMENT["components"]["schemas"]["deadLetterHeaders"]
    record = Record("chapters", 7, b"w", b"{}", (), timestamp_ms=0)
    identity = Identity(
        kind="chapter.published",
        work_id="w",
        chapter_id=ChapterId("1"),
        ordinal=Ordinal.parse("1"),
        revision=2,
    )
    failure = Failure(FailureKind.UNFIT, "the body is empty")
    for known in (identity, Identity()):
        letter = dead_letter(record, "segment", failure, known, position=3, now_ms=1)
        headers = {name: value.decode() for name, value in letter.headers}
        jsonschema.Draft202012Validator(told).validate(headers)
        assert set(headers) <= set(told["properties"])
        assert (letter.key, letter.value) == (record.key, record.value)
    properties = told["properties"]
    assert set(properties["storygraft-error-kind"]["enum"]) == set(FailureKind)
    stages = [intake.name for intake in (HIDE, SEGMENT, EMBED, GRAFT, ANSWER)]
    assert properties["storygraft-stage"]["enum"] == stages
