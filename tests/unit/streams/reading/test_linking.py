"""How two characters are linked, as of a chapter."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import cast

import numpy as np
import pytest

from contracts.ids import CharacterId
from contracts.reports import LinkedBy
from contracts.story_graph import StoryGraph, Together
from contracts.tree import IdentityRow
from streams.not_found import NotFound
from streams.reading.linking import MOST_LINKS, _Search, path
from tests.unit.streams.reading.tale import a_tale


async def test_who_is_together_is_linked() -> None:
    view = await (await a_tale()).as_of()
    (link,) = (await path(view, "silver", "jim hawkins", 1)).links
    assert (link.source.name, link.target.name) == ("Long John Silver", "Jim Hawkins")
    assert (link.by, str(link.from_ordinal), link.scene_count) == (LinkedBy.SCENES, "1", 2)
    assert [str(scene.ordinal) for scene in link.scenes] == ["1"]


async def test_a_revealed_identity_links_from_its_chapter_on() -> None:
    tale = await a_tale()
    found = await path(await tale.as_of(4), "silver", "captain flint", 3)
    assert [link.target.name for link in found.links] == [
        "Jim Hawkins",
        "the stranger",
        "Ben Gunn",
        "Captain Flint",
    ]
    reveal = found.links[2]
    assert (reveal.by, str(reveal.from_ordinal), reveal.scenes) == (LinkedBy.IDENTITY, "4", ())
    early = await path(await tale.as_of(3), "silver", "captain flint", 3)
    assert (early.linked, early.links) == (False, ())
    with pytest.raises(NotFound):
        await path(await tale.as_of(2), "silver", "captain flint", 3)


async def test_everybody_is_linked_with_oneself() -> None:
    found = await path(await (await a_tale()).as_of(), "silver", "barbecue", 3)
    assert (found.linked, found.links) == (True, ())


@dataclass(frozen=True)
class Society:
    """Who has met whom how often: a view of nothing else."""

    met: dict[tuple[str, str], int]

    async def companions(self, ids: tuple[CharacterId, ...]) -> tuple[Together, ...]:
        both = self.met | {(b, a): n for (a, b), n in self.met.items()}
        return tuple(
            Together(CharacterId(a), CharacterId(b), n) for (a, b), n in both.items() if a in ids
        )

    async def identities(self, ids: tuple[CharacterId, ...]) -> tuple[IdentityRow, ...]:
        return ()


def best(met: dict[tuple[str, str], int], source: str, target: str) -> tuple[str, ...]:
    """Look at every chain."""
    both = met | {(b, a): n for (a, b), n in met.items()}
    people = sorted({each for pair in both for each in pair})
    for between in range(len(people) - 1):
        chains = []
        for inner in itertools.permutations(
            [p for p in people if p not in (source, target)], between
        ):
            chain = (source, *inner, target)
            pairs = list(itertools.pairwise(chain))
            if all(pair in both for pair in pairs):
                chains.append((-sum(both[pair] for pair in pairs), chain))
        if chains:
            return min(chains)[1]
    return ()


@pytest.mark.parametrize("seed", range(60))
async def test_the_chain_is_the_best_there_is(seed: int) -> None:
    dice = np.random.default_rng(seed)
    met = {
        pair: int(dice.integers(1, 5))
        for pair in itertools.combinations("abcdefg", 2)
        if dice.random() < 0.3
    }
    view = cast(StoryGraph, Society(met))
    found = await _Search(view).shortest(CharacterId("a"), CharacterId("g"))
    assert found == best(met, "a", "g")


async def test_a_chain_that_is_too_long_is_none() -> None:
    line = [f"{n:02}" for n in range(MOST_LINKS + 2)]
    met = dict.fromkeys(itertools.pairwise(line), 1)
    view = cast(StoryGraph, Society(met))
    assert len(await _Search(view).shortest(CharacterId("00"), CharacterId(line[-2]))) == (
        MOST_LINKS + 1
    )
    assert await _Search(view).shortest(CharacterId("00"), CharacterId(line[-1])) == ()
