"""Which format a collection's rows have: it stands among the collection's properties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from contracts.errors import PermanentError

ROW_FORMAT: Final = 1
"""Raised whenever a field, or what stands in one, changes."""

_UNNUMBERED: Final = 1  # what collections have that were made before formats were numbered
_PROPERTY: Final = "storygraft.format"


def properties() -> dict[str, str]:
    """Return the properties of a collection of this program's format."""
    return {_PROPERTY: str(ROW_FORMAT)}


def refuse_another(described: Mapping[str, Any], fields: Sequence[str], *, shared: bool) -> None:
    """Return if the collection has our format and exactly these fields.

    Args:
        described: what `describe_collection` says.
        fields: the names of the fields that this program writes.
        shared: whether it is a server's, of which one can drop a collection.

    Raises:
        PermanentError: it has another format; the text says what to do.
    """
    name = described["collection_name"]
    told = str(dict(described.get("properties") or {}).get(_PROPERTY, ""))
    number = int(told) if told.isdecimal() else _UNNUMBERED
    if number > ROW_FORMAT:
        raise PermanentError(
            f"The rows of {name} have format {number}, this program knows {ROW_FORMAT}: use the "
            "newer storygraft that wrote them."
        )
    there = {field["name"] for field in described["fields"]}
    if number < ROW_FORMAT or there != set(fields):
        raise PermanentError(
            f"The rows of {name} are of an older format than this program's: "
            f"{'drop that collection' if shared else 'remove the folder of the vectors'}, then let "
            "`storygraft doctor --repair` write its rows again from the texts."
        )
