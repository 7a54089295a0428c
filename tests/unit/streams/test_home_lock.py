"""One process a home, and whoever comes second is told who was first."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from contracts.errors import PermanentError
from streams.home_lock import HomeInUse, held


def test_the_second_is_told_the_first_ones_pid(tmp_path: Path) -> None:
    home = tmp_path / "a" / "b"
    told = f"in use by process {os.getpid()}"
    with held(home), pytest.raises(HomeInUse, match=told), held(home):
        pass
    with held(home):
        pass


def test_it_is_let_go_when_the_work_fails(tmp_path: Path) -> None:
    with pytest.raises(KeyError), held(tmp_path):
        raise KeyError
    with held(tmp_path):
        pass


def test_a_home_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(PermanentError, match="cannot be used"), held(tmp_path / "file"):
        pass
