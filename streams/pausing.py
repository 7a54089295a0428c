"""`pause` and `resume`: a work is let wait, and goes on, without losing anything of it."""

from __future__ import annotations

from contracts.ids import WorkId
from contracts.reports import PausedWork
from streams.parking import ParkedWork
from streams.session import Home


async def pause(home: Home, work_id: WorkId) -> PausedWork:
    """Let the events of a work wait from now on; to pause it again changes nothing.

    What a stage has begun with, and what is cut into scenes already, is still indexed.

    Raises:
        NotFound: nobody has heard of the work.
        TransientError: the log cannot be used now.
    """
    await home.parking.refresh()
    await home.require(work_id)
    return told(await home.parking.pause(work_id))


async def resume(home: Home, work_id: WorkId) -> PausedWork:
    """Let a work go on, with what waits first; one that was not paused goes on as it does.

    Raises:
        NotFound: nobody has heard of the work.
        TransientError: the log cannot be used now.
    """
    await home.parking.refresh()
    await home.require(work_id)
    return told(await home.parking.resume(work_id))


def told(work: ParkedWork) -> PausedWork:
    """Return what is told of the work."""
    return PausedWork(
        work_id=work.work_id,
        paused=work.paused,
        waiting=len(work.waits),
        held=work.held.reason if work.held is not None and work.is_going_on else None,
    )
