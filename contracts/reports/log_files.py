"""An event log carried into a file, and out of one."""

from __future__ import annotations

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
