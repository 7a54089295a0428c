"""`doctor` names every damage and `--repair` mends it, in a home in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from contracts.errors import TransientError
from contracts.ids import FIRST_GENERATION
from contracts.ports import NewRecord
from contracts.reports import FindingKind
from contracts.topics import CHAPTERS
from graph.grafting_plan import linked_keys
from streams.doctor.checking import check
from streams.doctor.repairing import repair
from streams.not_found import NotFound
from streams.wiring import open_home
from tests.e2e.damages import IN_MEMORY, ROWS, Damage, Damaged, text_changed, work_forgotten
from tests.e2e.homes import exported, in_memory
from tests.e2e.lives import W, live_a_little, shown


@pytest.fixture
async def sound(tmp_path: Path) -> AsyncIterator[Damaged]:
    async with open_home(in_memory(tmp_path)) as home:
        await live_a_little(home, letters=4_000)
        yield Damaged(home, W)


@pytest.mark.parametrize("damage", [*ROWS, *IN_MEMORY], ids=str)
async def test_each_damage_is_named_and_mended(sound: Damaged, damage: Damage) -> None:
    home = sound.home
    before = await shown(home)
    assert (await check(home)).sound
    await damage.do(sound)
    found = await check(home)
    assert damage.kind in {finding.kind for finding in found.works[0].findings}
    told = await repair(home, dry_run=True)
    assert told.works[0].done
    assert await check(home) == found
    report = await repair(home)
    assert report.works[0].done
    assert report.works[0].not_mendable == ()
    assert report.sound
    assert await shown(home) == before
    assert (await check(home)).sound


async def test_nothing_is_done_to_a_sound_home(sound: Damaged) -> None:
    before = await sound.work()
    assert (await repair(sound.home)).works == ()
    assert await sound.work() == before


async def test_only_the_work_that_was_named_is_mended(sound: Damaged) -> None:
    await ROWS[0].do(sound)
    with pytest.raises(NotFound):
        await repair(sound.home, "another")
    assert not (await check(sound.home)).sound
    assert (await repair(sound.home, W)).sound


async def test_rows_of_an_event_that_waits_are_not_stray(sound: Damaged) -> None:
    """Its rows are written, and the graft that will link them has not come yet."""
    home = sound.home
    keys = await home.vectors.keys(W, FIRST_GENERATION)
    end = await home.log.end(CHAPTERS)
    record = (await home.log.read_key(CHAPTERS, W.encode()))[1]
    value = (record.value or b"").replace(b" the ", b" that ")
    await home.log.append([NewRecord(CHAPTERS, record.key, value)])
    up_to_embed = [stage for stage in home.stages if stage.intake.name in ("segment", "embed")]
    runner = home.runner()
    runner.stages = up_to_embed
    await runner.run_until_idle()
    assert await home.vectors.keys(W, FIRST_GENERATION) > keys
    assert (await repair(home)).works == ()
    await home.runner().run_until_idle()
    assert (await check(home)).sound
    work = await sound.work()
    linked = frozenset(linked_keys(work, work.chapters))
    assert await home.vectors.keys(W, FIRST_GENERATION) == linked
    assert end in {chapter.row_position for chapter in work.chapters}


async def test_what_the_log_no_longer_holds_is_said(sound: Damaged) -> None:
    home = sound.home
    await text_changed(sound)
    await home.log._file.call(  # type: ignore[attr-defined]
        lambda connection: connection.execute("UPDATE records SET value = NULL WHERE key IS NOT 0")
    )
    before = await sound.work()
    report = await repair(home)
    (mended,) = report.works
    assert any("publish it again" in text for text in mended.not_mendable)
    assert FindingKind.TEXT_WRONG in {finding.kind for finding in mended.findings}
    assert await sound.work() == before, "what cannot be had again is not thrown away"


async def test_a_repair_that_is_cut_off_is_finished_by_the_next(
    sound: Damaged, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = sound.home
    before = await shown(home)
    await text_changed(sound)

    async def down(*_: object) -> None:
        raise TransientError("the vector store is down")

    with monkeypatch.context() as patched:
        patched.setattr(home.vectors, "upsert", down)
        with pytest.raises(TransientError, match="run the same command again"):
            await repair(home)
    assert FindingKind.CHAPTER_LOST in {
        finding.kind for finding in (await check(home)).works[0].findings
    }
    assert (await repair(home)).sound
    assert await shown(home) == before


async def test_a_work_that_only_the_log_knows_is_indexed_again(sound: Damaged) -> None:
    before = await exported(sound.home, W)
    await work_forgotten(sound)
    await sound.home.vectors.drop(W, FIRST_GENERATION)
    assert [each.work_id for each in (await check(sound.home)).works] == [W]
    assert (await repair(sound.home)).sound
    assert await exported(sound.home, W) == before
