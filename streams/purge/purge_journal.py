"""What a purge was told to do, on the disk until it is done: a home is never opened half purged."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from pydantic import ValidationError

from contracts.errors import PermanentError
from contracts.frozen import Frozen
from contracts.ids import ChapterId, WorkId
from streams import durable_files
from streams.settings import Settings

_FILE: Final = "purge.json"


class PurgeOrder(Frozen):
    """Which publications of a work are to lose their text; only those below `until` in the log.

    All of the withdrawn `chapter_ids`; and those of `earlier` (None: of every chapter) at
    positions below `floor`, which a withdrawal of the whole work made stale.
    """

    work_id: WorkId
    chapter_ids: tuple[ChapterId, ...]
    earlier: tuple[ChapterId, ...] | None
    floor: int
    until: int

    def takes(self, chapter_id: str | None, position: int) -> bool:
        """Say whether the publication at `position` is to lose its text."""
        if position >= self.until:
            return False
        if position < self.floor and (self.earlier is None or chapter_id in self.earlier):
            return True
        return chapter_id in self.chapter_ids


class Phase(StrEnum):
    """How far a purge is: what the next process has to do."""

    EMPTYING = "emptying"  # all of it again: nothing that was done changes by being done twice
    SWAPPING = "swapping"  # the fresh stores are whole: put them in the old ones' places


class Journal(Frozen):
    """A purge that has begun."""

    order: PurgeOrder
    phase: Phase = Phase.EMPTYING


def unfinished_purge(settings: Settings) -> bool:
    """Say whether a purge of the home has begun and not ended."""
    return (settings.home / _FILE).exists()


def read(settings: Settings) -> Journal:
    """Return the journal of the unfinished purge.

    Raises:
        PermanentError: it cannot be read.
    """
    path = settings.home / _FILE
    try:
        return Journal.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise PermanentError(
            f"The journal {path} of a purge that was cut off cannot be read: put the file back "
            "from a copy, or use the storygraft that began the purge."
        ) from error


def write(settings: Settings, journal: Journal) -> None:
    """Keep `journal`, in place of what was kept before; it is on the disk on return."""
    path = settings.home / _FILE
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    durable_files.keep(path, journal.to_json())


def remove(settings: Settings) -> None:
    """Forget the journal: the purge is done, or was given up."""
    durable_files.forget(settings.home / _FILE)
