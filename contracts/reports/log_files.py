"""The event log, or the whole index, carried into files and out of them."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime

from contracts.frozen import Frozen


class LogExport(Frozen):
    """What `replay export` wrote: `records`, of which `resumed` an earlier run had written.

    Of `withheld` the text was left out, since it was withdrawn. `digest` stands in the last line.
    """

    records: int
    resumed: int
    withheld: int
    digest: str


class LogImport(Frozen):
    """What `replay import` did with the records of a file.

    `new` were appended, `known` the log has had from there already; `problems` names each line that
    cannot be read, and what is missing.
    """

    records: int
    new: int
    known: int
    problems: tuple[str, ...] = ()


class BackupReport(Frozen):
    """A backup that was made or restored: of `files` files of `size` bytes in all.

    Of a home (`kind`) it has the stores themselves; of an index on servers its log and memo.
    """

    kind: Literal["home", "log"]
    made_at: AwareDatetime
    stores: tuple[str, ...]
    files: int
    size: int
