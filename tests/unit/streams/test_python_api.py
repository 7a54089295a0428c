"""The example of docs/python.md runs as it stands there."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from contracts.requests import Chapters
from streams.demo_story import read_story
from streams.operations import INDEX
from streams.performing import Here
from streams.wiring import open_home
from tests.unit.streams.homes import IN_MEMORY

_DOCUMENT = Path(__file__).parents[3] / "docs" / "python.md"


async def test_the_example_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = re.search(r"```python\n(import .*?)```", _DOCUMENT.read_text("utf-8"), re.DOTALL)
    assert code is not None
    file = tmp_path / "example.py"
    file.write_text(code[1], "utf-8")
    spec = importlib.util.spec_from_file_location("example", file)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    story = read_story()
    async with open_home(IN_MEMORY) as home:
        given = Chapters(described=story.given.described, chapters=story.given.chapters)
        await Here(home).call(INDEX, given)
        capsys.readouterr()
        await example.tell(Here(home), story.work_id, "7")
    told = capsys.readouterr().out
    assert re.search(r"\w+: \d+ scenes\n", told)
    assert " met " in told
