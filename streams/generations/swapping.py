"""Swap and rollback: the pointer is moved, and nothing else.

Neither is done to a generation that is behind: what was withdrawn in the meantime would be read
again, and what was published would be missing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from contracts.clock import now_ms
from contracts.errors import PermanentError
from contracts.generations import GenerationSwapped
from contracts.ids import Generation
from contracts.ports import TreeStore
from contracts.reports import SwapReport
from streams.generations.registry import Generations, KnownGeneration


@dataclass(frozen=True, slots=True)
class Swapper:
    """Moves the pointer; `caught_up` returns when a generation has done all there is to do."""

    tree: TreeStore
    generations: Generations
    caught_up: Callable[[KnownGeneration], Awaitable[None]]

    async def swap(self, to: Generation | None, forced: str) -> SwapReport:
        """Make `to` live, None for the newest one that is not; `forced` is a reason, or empty.

        Who was cut off between the pointer's move and telling of it does the same again.

        Raises:
            PermanentError: there is none, it is live already, or, unless it is forced, it was not
                verified against the live one, or something speaks against it.
            TransientError: it is not as far as the log.
        """
        await self.generations.refresh()
        live = await self.tree.live()
        if to in (None, live) and self._is_untold(live):
            return await self._tell(live, self._before(live), "")
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
        return await self._move(self.generations.require(self._before(live)), live, "rollback")

    def _before(self, live: Generation) -> Generation:
        """Return what was live before the last swap, told or cut off before that.

        Raises:
            PermanentError: there was none.
        """
        here, last = self.generations.get(live), self.generations.last_live()
        if last is not None and last != live:
            return last
        if here is None or not here.swaps:
            raise PermanentError(f"{live} was live from the beginning: there is none before it.")
        return here.swaps[-1].instead_of

    async def _move(self, known: KnownGeneration, live: Generation, forced: str) -> SwapReport:
        await self.caught_up(known)
        if not await self.tree.point(known.generation, live):
            raise PermanentError(
                f"Somebody else made {await self.tree.live()} live in the meantime: look at "
                "`storygraft reindex status`."
            )
        return await self._tell(known.generation, live, forced)

    def _is_untold(self, live: Generation) -> bool:
        """Say whether a swap to the live generation was cut off before it was told."""
        known, last = self.generations.get(live), self.generations.last_live()
        return known is not None and not known.dropped and last not in (None, live)

    async def _tell(self, to: Generation, instead_of: Generation, forced: str) -> SwapReport:
        swapped = GenerationSwapped(
            generation=to, instead_of=instead_of, forced=forced, at_ms=now_ms()
        )
        await self.generations.tell(swapped)
        return SwapReport(generation=to, instead_of=instead_of, forced=forced)


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
