from __future__ import annotations

import time
from pathlib import Path

from graph.locking import exclusive
from streams import startup


def test_nothing_is_waited_for_while_another_process_is_at_it(tmp_path: Path) -> None:
    with exclusive(tmp_path / "lock"):
        started = time.monotonic()
        trouble = startup.build_quietly(tmp_path)
    assert trouble is not None
    assert "in use by another process" in trouble
    assert time.monotonic() - started < 5


def test_a_folder_that_cannot_be_made_is_told_and_fails_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert startup.build_quietly(tmp_path / "file") is not None
