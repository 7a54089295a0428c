"""The owner process as a person meets it: one a home, found, started, replaced, ended."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from contracts.requests import Standing
from graph import process_identity
from graph.process_identity import ProcessIdentity
from streams.home_lock import HomeInUse, held
from streams.operations import STATUS
from streams.owner import record
from streams.owner.calling import OwnerGone
from streams.owner.connecting import connected, stop_owner
from streams.owner.record import OwnerRecord
from streams.settings import Settings

pytestmark = pytest.mark.real

_MAIN = "from streams.cli import main; main()"
_DEADLINE_S = 120


@dataclass(frozen=True)
class Shell:
    """Runs storygraft on one home, with owners that end themselves soon."""

    folder: Path
    idle_s: int = 60
    graph: str = "arcade:"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def settings(self) -> Settings:
        return Settings(home=self.home, owner_idle_s=self.idle_s, graph=self.graph)

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", _MAIN, *arguments, "--home", str(self.home)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
            env=os.environ
            | {"STORYGRAFT_OWNER_IDLE_S": str(self.idle_s), "STORYGRAFT_GRAPH": self.graph}
            | environment,
        )

    def __call__(self, *arguments: str, **environment: str) -> tuple[int, str, str]:
        process = self.start(*arguments, **environment)
        out, err = process.communicate(timeout=_DEADLINE_S)
        assert "Traceback" not in err
        return process.returncode, out, err

    def owner(self) -> OwnerRecord:
        found = record.read(self.home)
        assert found is not None, "nobody owns the home"
        return found

    def graph_server(self) -> ProcessIdentity:
        told = json.loads((self.home / "graph" / "server.pid.json").read_text())
        return ProcessIdentity(told["pid"], told["started"])


def in_a_folder_with_a_story(folder: Path) -> Shell:
    (folder / "sea.txt").write_text(
        "Chapter 1\n\nIlse Brandt came down to the sea.\n\nChapter 2\n\nMarrow kept the key.\n"
    )
    return Shell(folder)


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    shell = in_a_folder_with_a_story(tmp_path)
    yield shell
    asyncio.run(stop_owner(shell.settings))


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that holds the story: a command has opened it itself, without an owner."""
    alone = replace(in_a_folder_with_a_story(tmp_path_factory.mktemp("indexed")), idle_s=0)
    code, _, err = alone("index", "sea.txt")
    assert code == 0, err
    assert record.read(alone.home) is None
    return alone.home


@pytest.fixture
def filled(shell: Shell, indexed: Path) -> Shell:
    """As `shell`, and the story is in the home."""
    shutil.copytree(indexed, shell.home)
    return shell


@pytest.fixture
def light(shell: Shell) -> Iterator[Shell]:
    """As `shell`, but the graph lives and ends with its owner: no server starts."""
    light = replace(shell, graph="memory:")
    yield light
    asyncio.run(stop_owner(light.settings))


def wait_until(holds: Callable[[], bool], timeout_s: float = 60) -> None:
    deadline = time.monotonic() + timeout_s
    while not holds():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.05)


def test_a_command_starts_an_owner_and_the_next_ones_use_it(shell: Shell) -> None:
    code, _, err = shell("index", "sea.txt")
    assert code == 0, err
    owner, server = shell.owner(), shell.graph_server()
    assert owner.on_demand
    assert shell("search", "sea", "the key", "--json")[0] == 0
    assert shell.owner() == owner
    code, out, _ = shell("status", "--json")
    assert (code, json.loads(out)["works"][0]["chapters"]) == (0, 2)
    code, _, err = shell("serve")
    assert code == 5
    assert f"process {owner.pid}" in err
    assert shell("serve", "--stop")[0] == 0
    assert not owner.alive
    assert not process_identity.alive(server)
    assert "Nobody owns the home" in shell("serve", "--stop")[2]


def test_two_owners_started_at_once_are_one(light: Shell) -> None:
    both = [light.start("serve") for _ in range(2)]
    wait_until(lambda: any(each.poll() is not None for each in both))
    (loser,) = [each for each in both if each.poll() is not None]
    assert loser.returncode == 5
    assert loser.stderr is not None
    assert "is in use by process" in loser.stderr.read()
    (winner,) = [each for each in both if each is not loser]
    wait_until(lambda: record.read(light.home) is not None)
    assert light.owner().pid == winner.pid
    assert light("index", "sea.txt")[0] == 0
    winner.send_signal(signal.SIGINT)
    out, err = winner.communicate(timeout=_DEADLINE_S)
    assert (winner.returncode, out) == (0, "")
    assert "Traceback" not in err


def test_commands_at_once_with_nobody_there_are_all_answered(filled: Shell) -> None:
    running = [filled.start("search", "sea", "the key", "--json") for _ in range(4)]
    ended = [each.communicate(timeout=_DEADLINE_S) for each in running]
    assert [each.returncode for each in running] == [0] * 4, ended
    assert len({out for out, _ in ended}) == 1


def test_a_killed_owner_takes_its_server_along_and_the_next_command_goes_on(
    filled: Shell,
) -> None:
    assert filled("status")[0] == 0
    owner, server = filled.owner(), filled.graph_server()
    os.kill(owner.pid, signal.SIGKILL)
    wait_until(lambda: not process_identity.alive(server))
    code, out, err = filled("export", "sea", "--json")
    assert code == 0, err
    assert len(json.loads(out)["chapters"]) == 2
    assert filled.owner().pid != owner.pid


def test_an_unused_owner_ends_itself(light: Shell) -> None:
    brief = replace(light, idle_s=1)
    assert brief("index", "sea.txt")[0] == 0
    wait_until(lambda: record.read(brief.home) is None)
    with held(brief.home):
        pass
    assert not (brief.home / record.FILE).exists()


def test_other_settings_get_an_owner_of_their_own_unless_a_person_serves(
    filled: Shell,
) -> None:
    assert filled("status")[0] == 0
    first = filled.owner()
    code, _, err = filled("status", STORYGRAFT_MAX_BODY_BYTES="5000")
    assert code == 0, err
    assert filled.owner().stamp != first.stamp
    assert not first.alive
    asyncio.run(stop_owner(filled.settings))
    serving = filled.start("serve")
    wait_until(lambda: record.read(filled.home) is not None)
    code, _, err = filled("status", STORYGRAFT_MAX_BODY_BYTES="5000")
    assert code == 5
    assert f"served by process {serving.pid} with other settings" in err
    asyncio.run(stop_owner(filled.settings))
    assert serving.wait(timeout=_DEADLINE_S) == 0


async def test_one_that_does_not_answer_is_named_and_can_be_ended(
    light: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert light("index", "sea.txt")[0] == 0
    owner = light.owner()
    os.kill(owner.pid, signal.SIGSTOP)
    monkeypatch.setattr("streams.owner.calling._ANSWER_S", 0.5)
    monkeypatch.setattr("streams.owner.connecting._STOP_S", 0.5)
    with pytest.raises(OwnerGone, match=f"process {owner.pid}, does not answer"):
        async with connected(light.settings) as index:
            await index.call(STATUS, Standing())
    assert await stop_owner(light.settings)
    assert not owner.alive


async def test_a_home_held_by_something_else_is_refused_in_clear_words(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("streams.owner.connecting._SILENT_S", 0.2)
    with held(shell.home), pytest.raises(HomeInUse, match=f"held by process {os.getpid()}"):
        async with connected(shell.settings, must_exist=False):
            pass


def test_an_owner_that_cannot_start_says_why(shell: Shell) -> None:
    shell.home.write_text("a file where the home should be")
    code, _, err = shell("index", "sea.txt")
    assert code == 6
    assert "cannot be used" in err
    shell.home.unlink()
    shell.home.mkdir()
    (shell.home / "events.sqlite").write_text("no database " * 500)
    code, _, err = shell("index", "sea.txt")
    assert code == 6
    assert "no event log; restore it" in err


def test_without_owners_a_command_opens_the_home_itself(filled: Shell) -> None:
    alone = replace(filled, idle_s=0)
    assert alone("search", "sea", "the key", "--json")[0] == 0
