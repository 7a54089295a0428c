"""The map of a work that does not fit: within its tokens, and a way to every scene."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from contracts.outline import Outline
from processors.story_map.showing import Maps, ShownMap
from processors.token_bounds import tokens_at_most
from tests.unit.processors.story_map.outlines import deep, flat, scene

BUDGET = 12_000
MAPS = Maps()


@cache
def long_work() -> Outline:
    return deep(chapters=2_000, scenes_each=10)


def shown(found: Sequence[int] = (), opened: Sequence[str] = (), most: int = BUDGET) -> ShownMap:
    return MAPS.shown(long_work(), most, found, opened)


def test_it_shows_upper_storylines_the_newest_and_the_found_scenes() -> None:
    told = shown(found=[77, 5])
    assert told.text.startswith("STORYLINES")
    assert {77, 5, 20_000} <= told.shown
    assert 6 not in told.shown
    assert {int(line.split(" [")[0]) for line in told.text.splitlines() if line[0].isdigit()} == (
        told.shown
    )


@pytest.mark.parametrize("most", [500, 1_000, 3_000, 12_000])
def test_it_never_has_more_tokens_than_it_may(most: int) -> None:
    names = list(MAPS.numbered(long_work()).names.values())
    for opened in ([], names[:1], names[:3], names[5:40:7]):
        told = shown(range(1, 400), opened, most)
        assert tokens_at_most(told.text) <= most


def test_every_scene_is_reached_by_opening_what_holds_it() -> None:
    numbered = MAPS.numbered(long_work())
    for wanted in (1, 25, 9_999, 19_998):
        home = numbered.scenes[wanted - 1].home
        path = [home]
        while numbered.parents.get(path[-1]) in numbered.names:
            path.append(numbered.parents[path[-1]])
        opened: list[str] = []
        for _ in range(4):
            told = shown(opened=opened)
            if wanted in told.shown:
                break
            deepest = next(s for s in path if f"\n{numbered.names[s]} " in told.text)
            opened.append(numbered.names[deepest])
        assert wanted in shown(opened=opened).shown
        assert len(opened) <= 2


def test_what_was_opened_last_comes_first_where_room_is_short() -> None:
    names = list(MAPS.numbered(long_work()).names.values())
    told = shown(opened=names[:3])
    assert f"OPENED {names[2]}\n" in told.text


def test_a_maps_beginning_stays_while_storylines_are_opened() -> None:
    names = list(MAPS.numbered(long_work()).names.values())
    before = shown([4]).text
    assert shown([4], names[:1]).text.startswith(before)


def test_the_same_outline_is_numbered_once() -> None:
    outline = flat([scene(1, "a")])
    maps = Maps()
    assert maps.numbered(outline) is maps.numbered(outline)
