"""That the stores of a backup are whole beside their places, on the disk until they are in them."""

from __future__ import annotations

from typing import Final

from pydantic import ValidationError

from contracts.errors import PermanentError
from contracts.frozen import Frozen
from streams import durable_files
from streams.settings import Settings

_FILE: Final = "restore.json"


class RestoreJournal(Frozen):
    """Which stores take their places, by name, and of which nothing is to be left."""

    stores: tuple[str, ...]
    absent: tuple[str, ...]


def unfinished_restore(settings: Settings) -> bool:
    """Say whether restoring the home was cut off while stores took their places."""
    return (settings.home / _FILE).exists()


def read(settings: Settings) -> RestoreJournal:
    """Return the journal of the unfinished restore.

    Raises:
        PermanentError: it cannot be read.
    """
    path = settings.home / _FILE
    try:
        return RestoreJournal.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise PermanentError(
            f"The journal {path} of a restore that was cut off cannot be read: restore again with "
            "--force."
        ) from error


def write(settings: Settings, journal: RestoreJournal) -> None:
    """Keep `journal`; it is on the disk on return."""
    durable_files.keep(settings.home / _FILE, journal.to_json())


def remove(settings: Settings) -> None:
    """Forget the journal: every store is in its place."""
    durable_files.forget(settings.home / _FILE)
