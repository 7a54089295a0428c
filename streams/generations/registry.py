"""Which generations there are: the state of the topic `generations`, and what is put there."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from contracts.clock import now_ms
from contracts.errors import PermanentError
from contracts.generations import (
    GenerationDropped,
    GenerationErased,
    GenerationMessage,
    GenerationStarted,
    GenerationSwapped,
    GenerationVerified,
    Source,
    generation_message,
)
from contracts.ids import Generation
from contracts.index_version import IndexVersion
from contracts.ports import EventLog, NewRecord
from contracts.topics import GENERATIONS
from streams.logs.paging import records_from

_FRESH_S: Final = 2.0  # within which a worker knows that its generation was dropped


@dataclass(slots=True)
class KnownGeneration:
    """A generation as the topic tells of it. Who started it first has said what it is."""

    started: GenerationStarted
    verified: GenerationVerified | None = None
    swaps: list[GenerationSwapped] = field(default_factory=list)
    dropped: bool = False
    erased: bool = False

    @property
    def generation(self) -> Generation:
        """Its name."""
        return self.started.generation

    @property
    def version(self) -> IndexVersion:
        """Whose processes write it."""
        return self.started.version

    @property
    def copies_from(self) -> Generation | None:
        """The generation whose scenes it begins with, None where it makes its own."""
        return self.started.beside if self.started.source is Source.SCENES else None


@dataclass(slots=True)
class Generations:
    """The generations of an index; use it from one event loop."""

    log: EventLog
    _known: dict[Generation, KnownGeneration] = field(default_factory=dict)
    _last_live: Generation | None = None
    _read_to: int = 0
    _read_at: float | None = None

    async def refresh(self) -> None:
        """Read what the topic says by now.

        Raises:
            TransientError: the log cannot be used now.
            PermanentError: a newer program has written there what this one does not know.
        """
        began = time.monotonic()
        end = await self.log.end(GENERATIONS)
        async for record in records_from(self.log, GENERATIONS, self._read_to, end):
            self._tell(_read(record.value or b""))
            self._read_to = max(self._read_to, record.offset + 1)
        self._read_at = began

    async def look(self) -> None:
        """Read what the topic says, unless that was done a moment ago. Raises as `refresh`."""
        if self._read_at is None or time.monotonic() - self._read_at > _FRESH_S:
            await self.refresh()

    def all(self) -> tuple[KnownGeneration, ...]:
        """Return every generation there ever was, oldest first."""
        return tuple(self._known.values())

    def kept(self) -> tuple[KnownGeneration, ...]:
        """Return the generations that are not dropped, oldest first."""
        return tuple(each for each in self._known.values() if not each.dropped)

    def get(self, generation: Generation) -> KnownGeneration | None:
        """Return a generation, None if there never was one of that name."""
        return self._known.get(generation)

    def require(self, generation: Generation) -> KnownGeneration:
        """Return a generation that is not dropped.

        Raises:
            PermanentError: there is none; the text says which there are.
        """
        known = self._known.get(generation)
        if known is not None and not known.dropped:
            return known
        there = ", ".join(each.generation for each in self.kept()) or "none yet"
        gone = "was dropped" if known else "does not exist"
        raise PermanentError(f"Generation {generation} {gone}; there is {there}.")

    def newest_beside(self, live: Generation) -> KnownGeneration:
        """Return the newest generation that is not dropped and not the live one.

        Raises:
            PermanentError: there is none.
        """
        others = [each for each in self.kept() if each.generation != live]
        if not others:
            raise PermanentError(
                f"There is no generation but {live}, which is live: begin one with `storygraft "
                "reindex start`."
            )
        return others[-1]

    def beside(self, pointer: Generation) -> KnownGeneration:
        """Return the generation that a new one is built beside: the live one, if it is kept.

        Where the graph was lost, and with it the pointer, that is the one which was live last.

        Raises:
            PermanentError: none is kept that ever was live.
        """
        known = self._known.get(pointer)
        if known is not None and not known.dropped:
            return known
        last = self.last_live()
        return self.require(pointer if last is None else last)

    def last_live(self) -> Generation | None:
        """Return the generation that the last swap made live; the oldest one before any.

        The graph's pointer alone is the truth; this is for who needs to know about, and has no
        graph. The topic's order decides, not the clocks of those who swapped.
        """
        return self._last_live or next(iter(self._known), None)

    def next_name(self) -> Generation:
        """Return a name that no generation ever had."""
        taken = [int(name[1:]) for name in self._known if name[1:].isdigit()]
        return Generation(f"g{max(taken, default=0) + 1}")

    async def tell(self, message: GenerationMessage) -> KnownGeneration:
        """Put a fact into the topic, and return its generation as it is known then.

        Of two that start a generation of one name at once, the first one counts, for both.

        Raises:
            TransientError: the log cannot be used now.
        """
        key = message.generation.encode()
        await self.log.append([NewRecord(GENERATIONS, key, message.to_json())])
        await self.refresh()
        return self._known[message.generation]

    async def adopt(
        self, generation: Generation, version: IndexVersion, *, foreign: bool
    ) -> KnownGeneration:
        """Take the generation of an index that tells of none for this version's.

        `foreign` says whether the stores hold something of it already.

        Raises:
            TransientError: the log cannot be used now.
        """
        started = GenerationStarted(
            generation=generation, version=version, foreign=foreign, at_ms=now_ms()
        )
        return await self.tell(started)

    def _tell(self, message: GenerationMessage) -> None:
        if isinstance(message, GenerationStarted):
            self._known.setdefault(message.generation, KnownGeneration(message))
            return
        known = self._known.get(message.generation)
        if known is None:
            return  # of a generation that nobody started nothing is known
        match message:
            case GenerationVerified():
                known.verified = message
            case GenerationSwapped():
                known.swaps.append(message)
                self._last_live = message.generation
            case GenerationDropped():
                known.dropped = True
            case GenerationErased():
                known.dropped = known.erased = True


def names(generations: Sequence[KnownGeneration]) -> str:
    """Return the names of generations, for a sentence."""
    return ", ".join(each.generation for each in generations)


def _read(value: bytes) -> GenerationMessage:
    try:
        return generation_message.validate_json(value)
    except ValueError as error:
        raise PermanentError(
            "The topic `generations` holds what this program does not understand: a newer "
            "storygraft wrote there. Run that one."
        ) from error
