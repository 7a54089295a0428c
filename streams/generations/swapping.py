"""Swap and rollback: the pointer is moved, and nothing else.

Neither is done to a generation that is behind: what was withdrawn in the meantime would be read
again, and what was published would be missing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from contracts.errors import PermanentError
from contracts.generations import GenerationSwapped
from contracts.ids import Generation
from contracts.ports import TreeStore
from contracts.reports import SwapReport
from streams.generations.registry import Generations, KnownGeneration, now_ms


@dataclass(frozen=True, slots=True)
class Swapper:
    """Moves the pointer; `caught_up` returns when a generation has done all there is to do."""

    tree: TreeStore
    generations: Generations
    caught_up: Callable[[KnownGeneration], Awaitable[None]]

    async def swap(self, to: Generation | None, forced: str) -> SwapReport:
        """Make `to` live, None for the newest one that is not; `forced` is a reason, or empty.

        Raises:
            PermanentError: there is none, it is live already, or, unless it is forced, it was not
                verified against the live one, or something speaks against it.
            TransientError: it is not as far as the log.
        """
        await self.generations.refresh()
        live = await self.tree.live()
        known = self.generations.require(to) if to else self.generations.newest_beside(live)
        if known.generation == live:
            raise PermanentError(f"{live} is live already.")
        if not forced:
            _require_verified(known, live)
        return await self._move(known, live, forced)

    async def rollback(self) -> SwapReport:
        """Make the generation live that was so before the last swap.

        Raises:
            PermanentError: there was none, or it is dropped.
            TransientError: it is not as far as the log.
        """
        await self.generations.refresh()
        live = await self.tree.live()
        here = self.generations.get(live)
        if here is None or not here.swaps:
            raise PermanentError(f"{live} was live from the beginning: there is none before it.")
        before = self.generations.require(here.swaps[-1].instead_of)
        return await self._move(before, live, "rollback")

    async def _move(self, known: KnownGeneration, live: Generation, forced: str) -> SwapReport:
        await self.caught_up(known)
        if not await self.tree.point(known.generation, live):
            raise PermanentError(
                f"Somebody else made {await self.tree.live()} live in the meantime: look at "
                "`storygraft reindex status`."
            )
        await self.generations.tell(
            GenerationSwapped(
                generation=known.generation, instead_of=live, forced=forced, at_ms=now_ms()
            )
        )
        return SwapReport(generation=known.generation, instead_of=live, forced=forced)


def _require_verified(known: KnownGeneration, live: Generation) -> None:
    verified = known.verified
    if verified is None or verified.beside != live:
        raise PermanentError(
            f"{known.generation} was not compared with {live}: run `storygraft reindex verify`, or "
            "give a reason with --force."
        )
    if verified.breaches:
        raise PermanentError(
            f"{known.generation} did not pass its comparison with {live}. "
            f"{' '.join(verified.breaches)} Mend that and verify again, or give a reason with "
            "--force."
        )
