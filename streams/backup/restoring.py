"""`restore`: the index out of a backup, in the place of what is there, if anything is.

Of a home the stores are copied beside their places and compared with the manifest first. Then a
journal says that they are whole, and they take the places of the old ones; whoever opens a home
whose restoring was cut off in between ends it.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Final

from contracts.errors import PermanentError
from contracts.ports import EventLog, TreeStore
from contracts.reports import BackupReport
from contracts.topics import CHAPTERS
from graph.arcade_command import RECORD_FILE
from graph.child_process import end_recorded
from streams import adapters, headers
from streams.backup import restore_journal
from streams.backup.backing_up import LOG_FILE, MEMO_FILE
from streams.backup.copying import copy_checked
from streams.backup.manifest import BackupKind, Manifest, digest_of, read_manifest, report_of
from streams.backup.places import GRAPH, LOG, MEMO_STORE, StorePlace, is_embedded, places_of
from streams.backup.restore_journal import RestoreJournal
from streams.durable_files import settle
from streams.home_lock import held
from streams.inputs.values import UnusableInput
from streams.log_files.exporting import IMPORTED
from streams.log_files.importing import import_from
from streams.logs.memo_files import import_entries
from streams.purge import purge_journal
from streams.purge.store_swapping import discard_fresh, fresh_place, swap
from streams.settings import Settings

_BESIDE: Final = ("-wal", "-shm")
"""Files of a SQLite database that are in use beside it, and would be taken for the new one's."""


class RestorePoint(StrEnum):
    """A moment of restoring a home between two effects."""

    COPIED = "copied"
    WRITTEN = "written"
    CLEARED = "cleared"
    SWAPPED = "swapped"


Reached = Callable[[RestorePoint], None]


def _go_on(point: RestorePoint) -> None:
    """Do nothing: nobody wants the process to end at `point`."""


async def restore(
    settings: Settings, folder: Path, *, force: bool = False, reached: Reached = _go_on
) -> BackupReport:
    """Make the index what it was when the backup in `folder` was made.

    Nothing is replaced before all of it is read and found whole. A log of servers is imported, and
    indexed anew by their workers; the same call again goes on where it was cut off.

    Raises:
        UnusableInput: the folder is no backup, or damaged; or there is an index already.
        HomeInUse: another process has the home.
        TransientError: a server does not answer.
        PermanentError: a store cannot be written.
    """
    manifest = read_manifest(folder)
    if manifest.kind is BackupKind.LOG:
        await _restore_log(settings, folder, manifest)
    elif is_embedded(settings):
        await _restore_home(settings, folder, manifest, reached, force=force)
    else:
        raise UnusableInput(
            f"{folder} is a backup of a home, and log, graph or vectors are set to be on servers: "
            "restore it into a home, then carry its log over with `storygraft replay export`."
        )
    return report_of(manifest)


def finish(settings: Settings, reached: Reached = _go_on) -> None:
    """End a restore that was cut off; the caller holds the home, and it is not open.

    Raises:
        PermanentError: the journal cannot be read.
    """
    _put_in_place(settings, restore_journal.read(settings), reached)


# --- a home ---------------------------------------------------------------------------------------


async def _restore_home(
    settings: Settings, folder: Path, manifest: Manifest, reached: Reached, *, force: bool
) -> None:
    places = places_of(settings)
    with held(settings.home):
        found = [place.name for place in places if place.path.exists()]
        if found and not force:
            raise UnusableInput(
                f"The home {settings.home} has an index already ({', '.join(found)}): give another "
                "--home, or --force to have it replaced."
            )
        await asyncio.to_thread(_copy_beside, folder, manifest, places)
        reached(RestorePoint.COPIED)
        absent = {place.name for place in places}.difference(manifest.stores)
        journal = RestoreJournal(stores=manifest.stores, absent=tuple(sorted(absent)))
        restore_journal.write(settings, journal)
        _put_in_place(settings, journal, reached)


def _copy_beside(folder: Path, manifest: Manifest, places: Sequence[StorePlace]) -> None:
    """Copy the backup's stores beside their places, or nothing where one file is not whole."""
    by_name = {place.name: place.path for place in places}
    discard_fresh(by_name.values())
    try:
        for file in manifest.files:
            copy_checked(folder, file, _fresh_file(by_name, manifest, file.path))
        for name in manifest.stores:
            _settle(fresh_place(by_name[name]))
    except OSError as error:
        discard_fresh(by_name.values())
        raise PermanentError(
            f"The backup cannot be copied beside the stores: {error.strerror}; nothing is changed."
        ) from error
    except BaseException:
        discard_fresh(by_name.values())
        raise


def _fresh_file(by_name: Mapping[str, Path], manifest: Manifest, path: str) -> Path:
    """Return where a file of the backup goes.

    Raises:
        UnusableInput: it is of no store that there is here.
    """
    name, *inner = PurePosixPath(path).parts
    if name not in by_name or name not in manifest.stores or ".." in inner:
        raise UnusableInput(f"The backup holds {path}, which is of no store here.")
    return fresh_place(by_name[name]).joinpath(*inner)


def _settle(store: Path) -> None:
    folders = [store, *(path for path in store.rglob("*") if path.is_dir())]
    for folder in folders if store.is_dir() else ():
        settle(folder)
    settle(store.parent)


def _put_in_place(settings: Settings, journal: RestoreJournal, reached: Reached) -> None:
    """Replace the old stores; cut off anywhere, the same call again comes to the same."""
    reached(RestorePoint.WRITTEN)
    places = {place.name: place.path for place in places_of(settings)}
    if purge_journal.unfinished_purge(settings):
        purge_journal.remove(settings)  # of the stores that go
    if GRAPH in places:
        end_recorded(places[GRAPH] / RECORD_FILE)
    _clear(places[name] for name in journal.stores if fresh_place(places[name]).exists())
    _clear(places[name] for name in journal.absent)
    reached(RestorePoint.CLEARED)
    swap(places[name] for name in journal.stores)
    reached(RestorePoint.SWAPPED)
    restore_journal.remove(settings)


def _clear(stores: Iterable[Path]) -> None:
    """Remove old stores, and what SQLite has beside them."""
    for store in stores:
        if store.is_dir():
            shutil.rmtree(store)
        for path in (store, *(store.with_name(store.name + each) for each in _BESIDE)):
            path.unlink(missing_ok=True)
        settle(store.parent)


# --- an index on servers --------------------------------------------------------------------------


async def _restore_log(settings: Settings, folder: Path, manifest: Manifest) -> None:
    """Import log and memo, into a home too; what is there of them already stays."""
    for file in manifest.files:
        if digest_of(folder / file.path) != (file.size, file.digest):
            raise UnusableInput(f"{folder / file.path} is damaged, and nothing is restored.")
    async with AsyncExitStack() as stack:
        if adapters.lives_in_home(settings):
            stack.enter_context(held(settings.home))
        log = adapters.open_log(settings)
        stack.push_async_callback(log.close)
        memo = adapters.open_memo(settings)
        stack.push_async_callback(memo.close)
        await _require_empty(log, await adapters.open_tree(settings, stack))
        with (folder / MEMO_STORE / MEMO_FILE).open("rb") as lines:
            await import_entries(memo, lines)
        await import_from(log, folder / LOG / LOG_FILE)


async def _require_empty(log: EventLog, tree: TreeStore) -> None:
    """Refuse an index that has heard of anything but what an earlier restore imported.

    Raises:
        UnusableInput: it has; positions of the one log mean nothing beside those of the other.
    """
    ends = await log.ends(CHAPTERS)
    for partition, end in enumerate(ends):
        async for record in log.span(CHAPTERS, partition, 0, min(end, 1)):
            if IMPORTED not in headers.told(record):
                raise UnusableInput(
                    "The log has events already: restore into new topics (topic_prefix), or use "
                    "`storygraft replay import`."
                )
    if not any(ends) and await tree.works():
        raise UnusableInput(
            "The graph knows works already, and the log has none: restore beside an empty graph."
        )
