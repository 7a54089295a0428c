"""`dlq` and `replay` as they are typed: what they print, and with which exit code they end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from contracts.events import ChapterPublished
from contracts.ports import NewRecord
from contracts.topics import CHAPTERS
from streams.cli.application import app
from streams.cli.letters_shown import visible
from streams.logs.sqlite_log import SqliteEventLog
from tests.contract.letter_box import letter
from tests.unit.streams.stand_ins import as_record, published

HOSTILE = b"\x1b[2J\xff\x00"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    told = {"home": str(tmp_path), "graph": "memory:", "vectors": "memory:", "owner_idle_s": "0"}
    return {f"STORYGRAFT_{name.upper()}": value for name, value in told.items()}


def put(folder: Path, records: Sequence[NewRecord]) -> None:
    async def write() -> None:
        log = SqliteEventLog(folder / "events.sqlite")
        await log.append(records)
        await log.close()

    asyncio.run(write())


def run(environment: dict[str, str], *command: str) -> Result:
    return CliRunner().invoke(app, command, env=environment)


def test_letters_are_listed_shown_dropped_and_sent_again(
    environment: dict[str, str], tmp_path: Path
) -> None:
    put(tmp_path, [letter(0, HOSTILE), letter(1), letter(2, None)])
    listed = json.loads(run(environment, "dlq", "ls", "--json").stdout)["letters"]
    assert [each["letter"] for each in listed] == [f"chapters.dlq@{n}" for n in range(3)]
    shown = run(environment, "dlq", "show", "chapters.dlq@0")
    assert "too large" in shown.stdout
    assert "\x1b[2J" not in shown.stdout
    assert run(environment, "dlq", "show", "chapters.dlq@0", "--body").stdout_bytes == HOSTILE
    assert run(environment, "dlq", "show", "chapters.dlq@2", "--body").exit_code == 1
    assert run(environment, "dlq", "show", "chapters.dlq@9").exit_code == 3
    assert run(environment, "dlq", "retry").exit_code == 2, "which?"
    assert run(environment, "dlq", "retry", "--all", "--kind", "unfit").exit_code == 2
    assert run(environment, "dlq", "ls", "--kind", "odd").exit_code == 2
    dry = run(environment, "dlq", "drop", "--chapter", "c1", "--dry-run")
    assert "Would drop: 1." in dry.stdout
    assert "Dropped: 1." in run(environment, "dlq", "drop", "--chapter", "c1").stdout
    retried = run(environment, "dlq", "retry", "--all")
    assert retried.exit_code == 1, "one has no bytes"
    assert "Sent again: 1." in retried.stdout
    left = json.loads(run(environment, "dlq", "ls", "--json", "--settled").stdout)["letters"]
    assert [each["settled"] for each in left][:2] != [None, None]


def test_a_log_goes_into_a_file_and_into_another_home(
    environment: dict[str, str], tmp_path: Path
) -> None:
    assert run(environment, "replay", "export", str(tmp_path / "no")).exit_code == 3
    events: list[ChapterPublished] = [published("1"), published("2")]
    put(tmp_path, [as_record(event) for event in events])
    path = str(tmp_path / "log.jsonl.gz")
    report = json.loads(run(environment, "replay", "export", path, "--json").stdout)
    assert (report["records"], report["withheld"]) == (2, 0)
    piped = run(environment, "replay", "export", "-", "--work", "w").stdout
    assert [json.loads(line)["line"] for line in piped.splitlines()] == [
        "header", "record", "record", "end",
    ]  # fmt: skip
    there = {**environment, "STORYGRAFT_HOME": str(tmp_path / "there")}
    done = run(there, "replay", "import", path)
    assert (done.exit_code, done.stdout) == (0, "2 new, 0 known events.\n")
    Path(path).write_bytes(Path(path).read_bytes()[:-9])
    assert run(there, "replay", "import", path).exit_code == 2
    assert run(there, "replay", "import", path, "--skip-damaged").exit_code in (1, 2)


def test_nothing_that_is_shown_commands_a_terminal() -> None:
    assert visible("a\x1b[2J\r第\nb\u202e") == "a\\x1b[2J\\r第\nb\\u202e"


def test_the_topic_of_chapters_is_what_is_carried(
    environment: dict[str, str], tmp_path: Path
) -> None:
    put(tmp_path, [as_record(published("1")), letter(0)])
    piped = run(environment, "replay", "export", "-").stdout
    assert {json.loads(line).get("topic", CHAPTERS) for line in piped.splitlines()} == {CHAPTERS}
