"""The small things that a local server stands on: a lock, a secret, a port."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from graph.locking import AlreadyInUse, exclusive
from graph.loopback import free_port, plain_environment, port_open
from graph.secret_file import kept_secret

ROOT = Path(__file__).parents[3]


def test_a_lock_keeps_another_process_out_until_its_holder_dies(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    program = (
        "import sys\nfrom pathlib import Path\nfrom graph.locking import exclusive\n"
        "with exclusive(Path(sys.argv[1])):\n    print('held', flush=True); input()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", program, str(lock)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    with pytest.raises(AlreadyInUse, match="in use by another process"), exclusive(lock):
        pass
    holder.kill()
    holder.communicate()
    with exclusive(lock):
        pass


def test_a_lock_is_free_again_after_use(tmp_path: Path) -> None:
    for _ in range(2):
        with exclusive(tmp_path / "new" / "lock"):
            pass


def test_a_secret_is_made_up_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    secret = kept_secret(file)
    assert len(secret) >= 32
    assert kept_secret(file) == secret
    assert file.stat().st_mode & 0o777 == 0o600
    assert kept_secret(tmp_path / "another") != secret


def test_a_preferred_port_is_taken_only_if_it_is_free() -> None:
    port = free_port()
    assert free_port(port) == port
    assert not port_open(port)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        assert free_port(port) != port
        assert port_open(port)


def test_a_servers_environment_holds_nothing_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Xmx1m")
    assert "JAVA_TOOL_OPTIONS" not in plain_environment()
    assert plain_environment()["LC_ALL"] == "C.UTF-8"
