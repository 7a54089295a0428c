"""Whether a whole store of a home is gone, seen cheaply whenever the home is opened.

Without it a search would find nothing, and what is indexed next would hide the loss for good.
"""

from __future__ import annotations

from typing import Final

from contracts.errors import PermanentError
from contracts.topics import CHAPTERS, GRAFTS, physical
from streams.session import Home

_OF_THE_HOME: Final = ("arcade:", "memory:")
_REMEDY: Final = "run `storygraft doctor --repair`, which makes it again from what is there"


async def lost_store(home: Home) -> str:
    """Return which store is lost, or cannot be used, and what to do; nothing if all are there.

    Raises:
        TransientError: a store is down.
    """
    try:
        return await _lost_store(home)
    except PermanentError as error:
        return str(error)


async def _lost_store(home: Home) -> str:
    if not home.settings.graph.startswith(_OF_THE_HOME):
        return ""  # a server may hold the works of other logs, and more than can be looked at
    linking = await home.tree.linking()
    if linking and await home.log.end(CHAPTERS) == 0:
        return f"The event log of {home.settings.home} is lost, and the graph is not: {_REMEDY}."
    for work_id, generation in linking:
        if not await home.vectors.holds(work_id, generation):
            return (
                f"The vector store has nothing of work {work_id!r}, and the graph has: {_REMEDY}."
            )
    grafts = physical(GRAFTS, home.generation)
    if (
        not linking
        and await home.log.end(grafts) > 0
        and not await home.tree.works(home.generation)
    ):
        return f"The graph of {home.settings.home} is lost, and the log is not: {_REMEDY}."
    return ""
