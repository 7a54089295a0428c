"""The short form of `make soak-local`: kills around the commit, and one at any moment."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.crash_points import CrashPoint
from replay.soak.driver import Plan, soak

POINTS = (CrashPoint.AFTER_ROWS, CrashPoint.BEFORE_ACK)


@pytest.mark.real
@pytest.mark.timeout(600)
def test_killed_it_ends_as_an_undisturbed_run(tmp_path: Path) -> None:
    told: list[str] = []
    outcome = soak(Plan(random=1, each_point=1, seed=7, points=POINTS), tmp_path, told.append)
    assert (outcome.unlike, outcome.findings, outcome.left) == ([], [], [])
    assert outcome.sound
    assert outcome.kills.total() == len(POINTS) + 1 == len(told)
    assert outcome.works == 3
