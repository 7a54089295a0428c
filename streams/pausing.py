"""`pause` and `resume`: a work is let wait, and goes on, without losing anything of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from contracts.ids import WorkId
from contracts.reports import PausedWork
from streams.parking import ParkedWork, ParkingLot
from streams.session import Home


async def pause(home: Home, work_id: WorkId) -> PausedWork:
    """Let the events of a work wait from now on; to pause it again changes nothing.

    What a stage has begun with, and what is cut into scenes already, is still indexed.

    Raises:
        NotFound: nobody has heard of the work.
        TransientError: the log cannot be used now.
    """
    await home.require(work_id)
    return await _everywhere(home, lambda lot: lot.pause(work_id))


async def resume(home: Home, work_id: WorkId) -> PausedWork:
    """Let a work go on, with what waits first; one that was not paused goes on as it does.

    Raises:
        NotFound: nobody has heard of the work.
        TransientError: the log cannot be used now.
    """
    await home.require(work_id)
    return await _everywhere(home, lambda lot: lot.resume(work_id))


async def _everywhere(
    home: Home, change: Callable[[ParkingLot], Awaitable[ParkedWork]]
) -> PausedWork:
    """Make a change in every generation that is kept, and tell of the live one."""
    live = await home.gaps.live()
    await home.generations.refresh()
    for known in home.generations.kept():
        if known.generation != live.generation:
            await change(home.gaps.of_generation(known.generation).parking)
    return told(await change(live.parking))


def told(work: ParkedWork) -> PausedWork:
    """Return what is told of the work."""
    return PausedWork(
        work_id=work.work_id,
        paused=work.paused,
        reason=work.reason,
        waiting=len(work.waits),
        held=work.held.reason if work.held is not None and work.is_going_on else None,
    )
