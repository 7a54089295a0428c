"""Dropping a generation: nothing of it is left, wherever it is cut off on the way."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from contracts.errors import PermanentError
from contracts.ids import FIRST_GENERATION, Generation
from contracts.topics import GENERATIONS
from streams.generations.catching_up import CatchingUp
from streams.generations.dropping import Dropper
from streams.generations.path import intakes_of, topics_of
from streams.generations.registry import Generations
from streams.generations.swapping import Swapper
from streams.publishing import record_of
from streams.session import Home
from streams.wiring import opened
from tests.e2e.homes import publish
from tests.unit.streams.generations.cutting import (
    CutOffError,
    Scissors,
    cut_log,
    cut_tree,
    cut_vectors,
)
from tests.unit.streams.generations.rebuilds import Rebuild, W, settings, text, told

G2 = Generation("g2")


def dropper(home: Home, scissors: Scissors | None = None, grace_s: float = 0.0) -> Dropper:
    cut = scissors or Scissors()
    log = cut_log(home.log, cut)
    return Dropper(
        log, cut_tree(home.tree, cut), cut_vectors(home.vectors, cut), Generations(log), grace_s
    )


async def swap(home: Home, to: Generation) -> None:
    generations = Generations(home.log)
    await Swapper(home.tree, generations, CatchingUp(home.log, 0.0)).swap(to, "for a test")


async def two(home: Home, layer: str = "tree") -> Rebuild:
    await publish(home, [text(1), text(2)])
    rebuild = await Rebuild.started(home, layer)
    await rebuild.run()
    return rebuild


async def left(home: Home, generation: Generation) -> list[object]:
    """Everything that there still is of a generation."""
    generations = Generations(home.log)
    await generations.refresh()
    known = generations.get(generation)
    assert known is not None
    groups = [await home.log.position(i.group, i.source) for i in intakes_of(known)]
    ends = [await home.log.ends(topic) for topic in topics_of(generation)]
    return [
        *await home.tree.works(generation),
        *await home.vectors.keys(W, generation),
        *filter(None, groups),
        *filter(None, ends),
    ]


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Home]:
    async with opened(settings(tmp_path)) as home:
        yield home


async def test_nothing_is_left_of_it_and_the_other_is_as_it_was(home: Home) -> None:
    await two(home)
    before = await told(home)
    works: list[int] = []
    report = await dropper(home).drop(G2, works.append)
    assert (report.generation, report.works, works) == (G2, 1, [1])
    assert await left(home, G2) == []
    assert await told(home) == before
    await home.generations.refresh()
    known = home.generations.get(G2)
    assert known is not None
    assert known.erased
    with pytest.raises(PermanentError, match="Generation g2 was dropped; there is g1"):
        await dropper(home).drop(G2, works.append)


async def test_what_is_live_is_kept(home: Home) -> None:
    await two(home)
    with pytest.raises(PermanentError, match=r"^g1 is live: swap to another generation first"):
        await dropper(home).drop(FIRST_GENERATION, lambda _: None)
    assert await left(home, FIRST_GENERATION)


async def test_what_another_one_copies_from_is_kept_until_it_has_all(home: Home) -> None:
    await publish(home, [text(1), text(2)])
    third = await Rebuild.started(home, "tree")
    await home.tree.point(Generation("g9"), FIRST_GENERATION)
    with pytest.raises(PermanentError, match="g2 is still copying the scenes of g1"):
        await dropper(home).drop(FIRST_GENERATION, lambda _: None)
    await third.run()
    await dropper(home).drop(FIRST_GENERATION, lambda _: None)
    assert await left(home, FIRST_GENERATION) == []


async def test_cut_off_at_any_step_it_is_dropped_again_to_the_same_end(tmp_path: Path) -> None:
    steps = 0
    while True:
        async with opened(settings(tmp_path)) as home:
            await two(home)
            before = await told(home)
            cut = Scissors(left=steps)
            try:
                await dropper(home, cut).drop(G2, lambda _: None)
            except CutOffError:
                steps += 1
            else:
                break
            await dropper(home).drop(G2, lambda _: None)
            assert await left(home, G2) == []
            assert await told(home) == before
    assert steps >= 6, "groups, that it is dropped, rows, nodes, topics, that it is erased"


async def test_after_a_swap_the_new_one_goes_on_without_the_one_it_was_copied_from(
    home: Home,
) -> None:
    rebuild = await two(home)
    await swap(home, G2)
    await dropper(home).drop(FIRST_GENERATION, lambda _: None)
    assert await left(home, FIRST_GENERATION) == []
    await home.log.append([record_of(text(3))])
    await home.generations.refresh()
    await rebuild.run()
    view = await home.tree.view(W, None)
    assert view is not None
    assert view.generation == G2
    assert [each.chapter_id for each in await view.chapters()] == ["1", "2", "3"]
    await CatchingUp(home.log, 0.0)(rebuild.known)


async def test_readers_who_began_before_the_swap_may_end(home: Home) -> None:
    await two(home)
    await swap(home, G2)
    began = time.monotonic()
    await dropper(home, grace_s=0.4).drop(FIRST_GENERATION, lambda _: None)
    assert time.monotonic() - began > 0.2
    assert await home.log.end(GENERATIONS) == 5
