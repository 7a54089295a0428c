"""A backup is whole or not there; a restore replaces everything or nothing."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from contracts.errors import PermanentError
from contracts.ids import ChapterId, WorkId
from contracts.memo import Asked, MemoEntry, Source
from contracts.topics import CHAPTERS
from streams.adapters import open_log
from streams.backup.backing_up import back_up
from streams.backup.manifest import MANIFEST, read_manifest
from streams.backup.restore_journal import unfinished_restore
from streams.backup.restoring import RestorePoint, finish, restore
from streams.home_lock import HomeInUse, held
from streams.inputs.values import UnusableInput
from streams.logs.sqlite_log import SqliteEventLog
from streams.logs.sqlite_memo import SqliteMemo
from streams.not_found import NotFound
from streams.settings import Settings
from tests.crashes import SimulatedCrash
from tests.unit.streams.stand_ins import as_record, published

ASKED = Asked(purpose="segmentation", prompt="p1", model="m", sampling="{}", input_hash="i")
SOURCE = Source(work_id=WorkId("w"), chapter_id=ChapterId("1"))
GRAPH_FILES = {"databases/storygraft/Work_0.bucket": b"tree", "databases/wal.txt": b""}
OF_THE_SERVER = {"password": b"secret", "server.log": b"x", "log/a.log": b"x", "lock": b""}


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def put(folder: Path, files: dict[str, bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


async def lived_in(home: Path, chapters: int = 3, tree: bytes = b"tree") -> Settings:
    """Make a home whose graph and vectors are nothing but files."""
    put(home, {})
    log, memo = SqliteEventLog(home / "events.sqlite"), SqliteMemo(home / "memo.sqlite")
    await log.append([as_record(published(str(n))) for n in range(chapters)])
    await log.advance("segment.g1", CHAPTERS, 2, [])
    await memo.put_if_absent(MemoEntry(asked=ASKED, answer="an answer", sources=(SOURCE,)))
    await log.close()
    await memo.close()
    put(home / "graph", {**GRAPH_FILES, **OF_THE_SERVER, "databases/tree": tree})
    put(home / "vectors.db", {"manifest.json": b"{}", "rows/0.parquet": tree})
    return Settings(home=home)


async def told(settings: Settings) -> dict[str, object]:
    """What a home holds: its log with positions, its memo, and the files of the rest."""
    home = settings.home
    log, memo = SqliteEventLog(home / "events.sqlite"), SqliteMemo(home / "memo.sqlite")
    records = await log.read(CHAPTERS, 0, 99, 2**40)
    found = {
        "log": [(record.offset, record.value) for record in records],
        "position": await log.position("segment.g1", CHAPTERS),
        "memo": await memo.of_work(WorkId("w")),
        "tree": files_in(home / "graph" / "databases"),
        "vectors": files_in(home / "vectors.db"),
    }
    await log.close()
    await memo.close()
    return found


async def test_what_was_backed_up_is_restored_and_nothing_of_a_server(tmp_path: Path) -> None:
    settings = await lived_in(tmp_path / "home")
    before = await told(settings)
    made = await back_up(settings, tmp_path / "backup")
    assert (made.kind, set(made.stores)) == ("home", {"log", "memo", "graph", "vectors"})
    assert stat.S_IMODE((tmp_path / "backup").stat().st_mode) == 0o700
    names = {name.split("/", 1)[-1] for name in files_in(tmp_path / "backup")}
    assert names.isdisjoint(OF_THE_SERVER)
    other = Settings(home=tmp_path / "other")
    done = await restore(other, tmp_path / "backup")
    assert done == made
    assert await told(other) == before
    assert not unfinished_restore(other)
    assert sorted(path.name for path in other.home.iterdir() if path.is_dir()) == [
        "graph", "vectors.db",
    ]  # fmt: skip


async def test_a_log_that_is_written_to_is_backed_up_as_of_one_moment(tmp_path: Path) -> None:
    """What was written last may lie in the journal beside the file alone."""
    settings = await lived_in(tmp_path / "home")
    log = SqliteEventLog(settings.home / "events.sqlite")
    await log.append([as_record(published("9"))])
    await back_up(settings, tmp_path / "backup")
    await log.close()
    with sqlite3.connect(tmp_path / "backup" / "log") as copy:
        assert copy.execute("SELECT count(*) FROM records").fetchone() == (4,)
    copy.close()


async def test_only_what_is_whole_is_there(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        await back_up(Settings(home=tmp_path / "none"), tmp_path / "backup")
    settings = await lived_in(tmp_path / "home")
    put(tmp_path / "backup.partial", {"of a backup that was cut off": b"x"})
    with held(settings.home), pytest.raises(HomeInUse):
        await back_up(settings, tmp_path / "backup")
    assert not (tmp_path / "backup").exists()
    await back_up(settings, tmp_path / "backup")
    assert not (tmp_path / "backup.partial").exists()
    with pytest.raises(UnusableInput, match="not empty"):
        await back_up(settings, tmp_path / "backup")
    (settings.home / "events.sqlite").write_bytes(b"no database" * 1_000)
    with pytest.raises(PermanentError):
        await back_up(settings, tmp_path / "again")
    assert not (tmp_path / "again").exists()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda folder: (folder / "vectors" / "rows" / "0.parquet").write_bytes(b"tre"), "0.parq"),
        (lambda folder: (folder / "graph" / "databases" / "tree").unlink(), "missing"),
        (lambda folder: (folder / MANIFEST).unlink(), "no backup"),
        (lambda folder: (folder / MANIFEST).write_text("{}"), "manifest.json is damaged"),
        (
            lambda folder: (folder / MANIFEST).write_text(
                (folder / MANIFEST).read_text().replace('"size": 4', '"size": 5', 1)
            ),
            "manifest.json is damaged",
        ),
    ],
)
async def test_of_a_damaged_backup_nothing_is_restored(
    tmp_path: Path, damage: Callable[[Path], object], said: str
) -> None:
    settings = await lived_in(tmp_path / "home")
    await back_up(settings, tmp_path / "backup")
    damage(tmp_path / "backup")
    other = await lived_in(tmp_path / "other", chapters=1, tree=b"other")
    before = await told(other)
    with pytest.raises(UnusableInput, match=said):
        await restore(other, tmp_path / "backup", force=True)
    assert await told(other) == before
    assert not any(path.name.endswith(".new") for path in other.home.iterdir())


async def test_an_index_that_is_there_is_replaced_only_by_force(tmp_path: Path) -> None:
    settings = await lived_in(tmp_path / "home")
    (settings.home / "memo.sqlite").unlink()
    await back_up(settings, tmp_path / "backup")
    other = await lived_in(tmp_path / "other", chapters=1, tree=b"other")
    before = await told(other)
    with pytest.raises(UnusableInput, match="--force"):
        await restore(other, tmp_path / "backup")
    assert await told(other) == before
    await restore(other, tmp_path / "backup", force=True)
    assert not (other.home / "memo.sqlite").exists(), "there was none"
    assert await told(other) == await told(settings)


@pytest.mark.parametrize("point", RestorePoint)
async def test_killed_anywhere_a_restore_has_done_nothing_or_is_ended(
    tmp_path: Path, point: RestorePoint
) -> None:
    settings = await lived_in(tmp_path / "home")
    await back_up(settings, tmp_path / "backup")
    other = await lived_in(tmp_path / "other", chapters=1, tree=b"other")
    put(other.home, {"events.sqlite-shm": b"of a process that was killed"})
    before = await told(other)

    def die(at: RestorePoint) -> None:
        if at is point:
            raise SimulatedCrash(at)

    with pytest.raises(SimulatedCrash):
        await restore(other, tmp_path / "backup", force=True, reached=die)
    if point is RestorePoint.COPIED:
        assert await told(other) == before
        await restore(other, tmp_path / "backup", force=True)
    else:
        with pytest.raises(PermanentError, match="was cut off"):
            open_log(other)
        with held(other.home):
            finish(other)
    assert await told(other) == await told(settings)
    assert not unfinished_restore(other)


async def test_of_an_index_on_servers_log_and_memo_are_carried(tmp_path: Path) -> None:
    settings = (await lived_in(tmp_path / "home")).model_copy(update={"graph": "memory:"})
    made = await back_up(settings, tmp_path / "backup")
    assert (made.kind, made.stores) == ("log", ("log", "memo"))
    other = Settings(home=tmp_path / "other", graph="memory:")
    await restore(other, tmp_path / "backup")
    await restore(other, tmp_path / "backup")  # as after a kill: nothing comes twice
    log, memo = open_log(other), SqliteMemo(other.home / "memo.sqlite")
    assert await log.end(CHAPTERS) == 3
    assert len(await memo.of_work(WorkId("w"))) == 1
    await log.close()
    await memo.close()
    with pytest.raises(UnusableInput, match="events already"):
        await restore(settings, tmp_path / "backup")
    (tmp_path / "backup" / "memo" / "memo.jsonl").write_bytes(b"")
    with pytest.raises(UnusableInput, match="damaged"):
        await restore(Settings(home=tmp_path / "third", graph="memory:"), tmp_path / "backup")


async def test_a_backup_of_a_home_is_not_for_servers(tmp_path: Path) -> None:
    await back_up(await lived_in(tmp_path / "home"), tmp_path / "backup")
    servers = Settings(home=tmp_path / "other", graph="memory:")
    with pytest.raises(UnusableInput, match="replay export"):
        await restore(servers, tmp_path / "backup")
    assert read_manifest(tmp_path / "backup").stores
