"""`backup`: the index into a folder that appears only when it is whole."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack, ExitStack
from datetime import UTC, datetime
from pathlib import Path

from contracts.ids import WorkId
from contracts.ports import EventLog
from contracts.reports import BackupReport
from contracts.topics import CHAPTERS
from graph.arcade_command import RECORD_FILE
from graph.child_process import end_recorded
from graph.locking import exclusive
from streams import adapters, wiring
from streams.backup.copying import copy_database, copy_file
from streams.backup.manifest import BackupKind, Manifest, backed_file, report_of, write_manifest
from streams.backup.places import (
    GRAPH,
    LOG,
    MEMO_STORE,
    StorePlace,
    files_of,
    is_embedded,
    places_of,
)
from streams.durable_files import settle
from streams.home_lock import held
from streams.inputs.values import UnusableInput
from streams.log_files.exporting import Selection, export_to
from streams.logs.memo_files import export_entries
from streams.not_found import nothing_indexed
from streams.settings import Settings

LOG_FILE = "log.jsonl.gz"
MEMO_FILE = "memo.jsonl"


async def back_up(settings: Settings, folder: Path) -> BackupReport:
    """Write the index into `folder`, which is made; it is there only once it is whole.

    Of a home nothing else may be done meanwhile, and an owner must have ended. Servers go on.

    Raises:
        NotFound: nothing was ever indexed there.
        UnusableInput: the folder is there already, or cannot be written.
        HomeInUse: another process has the home.
        TransientError: a store cannot be read now.
        PermanentError: a store is damaged.
    """
    if adapters.is_empty(settings):
        raise nothing_indexed(settings)
    try:
        fresh = _made(folder)
        manifest = await (_home if is_embedded(settings) else _log)(settings, fresh)
        _finish(fresh, manifest, folder)
    except OSError as error:
        raise UnusableInput(f"{folder} cannot be written: {error.strerror}.") from error
    return report_of(manifest)


def _made(folder: Path) -> Path:
    """Return the folder in which the backup is made, empty: what was cut off before goes."""
    if folder.exists() and any(folder.iterdir()):
        raise UnusableInput(f"{folder} is not empty: name a folder that is not there.")
    fresh = folder.with_name(folder.name + ".partial")
    if fresh.exists():
        shutil.rmtree(fresh)
    fresh.mkdir(mode=0o700, parents=True)
    return fresh


def _finish(fresh: Path, manifest: Manifest, folder: Path) -> None:
    write_manifest(fresh, manifest)
    for each in (fresh, *(path for path in fresh.rglob("*") if path.is_dir())):
        settle(each)
    if folder.exists():
        folder.rmdir()
    fresh.rename(folder)
    settle(folder.parent)


async def _home(settings: Settings, fresh: Path) -> Manifest:
    """Copy the stores of a home that nobody else has."""
    with ExitStack() as stack:
        stack.enter_context(held(settings.home))
        await wiring.end_what_was_begun(settings)
        there = [place for place in places_of(settings) if place.path.exists()]
        for place in there:
            if place.name == GRAPH:
                stack.enter_context(exclusive(place.path / "lock"))
                end_recorded(place.path / RECORD_FILE)  # a server that outlived its owner
            await asyncio.to_thread(_copy, place, fresh / place.name)
    return _manifest(BackupKind.HOME, fresh, (place.name for place in there))


def _copy(place: StorePlace, target: Path) -> None:
    if place.kind is not None:
        copy_database(place.path, target, place.kind)
        return
    for file in files_of(place):
        inner = file.relative_to(place.path)
        copy_file(file, target / inner if place.path.is_dir() else target)


async def _log(settings: Settings, fresh: Path) -> Manifest:
    """Write log and memo of an index on servers; they go on meanwhile."""
    await adapters.require_topic(settings, CHAPTERS)
    for name in (LOG, MEMO_STORE):
        (fresh / name).mkdir(mode=0o700)
    async with AsyncExitStack() as stack:
        log = adapters.open_log(settings)
        stack.push_async_callback(log.close)
        memo = adapters.open_memo(settings)
        stack.push_async_callback(memo.close)
        await export_to(log, fresh / LOG / LOG_FILE, Selection())
        with (fresh / MEMO_STORE / MEMO_FILE).open("wb") as out:
            for work_id in await _works(log):
                await export_entries(memo, work_id, out)
    return _manifest(BackupKind.LOG, fresh, (LOG, MEMO_STORE))


async def _works(log: EventLog) -> Sequence[WorkId]:
    """Return every work that has an event in the log."""
    keys: set[bytes] = set()
    for partition, end in enumerate(await log.ends(CHAPTERS)):
        async for record in log.span(CHAPTERS, partition, 0, end):
            keys.add(record.key or b"")
    return [WorkId(key.decode("utf-8", errors="replace")) for key in sorted(keys - {b""})]


def _manifest(kind: BackupKind, fresh: Path, stores: Iterable[str]) -> Manifest:
    files = sorted(path for path in fresh.rglob("*") if path.is_file())
    return Manifest(
        kind=kind,
        made_at=datetime.now(UTC),
        stores=tuple(stores),
        files=tuple(backed_file(fresh, path) for path in files),
    )
