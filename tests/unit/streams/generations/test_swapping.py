"""Swap and rollback move the pointer, to what was compared and is as far as the log."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from contracts.errors import PermanentError, TransientError
from contracts.generations import GenerationDropped, GenerationVerified
from contracts.ids import Generation
from graph.memory import MemoryTreeStore
from streams.generations.registry import Generations, KnownGeneration
from streams.generations.swapping import Swapper
from streams.logs.sqlite_log import SqliteEventLog
from tests.unit.streams.generations.cutting import CutOffError, Scissors, cut_log
from tests.unit.streams.generations.test_registry import G1, G2, G3, started


@dataclass
class Catching:
    """Says that a generation has caught up; or that it is behind, if it is."""

    behind: list[Generation] = field(default_factory=list)
    asked: list[Generation] = field(default_factory=list)

    async def __call__(self, known: KnownGeneration) -> None:
        self.asked.append(known.generation)
        if known.generation in self.behind:
            raise TransientError(f"{known.generation} is not as far as the log")


@dataclass
class Index:
    """Two generations beside each other, of which the first is live."""

    log: SqliteEventLog
    tree: MemoryTreeStore = field(default_factory=MemoryTreeStore)
    catching: Catching = field(default_factory=Catching)

    def swapper(self, scissors: Scissors | None = None) -> Swapper:
        log = cut_log(self.log, scissors or Scissors())
        return Swapper(self.tree, Generations(log), self.catching)

    async def known(self) -> Generations:
        known = Generations(self.log)
        await known.refresh()
        return known

    async def verify(self, one: Generation, beside: Generation, *breaches: str) -> None:
        verified = GenerationVerified(generation=one, beside=beside, breaches=breaches, at_ms=1)
        await (await self.known()).tell(verified)


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[Index]:
    log = SqliteEventLog(tmp_path / "events.sqlite")
    index = Index(log)
    known = Generations(log)
    await known.tell(started(G1))
    await known.tell(started(G2, G1, tree="a=2"))
    yield index
    await log.close()


async def test_what_was_compared_and_found_fit_is_made_live(index: Index) -> None:
    await index.verify(G2, G1)
    report = await index.swapper().swap(None, "")
    assert (report.generation, report.instead_of, report.forced) == (G2, G1, "")
    assert await index.tree.live() == G2
    assert (await index.known()).last_live() == G2
    assert index.catching.asked == [G2]


async def test_what_was_not_compared_is_refused_or_forced_with_a_reason(index: Index) -> None:
    with pytest.raises(
        PermanentError, match=r"^g2 was not compared with g1: run `storygraft reind"
    ):
        await index.swapper().swap(G2, "")
    assert await index.tree.live() == G1
    assert (await index.swapper().swap(G2, "it must be")).forced == "it must be"
    (told,) = (await index.known()).require(G2).swaps
    assert told.forced == "it must be"


async def test_what_did_not_pass_is_refused_with_all_that_speaks_against_it(index: Index) -> None:
    await index.verify(G2, G1, "3 chapters are missing.", "A tree is torn.")
    with pytest.raises(
        PermanentError, match=r"with g1\. 3 chapters are missing\. A tree is torn\. Mend"
    ):
        await index.swapper().swap(G2, "")


async def test_what_was_compared_with_another_than_is_live_must_be_compared_again(
    index: Index,
) -> None:
    await (await index.known()).tell(started(G3, G1, tree="a=3"))
    await index.verify(G2, G1)
    await index.verify(G3, G1)
    await index.swapper().swap(G2, "")
    with pytest.raises(PermanentError, match="g3 was not compared with g2"):
        await index.swapper().swap(G3, "")


async def test_what_is_live_or_gone_or_never_was_is_refused(index: Index) -> None:
    with pytest.raises(PermanentError, match=r"^g1 is live already\.$"):
        await index.swapper().swap(G1, "")
    with pytest.raises(PermanentError, match="Generation g7 does not exist; there is g1, g2"):
        await index.swapper().swap(Generation("g7"), "")
    await (await index.known()).tell(GenerationDropped(generation=G2, at_ms=1))
    with pytest.raises(PermanentError, match="Generation g2 was dropped; there is g1"):
        await index.swapper().swap(G2, "why not")
    with pytest.raises(PermanentError, match="There is no generation but g1"):
        await index.swapper().swap(None, "why not")


async def test_what_is_behind_is_not_made_live(index: Index) -> None:
    index.catching.behind = [G2]
    with pytest.raises(TransientError, match="not as far as the log"):
        await index.swapper().swap(G2, "now")
    assert await index.tree.live() == G1
    assert (await index.known()).require(G2).swaps == []


async def test_back_and_forth(index: Index) -> None:
    await index.verify(G2, G1)
    await index.swapper().swap(G2, "")
    report = await index.swapper().rollback()
    assert (report.generation, report.instead_of, report.forced) == (G1, G2, "rollback")
    assert await index.tree.live() == G1
    await index.swapper().swap(G2, "")  # still compared with g1
    assert await index.tree.live() == G2
    index.catching.behind = [G1]
    with pytest.raises(TransientError):
        await index.swapper().rollback()
    assert await index.tree.live() == G2


async def test_there_is_nothing_before_the_first(index: Index) -> None:
    with pytest.raises(PermanentError, match="g1 was live from the beginning"):
        await index.swapper().rollback()


async def test_there_is_no_way_back_to_what_was_dropped(index: Index) -> None:
    await index.swapper().swap(G2, "now")
    await (await index.known()).tell(GenerationDropped(generation=G1, at_ms=1))
    with pytest.raises(PermanentError, match="Generation g1 was dropped; there is g2"):
        await index.swapper().rollback()
    assert await index.tree.live() == G2


async def test_who_loses_against_another_swap_is_told(index: Index) -> None:
    class Slow(Catching):
        async def __call__(self, known: KnownGeneration) -> None:
            await index.tree.point(G3, G1)

    index.catching = Slow()
    with pytest.raises(PermanentError, match="Somebody else made g3 live in the meantime"):
        await index.swapper().swap(G2, "now")
    assert (await index.known()).require(G2).swaps == []


@pytest.mark.parametrize("named", [None, G2])
async def test_cut_off_before_it_is_told_the_same_again_completes_it(
    index: Index, named: Generation | None
) -> None:
    await index.verify(G2, G1)
    with pytest.raises(CutOffError):
        await index.swapper(Scissors(left=0)).swap(G2, "")
    assert await index.tree.live() == G2
    assert (await index.known()).last_live() == G1
    report = await index.swapper().swap(named, "")
    assert (report.generation, report.instead_of) == (G2, G1)
    assert (await index.known()).last_live() == G2
    with pytest.raises(PermanentError, match="g2 is live already"):
        await index.swapper().swap(G2, "")


async def test_what_was_cut_off_before_it_is_told_can_be_rolled_back(index: Index) -> None:
    with pytest.raises(CutOffError):
        await index.swapper(Scissors(left=0)).swap(G2, "now")
    assert (await index.swapper().rollback()).generation == G1
    assert await index.tree.live() == (await index.known()).last_live() == G1
