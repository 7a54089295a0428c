"""The rules on imports are real: each fails when it is broken on purpose."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("contracts", "processors", "graph", "streams", "replay", "deploy")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the project's code that a test may break."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copy(ROOT / "pyproject.toml", folder)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("*.pyc"))
    return folder


def linted(project: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    environment = {**os.environ, "PYTHONPATH": str(project)}
    return subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, check=False
    )


OFFENCES = (
    ("contracts", "graph.registers"),
    ("processors", "graph.registers"),
    ("graph", "processors.coverage"),
    ("graph", "streams.stage"),
    ("processors", "streams.stage"),
    ("streams", "replay.evaluation"),
    ("streams", "deploy.services"),
    ("graph", "deploy.java"),
    ("streams", "neo4j"),
    ("processors", "pymilvus"),
    ("graph", "milvus_lite"),
    ("graph", "openai"),
    ("processors", "openai"),
    ("streams", "faust"),
    ("replay", "arcadedb_embedded"),
)


@pytest.fixture(scope="module")
def broken(project: Path) -> str:
    """Return what the linter says when every rule is broken at once, each by its own module."""
    names = {
        f"{importer}.offender_{n}": imported for n, (importer, imported) in enumerate(OFFENCES)
    }
    files = {project / f"{name.replace('.', '/')}.py": imported for name, imported in names.items()}
    for file, imported in files.items():
        file.write_text(f"import {imported}\n")
    result = linted(project)
    for file in files:
        file.unlink()
    assert result.returncode != 0
    return result.stdout


@pytest.mark.parametrize("number", range(len(OFFENCES)))
def test_a_rule_that_is_broken_is_reported(broken: str, number: int) -> None:
    importer, imported = OFFENCES[number]
    assert f"{importer}.offender_{number} -> {imported}" in broken
