"""Where the shared books and gold annotations lie: beside the project, never inside it."""

from __future__ import annotations

from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]


def shared_data(*parts: str) -> Path:
    """Return a path in the shared test data; fail, saying what is missing, when it is not there."""
    path = _ROOT.parent.joinpath("shared", "data", *parts)
    if not path.exists():
        raise FileNotFoundError(
            f"shared data {'/'.join(parts) or 'folder'} is missing: tests and evaluation read "
            "books and gold annotations from ../shared/data beside the project's folder"
        )
    return path
