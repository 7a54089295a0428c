"""The schema files say what the code says."""

from __future__ import annotations

import json
from pathlib import Path

from contracts.schema_export import FOLDER, schemas, write


def test_the_files_are_current() -> None:
    on_disk = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.json")}
    assert on_disk == schemas(), "run: python -m contracts.schema_export"


def test_writing_leaves_no_old_schema(tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text("{}")
    write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == set(schemas())


def test_an_event_may_give_its_ordinal_as_number_or_text() -> None:
    schema = json.loads(schemas()["chapter.published.json"])
    kinds = {option["type"] for option in schema["properties"]["ordinal"]["anyOf"]}
    assert kinds == {"string", "integer", "number"}
    assert "additionalProperties" not in schema


def test_what_we_write_has_no_other_fields_and_ordinals_as_text() -> None:
    schema = json.loads(schemas()["search.json"])
    assert schema["additionalProperties"] is False
    assert schema["properties"]["as_of"]["type"] == "string"
    assert set(schema["required"]) == {"as_of", "words", "indexed_to", "gaps", "passages"}
