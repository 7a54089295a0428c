"""Finds the owner of a home, or starts one that ends after idling.

Who wins when two are started at once is decided by the home's lock alone; whoever lost asks the
winner.
"""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from contracts.errors import PermanentError, StorygraftError, TransientError
from graph import process_identity
from graph.locking import AlreadyInUse, exclusive
from streams.adapters import is_empty, lives_in_home
from streams.home_lock import LOCK, HomeInUse, holder, made, unusable
from streams.not_found import nothing_indexed
from streams.operations import Caller
from streams.owner import record
from streams.owner.calling import OwnerGone, calling
from streams.owner.record import OwnerRecord, stamp_of
from streams.settings import Settings

LOG: Final = "owner.log"
BUSY: Final = 5  # exit codes of `storygraft serve`
HELD: Final = 4
_PAUSE_S: Final = 0.02
_START_S: Final = 120.0  # an owner has a graph server to start, on a machine that may be busy
_STOP_S: Final = 15.0
_SILENT_S: Final = 30.0  # for whoever holds the home to say where it is


@asynccontextmanager
async def connected(
    settings: Settings,
    arguments: Sequence[str] = (),
    *,
    must_exist: bool = True,
    repairing: bool = False,
) -> AsyncIterator[Caller]:
    """Connect to the home of `settings`: through its owner, started if there is none.

    A home with nothing in this machine's files is opened here, and so is one whose
    `owner_idle_s` is 0 while nobody owns it. `arguments` are what `storygraft serve` is started
    with beyond the environment. With `repairing` a home of which a store is gone is opened all the
    same, and here, unless somebody owns it.

    Raises:
        NotFound: `must_exist`, and nothing was ever indexed there.
        HomeInUse: it is held by a process that does not answer, or that serves other settings.
        TransientError: a store is down.
        PermanentError: a store cannot be used.
    """
    if must_exist and is_empty(settings):
        raise nothing_indexed(settings)
    owner = await _owner(settings, arguments, repairing) if lives_in_home(settings) else None
    if owner is None:
        # Heavy, and an owner has it loaded.
        from streams.performing import Here  # noqa: PLC0415
        from streams.wiring import open_home  # noqa: PLC0415

        async with open_home(settings, must_exist=must_exist, repairing=repairing) as home:
            await home.hide()
            yield Here(home)
        return
    async with calling(owner) as there:
        yield there


async def stop_owner(settings: Settings) -> bool:
    """End the home's owner, if it has one, by force if need be; say if there was one."""
    owner = record.read(settings.home)
    if owner is None:
        return False
    with suppress(OwnerGone):
        async with calling(owner) as there:
            await there.stop()
    for number in (None, signal.SIGTERM, signal.SIGKILL):
        if number is not None:
            process_identity.send(owner.identity, number)
        if await _ended(owner):
            break
    return True


async def _owner(
    settings: Settings, arguments: Sequence[str], repairing: bool
) -> OwnerRecord | None:
    """Return a fitting owner; None where the home is free and is to be opened here."""
    deadline = time.monotonic() + _SILENT_S
    while True:
        owner = record.read(settings.home)
        if owner is not None and owner.stamp == stamp_of(settings):
            return owner
        if owner is not None:
            await _make_room(settings, owner)
        elif _is_free(settings.home):
            if repairing or settings.owner_idle_s == 0:
                return None
            owner = await _started(settings, arguments)
            if owner is not None:
                return owner
        elif time.monotonic() > deadline:
            raise _silent(settings.home)
        await asyncio.sleep(_PAUSE_S)


async def _make_room(settings: Settings, owner: OwnerRecord) -> None:
    """End an owner of another version or with other settings, if no person started it."""
    if not owner.on_demand:
        raise HomeInUse(
            f"The home {settings.home} is served by process {owner.pid} with other settings, or "
            "by another version: give the same settings, or end it with `storygraft serve --stop`."
        )
    await stop_owner(settings)


async def _ended(owner: OwnerRecord) -> bool:
    deadline = time.monotonic() + _STOP_S
    while owner.alive:
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(_PAUSE_S)
    return True


async def _started(settings: Settings, arguments: Sequence[str]) -> OwnerRecord | None:
    """Start an owner in the background; None when another process got hold of the home first."""
    log = settings.home / LOG
    child = _spawned(settings, arguments, log)
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline:
        owner = record.read(settings.home)
        if owner is not None:
            return owner
        if child.poll() is not None:
            if child.returncode == BUSY:
                return None
            raise _not_started(child.returncode, log)
        await asyncio.sleep(_PAUSE_S)
    raise TransientError(
        f"The owner of the home (process {child.pid}) is not ready after {_START_S:.0f} s: its "
        f"log is {log}."
    )


def _spawned(settings: Settings, arguments: Sequence[str], log: Path) -> subprocess.Popen[bytes]:
    made(settings.home)
    try:
        written = log.open("wb")
    except OSError as error:
        raise unusable(settings.home, error) from error
    with written:
        log.chmod(0o600)
        return subprocess.Popen(
            _command(settings, arguments),
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C at the terminal is for the command alone
        )


def _command(settings: Settings, arguments: Sequence[str]) -> list[str]:
    program = "from streams.cli import main; main()"
    told = ["serve", "--on-demand", "--idle", str(settings.owner_idle_s)]
    return [sys.executable, "-c", program, *told, "--home", str(settings.home), *arguments]


def _not_started(code: int, log: Path) -> StorygraftError:
    """Return the error that the owner ended with: what it said is the last thing in its log."""
    said = log.read_text("utf-8", errors="replace").strip().removeprefix("error: ")
    of = TransientError if code == HELD else PermanentError
    return of(said or f"The owner of the home ended with exit code {code}.")


def _is_free(home: Path) -> bool:
    if not home.exists():
        return True
    try:
        with exclusive(home / LOCK):
            return True
    except AlreadyInUse:
        return False
    except OSError:
        return True  # it cannot be written: whoever opens it says so


def _silent(home: Path) -> HomeInUse:
    return HomeInUse(
        f"The home {home} is held by {holder(home)}, which does not answer: wait until it is done, "
        "or end it."
    )
