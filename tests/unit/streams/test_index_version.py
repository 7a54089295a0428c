"""What is part of the index version, and what is not: every setting and file is told here."""

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Final

import pytest
from pydantic import SecretStr

import contracts
import graph
import processors
from contracts.index_version import Layer
from graph.placement_weights import WEIGHTS, Weights
from streams.index_version import folding_weights, index_version
from streams.rule_tables import digest_of_file
from streams.settings import Settings

OTHER_WEIGHTS: Final = Path(__file__).with_name("weights.json")
MODEL: Final[Mapping[str, Any]] = {"model": "http://one/v1", "model_name": "one"}
TEACHER: Final[Mapping[str, Any]] = {**MODEL, "segmenter": "litseg"}

SHAPING: Final[Mapping[str, tuple[Layer, Mapping[str, Any], Any]]] = {
    "model_name": (Layer.SEGMENTATION, MODEL, "two"),
    "model_context": (Layer.SEGMENTATION, MODEL, 16_384),
    "temperature": (Layer.SEGMENTATION, MODEL, 0.5),
    "top_p": (Layer.SEGMENTATION, MODEL, 0.5),
    "max_output_tokens": (Layer.SEGMENTATION, MODEL, 4_096),
    "segmenter": (Layer.SEGMENTATION, MODEL, "cohesion"),
    "segment_attempts": (Layer.SEGMENTATION, MODEL, 9),
    "teacher_temperature": (Layer.SEGMENTATION, TEACHER, 0.1),
    "teacher_top_p": (Layer.SEGMENTATION, TEACHER, 0.1),
    "placement_advice": (Layer.TREE, MODEL, "all"),
    "placement_weights": (Layer.TREE, {}, OTHER_WEIGHTS),
}
"""The first layer that a setting shapes, beside which others, and another value of it."""

NOT_SHAPING: Final[Mapping[str, Any]] = {
    "home": Path("elsewhere"),
    "log": "memory:",
    "vectors": "memory:",
    "graph": "memory:",
    "memo": "memory:",
    "graph_user": "somebody",
    "graph_password": SecretStr("secret"),
    "graph_database": "other",
    "generation": "g7",
    "reindex_share": 0.25,
    "max_body_bytes": 5_000,
    "owner_idle_s": 5,
    "words": 7,
    "model": "http://two/v1",
    "model_key": SecretStr("secret"),
    "model_timeout_s": 9.0,
    "model_concurrency": 2,
    "max_tokens": 5,
    "max_tokens_per_day": 5,
    "max_tokens_per_work": 5,
    "price_input": 5.0,
    "price_output": 5.0,
    "currency": "EUR",
    "segment_ahead": 2,
    "kafka_user": "somebody",
    "kafka_password": SecretStr("secret"),
    "kafka_mechanism": "PLAIN",
    "kafka_ca": Path(__file__),
    "kafka_cert": Path(__file__),
    "kafka_key": Path(__file__),
    "topic_prefix": "ours.",
    "topic_partitions": 3,
    "topic_replication": 3,
    "topic_keep_days": 3,
}
"""Another value of each setting that leaves the index as it is."""

PACKAGED: Final[Mapping[str, tuple[Layer, Mapping[str, Any]]]] = {
    "boundaries.json": (Layer.SEGMENTATION, {}),
    "common_components.json": (Layer.EMBEDDING, {}),
    "litseg_lite.txt": (Layer.SEGMENTATION, MODEL),
    "litseg.txt": (Layer.SEGMENTATION, TEACHER),
    "litseg_events.txt": (Layer.SEGMENTATION, TEACHER),
    "litseg_threads.txt": (Layer.SEGMENTATION, TEACHER),
    "litseg_turning_points.txt": (Layer.SEGMENTATION, TEACHER),
    "placement.txt": (Layer.TREE, MODEL),
}
"""The layer that holds a digest of each packaged file, and under which settings."""

IN_PARTS: Final = {"placement.json"}
"""Stands in the version number by number."""

OF_ANSWERS: Final = {
    "channels.json", "clues.json",
    "walk.txt", "walk_conclude.txt", "walk_look.txt", "walk_step.txt",
}  # fmt: skip
"""Shape how a question is answered; nothing of them is kept in an index."""


def unchecked(values: Mapping[str, Any]) -> Settings:
    """Return settings that need not fit each other, such as a password without a user."""
    return Settings().model_copy(update=dict(values))


def test_every_setting_is_declared() -> None:
    assert SHAPING.keys() | NOT_SHAPING.keys() == set(Settings.model_fields)
    assert not SHAPING.keys() & NOT_SHAPING.keys()


@pytest.mark.parametrize("name", SHAPING)
def test_a_setting_that_shapes_a_layer_makes_another_version(name: str) -> None:
    layer, beside, other = SHAPING[name]

    before, after = (
        index_version(unchecked(beside)),
        index_version(unchecked({**beside, name: other})),
    )

    assert before.first_change(after) is layer
    assert before.digest != after.digest
    assert before.differences(after)


@pytest.mark.parametrize("name", NOT_SHAPING)
@pytest.mark.parametrize("beside", [{}, MODEL, TEACHER], ids=["none", "model", "teacher"])
def test_a_setting_that_shapes_nothing_leaves_the_version(
    name: str, beside: Mapping[str, Any]
) -> None:
    if name == "model" and not beside:
        return  # to have a model at all is another segmenter

    changed = unchecked({**beside, name: NOT_SHAPING[name]})

    assert getattr(changed, name) != getattr(unchecked(beside), name)
    assert index_version(changed) == index_version(unchecked(beside))


@pytest.mark.parametrize(
    "name", ["temperature", "top_p", "teacher_temperature", "model_context", "segment_attempts"]
)
def test_what_no_model_is_told_shapes_nothing_without_one(name: str) -> None:
    assert index_version(unchecked({name: SHAPING[name][2]})) == index_version(Settings())


def test_a_model_that_is_asked_for_the_tree_alone_changes_the_tree_alone() -> None:
    cohesion = {**MODEL, "segmenter": "cohesion"}

    change = index_version(Settings()).first_change(index_version(unchecked(cohesion)))
    unasked = index_version(unchecked({**cohesion, "placement_advice": "none"}))

    assert change is Layer.TREE
    assert unasked == index_version(Settings())


def test_weights_count_by_what_they_are_and_not_by_where_they_are_written(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text(json.dumps(asdict(WEIGHTS)))

    mine = index_version(Settings(placement_weights=tmp_path / "mine.json"))

    assert mine == index_version(Settings())


@pytest.mark.parametrize("weight", [each.name for each in fields(Weights)])
def test_each_weight_is_part_of_the_tree(weight: str, tmp_path: Path) -> None:
    table = asdict(WEIGHTS)
    table[weight] += 1
    (tmp_path / "mine.json").write_text(json.dumps(table))

    mine = index_version(Settings(placement_weights=tmp_path / "mine.json"))

    assert index_version(Settings()).differences(mine) == (
        f"tree: weight_{weight} {table[weight] - 1} -> {table[weight]}",
    )


def test_the_weights_of_a_version_are_those_that_it_was_made_with() -> None:
    for settings in (Settings(), unchecked(MODEL), Settings(placement_weights=OTHER_WEIGHTS)):
        assert folding_weights(index_version(settings)) == settings.weights


@pytest.mark.parametrize(
    ("told", "otherwise"),
    [("rules=", "rules=0"), ("capacity=", "capacity=7"), ("weight_fits=", "weight_fits=much")],
)
def test_a_version_that_folds_otherwise_has_no_weights_for_us(told: str, otherwise: str) -> None:
    version = index_version(Settings())
    lines = [otherwise if line.startswith(told) else line for line in version.tree.splitlines()]

    assert folding_weights(version.model_copy(update={"tree": "\n".join(lines)})) is None
    assert folding_weights(version.model_copy(update={"tree": ""})) is None


def test_every_packaged_file_is_declared() -> None:
    found = {
        path.name
        for package in (contracts, processors, graph)
        for folder in ("tables", "prompts")
        for path in (Path(package.__path__[0]) / folder).glob("*")
        if path.is_file() and path.suffix != ".py"
    }

    assert found == PACKAGED.keys() | IN_PARTS | OF_ANSWERS


@pytest.mark.parametrize("name", PACKAGED)
def test_a_layer_holds_a_digest_of_every_byte_of_its_files(name: str, tmp_path: Path) -> None:
    layer, settings = PACKAGED[name]
    (file,) = (
        path for package in (processors, graph) for path in Path(package.__path__[0]).rglob(name)
    )
    changed = tmp_path / name
    changed.write_bytes(file.read_bytes() + b" ")

    told = index_version(unchecked(settings)).layer(layer).splitlines()

    assert f"{name}={digest_of_file(file)}" in told
    assert digest_of_file(changed) != digest_of_file(file)
