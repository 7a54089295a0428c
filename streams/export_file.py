"""Reads what `storygraft export --json` wrote."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from contracts.answers import Export
from streams.inputs.values import UnusableInput


def read_export(path: Path) -> Export:
    """Read an exported work.

    Raises:
        UnusableInput: the file cannot be read, or is no export.
    """
    try:
        return Export.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UnusableInput(f"{path} cannot be read: {error.strerror}.") from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise UnusableInput(
            f"{path} is no export of this version ({where}: {first['msg']}); write one with "
            "`storygraft export WORK --json`."
        ) from error
