"""What a backup holds: every file with its checksum, in a file that has one of its own."""

from __future__ import annotations

import json
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path
from typing import Final, Literal

from pydantic import AwareDatetime, ValidationError

from contracts.frozen import Frozen
from contracts.reports import BackupReport
from streams.inputs.values import UnusableInput

MANIFEST: Final = "manifest.json"
_DIGEST_BYTES: Final = 32
_READ_BYTES: Final = 1_000_000


class BackupKind(StrEnum):
    """What is in a backup."""

    HOME = "home"
    """The stores of a home, file by file."""

    LOG = "log"
    """Of an index on servers: the event log and the memo, of which all else is made again."""


class BackedFile(Frozen):
    """A file of the backup: its path there, its size in bytes and its digest."""

    path: str
    size: int
    digest: str


class Manifest(Frozen):
    """A backup. `stores` are those that there were, by name; `files` are sorted by path."""

    storygraft_backup: Literal[1] = 1
    kind: BackupKind
    made_at: AwareDatetime
    stores: tuple[str, ...]
    files: tuple[BackedFile, ...]


class _Sealed(Frozen):
    manifest: Manifest
    digest: str


def report_of(manifest: Manifest) -> BackupReport:
    """Return what is told of a backup that was made or restored."""
    return BackupReport(
        kind=manifest.kind.value,
        made_at=manifest.made_at,
        stores=manifest.stores,
        files=len(manifest.files),
        size=sum(file.size for file in manifest.files),
    )


def backed_file(folder: Path, path: Path) -> BackedFile:
    """Return the line of a file that lies in the backup's `folder`."""
    size, digest = digest_of(path)
    return BackedFile(path=path.relative_to(folder).as_posix(), size=size, digest=digest)


def new_digest() -> blake2b:
    """Return the state of a digest of nothing."""
    return blake2b(digest_size=_DIGEST_BYTES)


def digest_of(path: Path) -> tuple[int, str]:
    """Return a file's size in bytes and the digest of what it holds."""
    state, size = new_digest(), 0
    with path.open("rb") as file:
        while some := file.read(_READ_BYTES):
            state.update(some)
            size += len(some)
    return size, state.hexdigest()


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest: from then on the backup is whole."""
    sealed = _Sealed(manifest=manifest, digest=_digest(manifest))
    (folder / MANIFEST).write_text(json.dumps(sealed.model_dump(mode="json"), indent=1), "utf-8")


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a backup.

    Raises:
        UnusableInput: the folder is no backup, or its manifest is damaged or of another format.
    """
    path = folder / MANIFEST
    try:
        sealed = _Sealed.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UnusableInput(f"{folder} is no backup: {path} cannot be read.") from error
    except ValidationError as error:
        raise UnusableInput(
            f"{path} is damaged, or of a newer storygraft: nothing is restored from it."
        ) from error
    if sealed.digest != _digest(sealed.manifest):
        raise UnusableInput(f"{path} is damaged: nothing is restored from it.")
    return sealed.manifest


def _digest(manifest: Manifest) -> str:
    return blake2b(manifest.to_json(), digest_size=_DIGEST_BYTES).hexdigest()
