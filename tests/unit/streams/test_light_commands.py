"""A command that leaves the work to others does not load what does it."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numpy", "pymilvus", "neo4j", "faust", "nltk", "openai", "uvicorn")


@pytest.mark.parametrize("module", ["streams.cli.application", "streams.owner.connecting"])
def test_it_loads_no_store_no_model_and_nothing_that_computes(module: str) -> None:
    program = f"import sys, {module}; print([each for each in {HEAVY!r} if each in sys.modules])"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert told.stdout.split() == [b"[]"]
