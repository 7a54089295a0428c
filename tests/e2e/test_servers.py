"""The real servers: they start, answer, keep what was committed, and leave nothing behind."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from neo4j import AsyncDriver, AsyncGraphDatabase, AsyncManagedTransaction

from deploy import services
from deploy.maven import fetched_jars
from deploy.neo4j_server import POM, Neo4jHome, Neo4jServer
from graph import arcade_command, arcade_process, process_identity
from graph.arcade_command import ArcadeRun
from graph.arcade_process import ArcadeAddress, ArcadeProcess, ensure_password, has_started
from graph.arcade_startup import build_startup_cache
from graph.child_process import ChildProcess, StartFailed
from graph.locking import AlreadyInUse
from graph.loopback import free_port
from graph.process_identity import ProcessIdentity
from streams.adapters import startup_cache_folder
from tests.conftest import SHORT_LIVED

pytestmark = pytest.mark.real

ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def client(address: ArcadeAddress) -> AsyncIterator[AsyncDriver]:
    auth = (address.user, address.password)
    async with AsyncGraphDatabase.driver(address.uri, auth=auth) as driver:
        yield driver


async def answer(driver: AsyncDriver, database: str, query: str) -> object:
    async with driver.session(database=database) as session:
        record = await (await session.run(query)).single(strict=True)
        return record[0]


async def write_node(address: ArcadeAddress, key: str) -> None:
    async def work(tx: AsyncManagedTransaction) -> None:
        await (await tx.run("CREATE (n:Kept {key: $key})", key=key)).consume()

    async with client(address) as driver, driver.session(database=address.database) as session:
        await session.execute_write(work)


async def kept_keys(address: ArcadeAddress) -> object:
    async with client(address) as driver:
        query = "MATCH (n:Kept) WITH n ORDER BY n.key RETURN collect(n.key)"
        return await answer(driver, address.database, query)


def wait_until(holds: Callable[[], bool], timeout_s: float = 30) -> None:
    deadline = time.monotonic() + timeout_s
    while not holds():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.05)


def command_line(pid: int) -> str:
    asked = ["ps", "-ww", "-o", "args=", "-p", str(pid)]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def neo4j_jars() -> Path:
    cache = services.jar_cache(services.DEFAULT_DIR, "neo4j")
    return fetched_jars(POM, cache, print)


@pytest.fixture
def arcade(tmp_path: Path) -> Iterator[ArcadeProcess]:
    process = ArcadeProcess(tmp_path / "données of a work", startup_cache=startup_cache_folder())
    yield process
    process.stop()


async def test_neo4j_starts_and_answers_whoever_knows_the_password(
    tmp_path: Path, neo4j_jars: Path
) -> None:
    secret = '-a "strange" pass\\word #1'
    home = Neo4jHome(tmp_path / "home", neo4j_jars, secret, jvm_flags=SHORT_LIVED)
    server = Neo4jServer(home)
    uri = server.start()
    try:
        async with AsyncGraphDatabase.driver(uri, auth=("neo4j", secret)) as driver:
            assert await answer(driver, "neo4j", "RETURN 1") == 1
        assert server.pid is not None
        assert "strange" not in command_line(server.pid)
        with pytest.raises(AlreadyInUse):
            Neo4jServer(home).start()
    finally:
        server.stop()
    assert not (tmp_path / "home" / "server.pid.json").exists()


def test_services_live_on_after_the_command_until_they_are_ended(
    tmp_path: Path, neo4j_jars: Path, kafka_jars: Path
) -> None:
    for name, jars in (("neo4j", neo4j_jars), ("kafka", kafka_jars)):
        shared_jars = services.jar_cache(tmp_path, name)
        shared_jars.parent.mkdir(exist_ok=True)
        shared_jars.symlink_to(jars.parent)

    def command(*words: str) -> subprocess.CompletedProcess[str]:
        asked = [sys.executable, "-m", "deploy.services", *words, "--dir", str(tmp_path)]
        return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)

    assert command("status").returncode == 3
    try:
        up = command("up", "--free-ports")
        assert up.returncode == 0, up.stderr
        for scheme in ("kafka", "bolt", "http"):
            assert f"{scheme}://127.0.0.1:" in up.stdout
        status = command("status")
        assert status.returncode == 0
        assert set(status.stdout.splitlines()) <= set(up.stdout.splitlines())
        assert command("up").stdout == status.stdout
        env = command("env").stdout
        password = (tmp_path / "neo4j" / "password").read_text("utf-8")
        assert password not in env
        shell = f'{env}echo "$STORYGRAFT_GRAPH_PASSWORD $STORYGRAFT_LOG"'
        reached = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=True)
        assert reached.stdout.startswith(f"{password} kafka://127.0.0.1:")
    finally:
        down = command("down")
    assert "ended" in down.stdout
    assert "down" in command("status").stdout
    assert command("env").returncode == 3
    assert "was not running" in command("down").stdout


async def test_the_embedded_server_keeps_what_was_committed_and_its_password(
    arcade: ArcadeProcess, tmp_path: Path
) -> None:
    """Killed, stopped in peace, and when its password is lost."""
    first = arcade.start()
    assert arcade.start() is first, "it starts once"
    assert arcade.pid is not None
    assert first.password not in command_line(arcade.pid)
    assert first.password not in repr(first)
    with pytest.raises(AlreadyInUse):
        ArcadeProcess(tmp_path / "données of a work").start()
    assert arcade.alive, "whoever is refused leaves it alone"
    await write_node(first, "kept")
    os.kill(arcade.pid, signal.SIGKILL)
    wait_until(lambda: not arcade.alive)
    again = arcade.start()
    assert again.password == first.password
    assert await kept_keys(again) == ["kept"]
    arcade.stop()
    (tmp_path / "données of a work" / "password").unlink()
    anew = arcade.start()
    assert anew.password != first.password
    assert await kept_keys(anew) == ["kept"]


def started_and_killed(data_dir: Path) -> ProcessIdentity:
    """The server of an owner that was killed a moment ago."""
    program = (
        "import sys, time\nfrom pathlib import Path\n"
        "from graph.arcade_process import ArcadeProcess\n"
        "process = ArcadeProcess(Path(sys.argv[1])); process.start()\n"
        "print(process.pid, flush=True); time.sleep(600)"
    )
    owner = subprocess.Popen(
        [sys.executable, "-c", program, str(data_dir)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert owner.stdout is not None
    server = process_identity.of(int(owner.stdout.readline()))
    assert server is not None
    owner.kill()
    owner.communicate()
    return server


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the next start ends it")
async def test_the_embedded_server_dies_with_its_owner_and_can_be_started_again(
    tmp_path: Path,
) -> None:
    server = started_and_killed(tmp_path)
    wait_until(lambda: not process_identity.alive(server))
    with ArcadeProcess(tmp_path, startup_cache=startup_cache_folder()) as process:
        assert await kept_keys(process.start()) == []


async def test_a_stale_embedded_server_is_ended_on_start(tmp_path: Path) -> None:
    ensure_password(tmp_path)
    spec = arcade_command.child_spec(ArcadeRun(tmp_path, "storygraft", free_port(), "256m"))
    stale = ChildProcess.start(replace(spec, detached=True))
    stale.wait_ready(lambda: has_started(stale, spec.log), timeout_s=60)
    with ArcadeProcess(tmp_path, startup_cache=startup_cache_folder()) as process:
        assert not stale.alive
        assert await kept_keys(process.start()) == []


async def test_a_start_up_cache_is_made_once_and_fits_and_a_damaged_one_is_given_up(
    tmp_path: Path,
) -> None:
    rehearsed: list[ArcadeAddress] = []
    cache = build_startup_cache(tmp_path / "cache", rehearsed.append)
    assert build_startup_cache(tmp_path / "cache", rehearsed.append) == cache
    assert len(rehearsed) == 1
    with ArcadeProcess(tmp_path / "data", startup_cache=tmp_path / "cache") as process:
        assert process.pid is not None
        assert str(cache) in command_line(process.pid)
        assert await kept_keys(process.start()) == []
    assert "[aot]" not in (tmp_path / "data" / "server.log").read_text("utf-8")
    with cache.open("r+b") as damaged:
        third = cache.stat().st_size // 3
        damaged.seek(third)
        damaged.write(bytes(third))  # a smaller hole may lie where a start does not look
    with ArcadeProcess(tmp_path / "data", startup_cache=tmp_path / "cache") as process:
        assert await kept_keys(process.start()) == []
    assert not cache.exists()


async def test_a_port_taken_in_the_meantime_is_left_for_another(
    arcade: ArcadeProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ports = iter([taken.getsockname()[1], free_port()])
        monkeypatch.setattr(arcade_process, "free_port", lambda _: next(ports))
        assert await kept_keys(arcade.start()) == []


def test_a_server_that_cannot_start_is_reported_with_its_log(tmp_path: Path) -> None:
    process = ArcadeProcess(tmp_path, heap="1m")
    with pytest.raises(StartFailed, match=r"(?s)ArcadeDB.*stopped at once.*server\.log ends:"):
        process.start()
    assert not process.alive
