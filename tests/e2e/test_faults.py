"""What breaks ends in a held event or a clear refusal, loses nothing, and goes on afterwards."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from contracts.crash_points import CrashPoint
from contracts.errors import PermanentError, TransientError
from contracts.ids import FIRST_GENERATION
from contracts.reports import FindingKind
from contracts.topics import CHAPTERS, EMBEDDED, GRAFTS, SCENES, physical
from graph.milvus.layout import Layout
from streams.cli.application import app
from streams.cli.exit_codes import ExitCode
from streams.doctor.checking import check
from streams.doctor.log_mending import newest_position
from streams.doctor.repairing import repair
from streams.holds import current_holds
from streams.settings import Settings
from streams.wiring import open_home
from tests.e2e.faults import kill_server, largest_file, overwrite, server_pid
from tests.e2e.homes import asked, embedded, in_memory
from tests.e2e.lives import QUESTION, W, append_a_life, live_a_little, shown

pytestmark = pytest.mark.real

ROOT = Path(__file__).parents[2]
LETTERS = 4_000  # of a chapter, where nothing must be large


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What readers of a home get to which nothing happened."""
    return asyncio.run(_undisturbed(tmp_path_factory.mktemp("undisturbed")))


@pytest.fixture(scope="module")
def undisturbed_and_short(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The same of a life in which chapters have `LETTERS` letters."""
    return asyncio.run(_undisturbed(tmp_path_factory.mktemp("short"), LETTERS))


async def _undisturbed(folder: Path, letters: int | None = None) -> bytes:
    async with open_home(in_memory(folder)) as home:
        await live_a_little(home, letters)
        return await shown(home)


def with_real(folder: Path, *stores: str) -> Settings:
    """Return settings of a home of which only `stores` are real, to see one of them fail."""
    memory = {name: "memory:" for name in ("log", "vectors", "graph") if name not in stores}
    return embedded(folder).model_copy(update=memory)


# --- the disk is full -------------------------------------------------------------------------


@pytest.mark.parametrize("size", [30_000, 150_000, 400_000])
async def test_a_full_disk_under_the_log(tmp_path: Path, undisturbed: bytes, size: int) -> None:
    """At the append, in the segment stage, in the embed stage."""
    settings = with_real(tmp_path / "home", "log")
    async with open_home(settings) as home:
        await home.log.end(CHAPTERS)
        with largest_file(size), pytest.raises(TransientError, match="run the command again"):
            await live_a_little(home)
        if await home.log.end(CHAPTERS) == 0:  # all or none
            await append_a_life(home)
        await home.runner().run_until_idle()
        assert await shown(home) == undisturbed
        assert (await check(home)).sound


@pytest.mark.parametrize("size", [20_000, 200_000])
async def test_a_full_disk_under_the_vectors(tmp_path: Path, undisturbed: bytes, size: int) -> None:
    settings = with_real(tmp_path / "home", "vectors")
    async with open_home(settings) as home:
        await home.vectors.keys(W, FIRST_GENERATION)
        with largest_file(size):
            await live_a_little(home)
        (hold,) = await current_holds(home.log, home.intakes)
        assert hold.stage == "embed"
        await home.runner().run_until_idle()
        assert await current_holds(home.log, home.intakes) == ()
        assert await shown(home) == undisturbed
        assert (await check(home)).sound


@pytest.mark.parametrize("room", [10_000, 400_000])
async def test_a_full_disk_under_the_graph(tmp_path: Path, undisturbed: bytes, room: int) -> None:
    """At once, and in the middle of the chapters' transaction."""
    folder = tmp_path / "home"
    async with open_home(embedded(folder)) as home:
        journal = folder / "graph" / "databases" / "storygraft" / "txlog_1.wal"
        with largest_file(journal.stat().st_size + room, server_pid(folder)):
            await live_a_little(home)
            holds = await current_holds(home.log, home.intakes)
        assert "graft" in {hold.stage for hold in holds}
        assert all("disk" in hold.reason for hold in holds)
        await home.runner().run_until_idle()
        assert await shown(home) == undisturbed
    async with open_home(embedded(folder)) as home:
        assert await shown(home) == undisturbed
        assert (await check(home)).sound


# --- the graph server dies --------------------------------------------------------------------


@pytest.mark.parametrize("point", [CrashPoint.BEFORE_COMMIT, CrashPoint.AFTER_COMMIT])
async def test_a_graph_server_killed_in_mid_index(
    tmp_path: Path, undisturbed_and_short: bytes, point: CrashPoint
) -> None:
    folder = tmp_path / "home"
    deaths = [point]

    def reached(here: CrashPoint) -> None:
        if here in deaths:
            deaths.remove(here)
            kill_server(folder)

    async with open_home(embedded(folder), reached=reached) as home:
        await append_a_life(home, LETTERS)
        report = await home.runner().run_until_idle()
        assert deaths == []
        assert report.held == ()
        assert await shown(home) == undisturbed_and_short
        assert (await check(home)).sound


async def test_a_graph_server_killed_while_it_answers(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    async with open_home(embedded(folder)) as home:
        await live_a_little(home, LETTERS)
        before = await asked(home, W, QUESTION, "2.5")
        for _ in range(2):
            kill_server(folder)
            with suppress(TransientError):
                assert await asked(home, W, QUESTION, "2.5") == before
        assert await asked(home, W, QUESTION, "2.5") == before


# --- the home cannot be written ---------------------------------------------------------------

_CONFINED = """
import ctypes, os, sys
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)  # permissions bind root too
command = "from streams.cli import main; main()"
os.execv(sys.executable, [sys.executable, "-c", command, *sys.argv[1:]])
"""


def confined(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command as somebody whom file permissions bind."""
    return subprocess.run(
        [sys.executable, "-c", _CONFINED, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "STORYGRAFT_OWNER_IDLE_S": "0"},
    )


def unconfined(*arguments: str) -> Result:
    """Run a command in this process, which may do everything."""
    return CliRunner().invoke(app, arguments, env={"STORYGRAFT_OWNER_IDLE_S": "0"})


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Take away the right to write to a folder and all that lies in it."""
    everything = [folder, *folder.rglob("*")]
    modes = [(path, path.stat().st_mode) for path in everything]
    for path, mode in modes:
        path.chmod(mode & ~0o222)
    try:
        yield
    finally:
        for path, mode in modes:
            path.chmod(mode)


def test_a_home_that_cannot_be_written(tmp_path: Path) -> None:
    folder, story = tmp_path / "home", tmp_path / "story.txt"
    story.write_text("CHAPTER I\n\nHedda kept the ledger.\n\nCHAPTER II\n\nMarrow took it.\n")
    index = ("index", str(story), "--work", "story", "--home", str(folder), "--json")
    folder.mkdir()
    with read_only(folder):
        refused = confined(*index)
        assert (refused.returncode, refused.stdout) == (ExitCode.UNUSABLE, "")
        assert "--home" in refused.stderr
        assert "Traceback" not in refused.stderr
    assert list(folder.iterdir()) == []
    assert confined(*index).returncode == ExitCode.OK
    export = ("export", "story", "--home", str(folder), "--json", "--text")
    story.write_text(story.read_text() + "\nCHAPTER III\n\nNobody saw it again.\n")
    with read_only(folder):
        for command in (index, export):
            refused = confined(*command)
            assert (refused.returncode, refused.stdout) == (ExitCode.UNUSABLE, "")
            assert "--home" in refused.stderr
    assert unconfined(*index).exit_code == ExitCode.OK
    told = unconfined(*export).stdout
    assert all(text in told for text in ("kept the ledger", "took it", "Nobody saw it again"))


# --- the log is damaged -----------------------------------------------------------------------


def header(log: Path) -> None:
    overwrite(log, 0, 100)


def page_in_the_middle(log: Path) -> None:
    overwrite(log, log.stat().st_size // 2 // 4096 * 4096, 4096)


async def test_a_log_without_its_header_is_refused(tmp_path: Path) -> None:
    settings = with_real(tmp_path / "home", "log")
    async with open_home(settings) as home:
        await live_a_little(home)
    header(settings.home / "events.sqlite")
    with pytest.raises(PermanentError, match="doctor --repair"):
        async with open_home(settings):
            pass


async def test_a_page_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    settings = with_real(tmp_path / "home", "log")
    async with open_home(settings) as home:
        await live_a_little(home)
    page_in_the_middle(settings.home / "events.sqlite")
    async with open_home(settings.model_copy(update={"graph": "memory:"}), repairing=True) as home:
        topics = [CHAPTERS, *(physical(topic) for topic in (SCENES, EMBEDDED, GRAFTS))]
        with pytest.raises(PermanentError, match="doctor --repair"):
            [await home.log.read(topic, 0, 1_000, 10**9) for topic in topics]


@pytest.mark.usefixtures("servers_live_on")
@pytest.mark.parametrize("damage", [header, page_in_the_middle])
async def test_what_can_be_read_of_a_damaged_log_is_saved(
    tmp_path: Path, undisturbed_and_short: bytes, damage: Callable[[Path], None]
) -> None:
    settings = embedded(tmp_path / "home")
    async with open_home(settings) as home:
        await live_a_little(home, LETTERS)
    damage(settings.home / "events.sqlite")
    async with open_home(settings, repairing=True) as home:
        found = await check(home)
        assert {finding.kind for finding in found.log} == {FindingKind.LOG_DAMAGED}
        report = await repair(home)
        assert report.sound
        assert "the damaged file is kept" in report.log_done[0]
        assert await shown(home) == undisturbed_and_short
        last = newest_position(await home.tree.works())
    async with open_home(settings) as home:
        assert await home.log.end(CHAPTERS) > last
        await append_a_life(home, LETTERS)
        await home.runner().run_until_idle()
        assert await shown(home) == undisturbed_and_short
        assert (await check(home)).sound


# --- a whole store is gone --------------------------------------------------------------------


def lose_the_vectors(home: Path) -> None:
    shutil.rmtree(home / "vectors.db")


def lose_a_collection(home: Path) -> None:
    place = Layout(shared=False).place(W, FIRST_GENERATION)
    shutil.rmtree(home / "vectors.db" / "collections" / place.collection)


def lose_the_graph(home: Path) -> None:
    shutil.rmtree(home / "graph")


def lose_the_log(home: Path) -> None:
    (home / "events.sqlite").unlink()


@pytest.mark.usefixtures("servers_live_on")
@pytest.mark.parametrize(
    "lose", [lose_the_vectors, lose_a_collection, lose_the_graph, lose_the_log]
)
async def test_a_lost_store_is_refused_and_made_again(
    tmp_path: Path, undisturbed_and_short: bytes, lose: Callable[[Path], None]
) -> None:
    settings = embedded(tmp_path / "home")
    async with open_home(settings) as home:
        await live_a_little(home, LETTERS)
    lose(settings.home)
    for _ in range(2):  # opening it mends nothing and hides nothing
        with pytest.raises(PermanentError, match="doctor --repair"):
            async with open_home(settings, must_exist=True):
                pass
    async with open_home(settings, must_exist=True, repairing=True) as home:
        with pytest.raises(PermanentError, match="doctor --repair"):
            await home.view(W, None)
        with pytest.raises(PermanentError, match="doctor --repair"):
            home.runner()
        assert not (await check(home)).sound
        assert (await repair(home)).sound
        assert await shown(home) == undisturbed_and_short
    async with open_home(settings, must_exist=True) as home:
        assert await shown(home) == undisturbed_and_short
        await append_a_life(home, LETTERS)  # what is published now is new, not old
        await home.runner().run_until_idle()
        work = await home.tree.load(W)
        assert work is not None
        assert max(chapter.row_position for chapter in work.live_chapters()) > 9
        assert (await check(home)).sound
