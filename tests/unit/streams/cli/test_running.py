"""Every error ends with its own exit code, in one sentence, and JSON stands alone on stdout."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from contracts.errors import PermanentError, StorygraftError, TransientError
from contracts.reports import CompareReport
from contracts.requests import Story
from graph.child_process import StartFailed
from graph.locking import AlreadyInUse
from streams.cli.application import app
from streams.cli.comparing import tree_named
from streams.cli.exit_codes import ExitCode
from streams.cli.running import exit_code
from streams.home_lock import HomeInUse, held
from streams.inputs.values import UnusableInput
from streams.logs.memo_files import UnusableMemoLine
from streams.not_found import Ambiguous, NotFound
from streams.purge.purge_ordering import PurgeRefused
from streams.settings import UnusableSettings
from tests.unit.streams.exports import EXPORT

COMMANDS = (
    *("demo", "index", "ask", "search", "tree", "threads", "thread", "characters", "character"),
    *("path", "timeline"),
    *("status", "export", "compare", "doctor", "publish", "withdraw", "purge", "serve", "memo"),
    *("dlq", "replay", "backup", "restore"),
)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (NotFound("x"), 3),
        (Ambiguous("x"), 3),
        (UnusableInput("x"), 2),
        (UnusableSettings("x"), 2),
        (UnusableMemoLine("x"), 2),
        (PurgeRefused("x"), 2),
        (HomeInUse("x"), 5),
        (AlreadyInUse("x"), 5),
        (TransientError("x"), 4),
        (StartFailed("x"), 4),
        (PermanentError("x"), 6),
        (StorygraftError("x"), 70),
    ],
)
def test_exit_codes(error: StorygraftError, code: int) -> None:
    assert exit_code(error) == code


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> CliRunner:
    monkeypatch.chdir(tmp_path)
    return CliRunner()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(runner: CliRunner, command: str) -> None:
    result = runner.invoke(app, [command, "--help"])
    assert result.exit_code == 0
    assert f"Example: storygraft {command}" in result.stdout


def test_all_commands_are_listed(runner: CliRunner) -> None:
    result = runner.invoke(app, ["--help"])
    assert all(command in result.stdout for command in COMMANDS)


def test_an_empty_home_says_how_to_index(runner: CliRunner, tmp_path: Path) -> None:
    for command in (["tree", "w"], ["ask", "w", "Who?"], ["status"], ["doctor"]):
        result = runner.invoke(app, [*command, "--home", str(tmp_path / "new"), "--json"])
        assert result.exit_code == ExitCode.NOT_FOUND
        assert result.stdout == ""
        assert "storygraft index FILE" in result.stderr
    assert not (tmp_path / "new").exists()


def test_an_ordinal_that_is_none_is_a_usage_error(runner: CliRunner) -> None:
    result = runner.invoke(app, ["tree", "w", "--as-of", "seven"])
    assert result.exit_code == ExitCode.USAGE
    assert "not a decimal" in result.stderr


def test_an_input_that_cannot_be_used_opens_nothing(runner: CliRunner, tmp_path: Path) -> None:
    result = runner.invoke(app, ["index", "nowhere.txt", "--home", str(tmp_path / "new")])
    assert result.exit_code == ExitCode.USAGE
    assert result.stderr.startswith("error: There is no nowhere.txt")
    assert not (tmp_path / "new").exists()


def test_a_wrong_setting_is_a_usage_error(runner: CliRunner) -> None:
    result = runner.invoke(app, ["status"], env={"STORYGRAFT_GRAPH": "mysql:"})
    assert result.exit_code == ExitCode.USAGE
    assert "Traceback" not in result.stderr


def test_a_home_in_use_is_busy(
    runner: CliRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("streams.owner.connecting._SILENT_S", 0.1)
    (tmp_path / "events.sqlite").write_bytes(b"")
    with held(tmp_path):
        result = runner.invoke(app, ["status", "--home", str(tmp_path)])
    assert result.exit_code == ExitCode.BUSY
    assert "held by process" in result.stderr


def test_two_exported_files_are_compared_without_a_home(runner: CliRunner, tmp_path: Path) -> None:
    shorter = EXPORT.model_copy(update={"chapters": EXPORT.chapters[:1]})
    Path("a.json").write_bytes(EXPORT.to_json())
    Path("b.json").write_text(shorter.model_dump_json(indent=2, by_alias=True), "utf-8")
    nowhere = ["--home", str(tmp_path / "new")]
    result = runner.invoke(app, ["compare", "a.json", "a.json", "--json", *nowhere])
    assert (result.exit_code, result.stderr) == (ExitCode.OK, "")
    assert CompareReport.model_validate_json(result.stdout).same
    result = runner.invoke(app, ["compare", "a.json", "b.json", *nowhere])
    assert result.exit_code == ExitCode.FINDING
    assert "only in A" in result.stdout
    Path("b.json").write_text("{}", "utf-8")
    result = runner.invoke(app, ["compare", "a.json", "b.json", *nowhere])
    assert result.exit_code == ExitCode.USAGE
    assert "is no export of this version" in result.stderr
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("named", "work", "as_of"),
    [
        ("island", "island", "head"),
        ("island@6.5", "island", "6.5"),
        ("a@b", "a@b", "head"),
        ("a@1@head", "a@1", "head"),
        ("@3", "@3", "head"),
    ],
)
def test_a_tree_is_named_by_its_work_and_its_as_of(
    runner: CliRunner, named: str, work: str, as_of: str
) -> None:
    told = tree_named(named)
    assert isinstance(told, Story)
    assert (told.work_id, str(told.as_of)) == (work, as_of)
