"""When the lanes of a stage that are held try again: one at a time, and all when it gets through.

A store that has just come back is slow: with cold caches it compiles anew whatever it is asked.
Asked by all who wait at once, it answers none of them for a long time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

_TURN_S: Final = 10.0  # whoever takes longer waits for a model, or for nothing: others go past it


@dataclass(slots=True)
class Retries:
    """The turns of lanes that do the same on the same stores; use it from one event loop."""

    _trying: asyncio.Event | None = None
    _through: asyncio.Event = field(default_factory=asyncio.Event)

    async def due(self, pause_s: float) -> None:
        """Return when it is the caller's turn; it has to begin before it awaits anything.

        That is at once when another got through, else after `pause_s`, when nobody tries: but
        nobody is waited for longer than `_TURN_S`, since he may be held for reasons of his own.
        """
        through = self._through
        with suppress(TimeoutError):
            await asyncio.wait_for(through.wait(), pause_s)
        with suppress(TimeoutError):
            async with asyncio.timeout(_TURN_S):
                while self._trying is not None and not through.is_set():
                    await self._trying.wait()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Have the others wait while the caller tries."""
        mine = self._trying = asyncio.Event()
        try:
            yield
        finally:
            if self._trying is mine:
                self._trying = None
            mine.set()

    def all_now(self) -> None:
        """Let all who wait go on at once: somebody got through."""
        self._through.set()
        self._through = asyncio.Event()
