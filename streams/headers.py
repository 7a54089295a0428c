"""Reading the headers of a record, which anybody may have written."""

from __future__ import annotations

from typing import Final

from contracts.ports import Record

_DIGITS: Final = 18  # what 64 bits hold; offsets, times and revisions have no more


def told(record: Record) -> dict[str, str]:
    """Return the headers as texts; of one that repeats, the last."""
    return {name: value.decode("utf-8", errors="replace") for name, value in record.headers}


def number(text: str | None) -> int | None:
    """Return the whole number that `text` is; None where it is none, or too long to be one."""
    fits = text is not None and len(text) <= _DIGITS and text.isascii() and text.isdigit()
    return int(text) if fits and text else None
