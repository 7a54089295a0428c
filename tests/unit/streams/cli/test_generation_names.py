"""A name that no generation can have is wrong usage, told before anything is opened."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from streams.cli.application import app


@pytest.mark.parametrize(
    "command",
    [
        ["reindex", "drop", "two"],
        ["reindex", "swap", "two"],
        ["reindex", "verify", "two"],
        ["topics", "create", "--generation", "two"],
        ["topics", "check", "--generation", "two"],
    ],
    ids=" ".join,
)
def test_it_says_what_to_write(command: list[str]) -> None:
    done = CliRunner().invoke(app, command, env={"COLUMNS": "100"})
    assert done.exit_code == 2
    assert "'two' is no generation: write g1, g2" in done.output
