"""`owner.json`: where the owner of a home is, for those who may read the home."""

from __future__ import annotations

import hashlib
import os
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Final

from pydantic import Field, ValidationError

from contracts.frozen import Frozen
from graph import process_identity
from graph.process_identity import ProcessIdentity
from streams.settings import Settings

FILE: Final = "owner.json"
_PER_REQUEST: Final = frozenset(
    {"home", "words", "owner_idle_s", "price_input", "price_output", "currency"}
)
"""Settings that do not change what an owner is: who asks brings them along."""


class OwnerRecord(Frozen):
    """An owner: its URL, the token it wants, its process, and what it was started with.

    `stamp` tells owners apart that another program version or other settings started.
    `on_demand` owners were started by a command that needed one, and end after idling.
    """

    url: str
    token: str = Field(repr=False)
    pid: int
    started: str
    stamp: str
    on_demand: bool

    @property
    def identity(self) -> ProcessIdentity:
        """The owner's process."""
        return ProcessIdentity(self.pid, self.started)

    @property
    def alive(self) -> bool:
        """Whether that very process still runs."""
        return process_identity.alive(self.identity)


def stamp_of(settings: Settings) -> str:
    """Return what must be equal in an owner for a command with `settings` to use it."""
    told = settings.model_dump_json(exclude=set(_PER_REQUEST))
    secrets = (settings.graph_password, settings.model_key, settings.kafka_password)
    shown = [secret.get_secret_value() if secret else "" for secret in secrets]
    digest = hashlib.sha256("\n".join([told, *shown]).encode()).hexdigest()[:16]
    return f"{version('storygraft')}+{digest}"


def write(home: Path, record: OwnerRecord) -> None:
    """Write the record in one step, readable by the home's owner only."""
    handle, name = tempfile.mkstemp(prefix=FILE, dir=home)  # mode 0600 from the first byte on
    with os.fdopen(handle, "wb") as file:
        file.write(record.to_json())
    Path(name).replace(home / FILE)


def read(home: Path) -> OwnerRecord | None:
    """Return the record of a living owner; None where there is none, or only a dead one's."""
    try:
        record = OwnerRecord.model_validate_json((home / FILE).read_bytes())
    except (OSError, ValidationError):
        return None
    return record if record.alive else None


def remove(home: Path, record: OwnerRecord) -> None:
    """Remove the record unless a later owner has written its own."""
    if read(home) == record:
        (home / FILE).unlink(missing_ok=True)
