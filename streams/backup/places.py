"""Which stores of a home a backup holds, where they lie, and which of their files are theirs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from graph.arcade_command import PASSWORD_FILE, RECORD_FILE
from streams import adapters
from streams.logs.sqlite_database import FileKind
from streams.logs.sqlite_log import EVENT_LOG
from streams.logs.sqlite_memo import MEMO
from streams.settings import Settings

LOG: Final = "log"
MEMO_STORE: Final = "memo"
GRAPH: Final = "graph"
VECTORS: Final = "vectors"

_LEFT_OUT: Final = {
    # Of the server that ran, not of what it keeps; its password is made up anew.
    GRAPH: ("lock", "server.log", RECORD_FILE, PASSWORD_FILE, "config/server-users.jsonl", "log"),
    VECTORS: (),
}


@dataclass(frozen=True, slots=True)
class StorePlace:
    """A store that lies in files: at `path`, a SQLite file of `kind`, or a folder without one."""

    name: str
    path: Path
    kind: FileKind | None = None


def places_of(settings: Settings) -> tuple[StorePlace, ...]:
    """Return the stores that lie in files, whether they are there or not."""
    found = (
        (LOG, adapters.log_file(settings), EVENT_LOG),
        (MEMO_STORE, adapters.memo_file(settings), MEMO),
        (GRAPH, adapters.graph_folder(settings), None),
        (VECTORS, adapters.vector_folder(settings), None),
    )
    return tuple(StorePlace(name, path, kind) for name, path, kind in found if path is not None)


def is_embedded(settings: Settings) -> bool:
    """Say whether log, graph and vectors all lie in files."""
    return {LOG, GRAPH, VECTORS} <= {place.name for place in places_of(settings)}


def files_of(place: StorePlace) -> Iterator[Path]:
    """Yield the files of a store that lies in a folder, less what is not part of what it keeps."""
    if place.path.is_file():
        yield place.path
        return
    left_out = [PurePosixPath(each) for each in _LEFT_OUT[place.name]]
    for path in sorted(place.path.rglob("*")):
        inner = PurePosixPath(path.relative_to(place.path).as_posix())
        is_out = any(inner == each or each in inner.parents for each in left_out)
        if path.is_file() and not path.is_symlink() and not is_out:
            yield path
