"""A table of weights is read once, and one that is none is refused with what is wrong with it."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from graph.placement_weights import WEIGHTS, WEIGHTS_FILE, read_weights

SHIPPED: Mapping[str, Any] = asdict(WEIGHTS)


def written(folder: Path, text: str) -> Path:
    file = folder / "weights.json"
    file.write_text(text)
    return file


def test_the_built_in_table_is_the_default() -> None:
    assert asdict(WEIGHTS) == json.loads(WEIGHTS_FILE.read_text())


def test_a_process_reads_a_table_once(tmp_path: Path) -> None:
    file = written(tmp_path, json.dumps({**SHIPPED, "fits": 60}))

    before = read_weights(file)
    file.write_text(json.dumps(SHIPPED))

    assert before.fits == 60
    assert read_weights(file) is before


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is no JSON"),
        ("[1]", "it is no object"),
        ("{}", "company is missing, continued is missing"),
        (json.dumps({**SHIPPED, "colour": 1}), "there is no weight 'colour'"),
        (json.dumps({**SHIPPED, "fits": 1.5}), "fits is a whole number from 0 to 1000"),
        (json.dumps({**SHIPPED, "fits": True}), "fits is a whole number"),
        (json.dumps({**SHIPPED, "meaning": -1}), "meaning is a whole number from 0"),
        (json.dumps({**SHIPPED, "meaning": 10**9}), "meaning is a whole number from 0 to 1000"),
        (json.dumps({**SHIPPED, "nearness_percent": 101}), "nearness_percent is .* from 0 to 100"),
        (json.dumps({**SHIPPED, "fades_percent": 100}), "fades_percent is .* from 0 to 99"),
    ],
)
def test_what_is_no_table_is_refused(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=says):
        read_weights(written(tmp_path, text))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be read: No such file"):
        read_weights(tmp_path / "none.json")
