"""Other weights of placement make another tree, and everyone who folds uses the same."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from contracts.ids import FIRST_GENERATION
from contracts.ports import NewRecord
from contracts.topics import CHAPTERS
from graph.placement_weights import WEIGHTS
from streams.demo_story import read_story
from streams.doctor.checking import check
from streams.doctor.repairing import repair
from streams.session import Home
from streams.settings import UnusableSettings, load_settings
from streams.wiring import open_home
from tests.unit.streams.homes import IN_MEMORY

OTHER = Path(__file__).with_name("weights.json")
STORY = read_story()


@asynccontextmanager
async def told(weights: Path | None) -> AsyncIterator[Home]:
    """Open a home under these weights that the demo's serial is told to."""
    settings = IN_MEMORY.model_copy(update={"placement_weights": weights})
    async with open_home(settings) as home:
        work = STORY.work_id.encode()
        await home.log.append(
            [NewRecord(CHAPTERS, work, each.to_json()) for each in STORY.given.chapters]
        )
        await home.runner().run_until_idle()
        yield home


async def tree(home: Home) -> tuple[object, ...]:
    records = await home.tree.records(STORY.work_id, FIRST_GENERATION)
    return (records, await home.tree.rows(STORY.work_id, FIRST_GENERATION))


async def test_other_weights_give_another_tree_that_doctor_finds_sound() -> None:
    async with told(None) as usual, told(OTHER) as other, told(OTHER) as again:
        built = await tree(other)
        assert built != await tree(usual)
        assert built == await tree(again)
        assert (await check(other)).sound
        assert (await repair(other)).works == ()
        assert await tree(other) == built


async def test_doctor_folds_with_the_weights_that_are_set() -> None:
    async with told(None) as usual, told(OTHER) as other:
        expected = await tree(other)
        reset = replace(usual, ports=replace(usual.ports, weights=other.ports.weights))

        assert not (await check(reset)).sound
        assert (await repair(reset)).sound
        assert await tree(usual) == expected


def test_a_table_that_is_none_is_named_with_its_setting(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text("{}")

    with pytest.raises(
        UnusableSettings, match=r"placement_weights: the table .*mine\.json is none"
    ):
        load_settings(placement_weights=file)


def test_without_a_table_the_built_in_weights_hold(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_settings().weights == WEIGHTS
    assert load_settings(placement_weights=OTHER).weights != WEIGHTS
