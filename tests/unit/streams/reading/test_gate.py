"""Nothing is read but through a view that is bound to an as-of, and nobody can leave that out."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest
from pydantic import ValidationError

from contracts.frozen import Frozen
from contracts.ports import BoundStory, StoryView
from contracts.requests import Page, TwoTrees
from contracts.story_graph import StoryGraph
from streams import reading
from streams.operations import OPERATIONS

_OPERATING = {
    "status",
    "doctor",
    "repair",
    "withdraw",
    "pause",
    "resume",
    "forecast",
    "index",
    "index-events",
    "estimate-reindex",
    "dlq-ls",
    "dlq-show",
    "dlq-settle",
    "catch-up",
    "reindex",
    "generations",
    "verify",
    "swap",
    "rollback",
    "drop",
}
"""What owners and publishers ask; none of it is told to readers."""

_UNBOUND = {"Home", "TreeStore", "VectorStore", "EventLog", "Memo"}
"""What would give a way around the view."""

_READING = [operation for operation in OPERATIONS if operation.name not in _OPERATING]


@pytest.mark.parametrize("operation", _READING, ids=lambda operation: str(operation.name))
def test_every_reading_request_says_as_of_when(operation: object) -> None:
    request: type[Frozen] = operation.request  # type: ignore[attr-defined]
    if request is TwoTrees:  # of two stories, each of which says it
        request = Page
    assert request.model_fields["as_of"].is_required()
    with pytest.raises(ValidationError, match="as_of"):
        request.model_validate({"work_id": "w"})


def test_the_reading_code_knows_no_store() -> None:
    folder = Path(inspect.getfile(reading)).parent
    files = sorted(folder.glob("*.py"))
    assert len(files) > 5
    for file in files:
        tree = ast.parse(file.read_text("utf-8"))
        named = {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        assert not named & _UNBOUND, file.name


@pytest.mark.parametrize("port", [StoryView, StoryGraph, BoundStory])
def test_no_question_to_a_view_names_an_as_of(port: type) -> None:
    for name, method in inspect.getmembers(port, inspect.isfunction):
        parameters = inspect.signature(method).parameters
        assert "as_of" not in parameters, f"{port.__name__}.{name} could be asked as of another"
        assert "work_id" not in parameters, name
