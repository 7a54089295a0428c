"""A child never outlives its owner, and nobody else's process is ever ended for one."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graph import process_identity
from graph.child_process import ChildProcess, ChildSpec, StartFailed, end_recorded
from graph.loopback import plain_environment
from graph.process_identity import ProcessIdentity

ROOT = Path(__file__).parents[3]
WAITS = "import time; print('up', flush=True); time.sleep(60)"
IGNORES_TERM = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN);" + WAITS

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's help is Linux's")


def spec_of(folder: Path, code: str, *, detached: bool = False) -> ChildSpec:
    return ChildSpec(
        name="The test server",
        command=(sys.executable, "-c", code),
        cwd=folder,
        log=folder / "server.log",
        record=folder / "server.pid.json",
        env=plain_environment(),
        detached=detached,
    )


def is_up(spec: ChildSpec) -> Callable[[], bool]:
    return lambda: "up" in spec.log.read_text("utf-8")


def started(spec: ChildSpec) -> ChildProcess:
    child = ChildProcess.start(spec)
    child.wait_ready(is_up(spec), timeout_s=20)
    return child


def wait_until(holds: Callable[[], bool], timeout_s: float = 20) -> None:
    deadline = time.monotonic() + timeout_s
    while not holds():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.02)


@pytest.fixture
def stranger() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([sys.executable, "-c", WAITS], stdout=subprocess.DEVNULL)
    yield process
    process.kill()
    process.wait()


def owner(folder: Path, code: str) -> "subprocess.Popen[str]":
    """Another Python process that owns a child in `folder` and then runs `code`."""
    program = f"""
        from pathlib import Path
        from tests.unit.graph.test_child_process import *
        folder = Path({str(folder)!r})
        {code}
    """
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def said(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_end_ends_the_child_and_forgets_its_record(tmp_path: Path) -> None:
    child = started(spec_of(tmp_path, WAITS))
    assert process_identity.read(tmp_path / "server.pid.json") == process_identity.of(child.pid)
    child.end()
    child.end()
    assert not child.alive
    assert not (tmp_path / "server.pid.json").exists()


def test_end_kills_a_child_that_does_not_listen(tmp_path: Path) -> None:
    child = started(spec_of(tmp_path, IGNORES_TERM))
    child.end(grace_s=0.2)
    assert not child.alive


def test_a_child_that_stops_at_once_is_reported_with_its_last_words(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, "raise SystemExit('no disk left')")
    child = ChildProcess.start(spec)
    with pytest.raises(StartFailed, match=r"(?s)stopped at once \(exit code 1\).*no disk left"):
        child.wait_ready(is_up(spec), timeout_s=20)
    assert not spec.record.exists()


def test_a_child_that_is_never_ready_is_ended(tmp_path: Path) -> None:
    child = ChildProcess.start(spec_of(tmp_path, WAITS))
    with pytest.raises(StartFailed, match="not ready within 0 s"):
        child.wait_ready(lambda: False, timeout_s=0.1)
    assert not child.alive


def test_an_error_while_waiting_ends_the_child(tmp_path: Path) -> None:
    child = ChildProcess.start(spec_of(tmp_path, WAITS))

    def interrupted() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        child.wait_ready(interrupted, timeout_s=20)
    assert not child.alive


def test_the_log_begins_anew_and_the_one_before_is_kept(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, WAITS)
    started(spec).end()
    (tmp_path / "server.log").write_text("the first run", "utf-8")
    started(spec).end()
    assert spec.log.read_text("utf-8") == "up\n"
    assert (tmp_path / "server.log.1").read_text("utf-8") == "the first run"


def test_a_program_that_is_not_there_is_reported(tmp_path: Path) -> None:
    spec = ChildSpec(
        name="The test server",
        command=("/nowhere/server",),
        cwd=tmp_path,
        log=tmp_path / "server.log",
        record=tmp_path / "server.pid.json",
        env=plain_environment(),
        detached=True,
    )
    with pytest.raises(StartFailed, match="could not be run"):
        ChildProcess.start(spec)


@linux_only
def test_a_child_dies_when_its_owner_is_killed(tmp_path: Path) -> None:
    parent = owner(tmp_path, "print(started(spec_of(folder, WAITS)).pid, flush=True); input()")
    child = process_identity.of(int(said(parent)))
    assert child is not None
    parent.kill()
    parent.communicate()
    wait_until(lambda: not process_identity.alive(child))


@linux_only
def test_a_child_outlives_the_thread_that_asked_for_it(tmp_path: Path) -> None:
    children: list[ChildProcess] = []
    thread = threading.Thread(target=lambda: children.append(started(spec_of(tmp_path, WAITS))))
    thread.start()
    thread.join()
    with pytest.raises(subprocess.TimeoutExpired):
        children[0]._process.wait(timeout=0.3)
    children[0].end()


def test_an_owner_that_exits_asks_its_child_to_stop_first(tmp_path: Path) -> None:
    says_bye = (
        "import signal, sys, pathlib\n"
        "def bye(*_): pathlib.Path('bye').touch(); sys.exit()\n"
        "signal.signal(signal.SIGTERM, bye)\n" + WAITS
    )
    parent = owner(tmp_path, f"started(spec_of(folder, {says_bye!r}))")
    parent.communicate()
    assert parent.returncode == 0
    assert (tmp_path / "bye").exists()


def test_a_detached_child_outlives_its_owner(tmp_path: Path) -> None:
    parent = owner(tmp_path, "started(spec_of(folder, WAITS, detached=True))")
    parent.communicate()
    assert process_identity.read(tmp_path / "server.pid.json") is not None
    assert end_recorded(tmp_path / "server.pid.json")


def test_a_stale_recorded_child_is_ended_on_start(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, WAITS)
    parent = owner(tmp_path, "started(spec_of(folder, WAITS, detached=True))")
    parent.communicate()
    stale = process_identity.read(spec.record)
    assert stale is not None
    child = started(spec)
    assert not process_identity.alive(stale)
    assert child.alive
    child.end()


def test_a_recorded_pid_that_belongs_to_another_process_is_left_alone(
    tmp_path: Path, stranger: subprocess.Popen[bytes]
) -> None:
    record = tmp_path / "server.pid.json"
    process_identity.write(record, ProcessIdentity(stranger.pid, "another start"))
    assert not end_recorded(record)
    assert stranger.poll() is None
    assert not record.exists()


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"pid": "x", "started": ""}', "null"])
def test_an_unreadable_record_names_nobody(tmp_path: Path, text: str) -> None:
    record = tmp_path / "server.pid.json"
    record.write_text(text, "utf-8")
    assert process_identity.read(record) is None


def test_a_dead_process_is_nobody_even_before_its_parent_notices(
    stranger: subprocess.Popen[bytes],
) -> None:
    identity = process_identity.of(stranger.pid)
    assert identity is not None
    assert process_identity.send(identity, signal.SIGKILL)
    wait_until(lambda: process_identity.of(stranger.pid) is None)
    assert not process_identity.send(identity, signal.SIGKILL)


def test_without_proc_ps_tells_when_a_process_started(stranger: subprocess.Popen[bytes]) -> None:
    first = process_identity.started_by_ps(stranger.pid)
    assert first is not None
    assert process_identity.started_by_ps(stranger.pid) == first
    stranger.kill()
    wait_until(lambda: process_identity.started_by_ps(stranger.pid) is None)


def test_signals_go_to_the_recorded_process_only(stranger: subprocess.Popen[bytes]) -> None:
    other = ProcessIdentity(stranger.pid, "another start")
    assert not process_identity.send(other, signal.SIGKILL)
    assert not process_identity._send_by_pid(other, signal.SIGKILL)
    os.kill(stranger.pid, 0)
