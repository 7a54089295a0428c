"""`doctor` and `--repair` in the stores that users have, after every damage."""

from __future__ import annotations

from pathlib import Path

import pytest

from streams.doctor.checking import check
from streams.doctor.repairing import repair
from streams.wiring import open_home
from tests.e2e.damages import OVER_BOLT, ROWS, Damage, Damaged
from tests.e2e.homes import embedded
from tests.e2e.lives import W, live_a_little, shown

pytestmark = pytest.mark.real

_LETTERS = 4_000  # of a chapter: a few scenes


async def test_each_damage_is_named_and_mended(tmp_path: Path) -> None:
    async with open_home(embedded(tmp_path)) as home:
        await live_a_little(home, _LETTERS)
        damaged = Damaged(home, W)
        assert (await check(home)).sound
        before = await shown(home)
        for damages in (ROWS, OVER_BOLT):
            for damage in damages:
                await _harmed_and_mended(damaged, damage)
            assert await shown(home) == before  # what a repair had left wrong would be so still


async def _harmed_and_mended(damaged: Damaged, damage: Damage) -> None:
    await damage.do(damaged)
    found = await check(damaged.home)
    kinds = {finding.kind for finding in found.works[0].findings}
    assert damage.kind in kinds, (damage.name, kinds)
    report = await repair(damaged.home)
    assert report.sound, (damage.name, report)
    assert report.works[0].not_mendable == (), damage.name
