"""Where a rebuild begins: how far the live generation is, partition by partition.

Looked at is always what a stage has read before what it has written: then what lies before the
frontier is there to be copied, and what is copied twice does no harm. Events of paused works, which
a stage has read and not written, must be looked for in between.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from contracts.generations import Frontier
from contracts.ids import Generation
from contracts.ports import EventLog, Standing
from contracts.topics import dead_letters
from streams.decoding import Unfit, decoded
from streams.identity import identity_of
from streams.intakes import EMBED, GRAFT, SEGMENT, Intake

_MOST_WAITING: Final = 512  # scenes without rows yet, each of which is read


@dataclass(frozen=True, slots=True)
class Frontiers:
    """The frontiers of rebuilds beside the generation `live`. All raise TransientError."""

    log: EventLog
    live: Generation

    async def cut(self) -> Mapping[int, Standing]:
        """Return how far the chapters are cut into scenes, by partition: look at this first."""
        return await self._standing(SEGMENT)

    def of_chapters(self, cut: Mapping[int, Standing]) -> tuple[Frontier, ...]:
        """Return the frontier of a rebuild that copies nothing: what the log has by now is old."""
        return tuple(
            Frontier(partition=each, chapters=line.end, scenes=0) for each, line in cut.items()
        )

    async def of_scenes(self, cut: Mapping[int, Standing]) -> tuple[Frontier, ...]:
        """Return the frontier of a rebuild that copies scenes."""
        scenes = await self._standing(EMBED)
        return tuple(
            Frontier(partition=each, chapters=line.position, scenes=_end(scenes, each))
            for each, line in cut.items()
        )

    async def of_rows(self, cut: Mapping[int, Standing]) -> tuple[Frontier, ...] | None:
        """Return the frontier of a rebuild that copies what is embedded.

        None where rows will not do: a chapter's scenes got none and are dead letters, which a
        rebuild is to try again, or very many wait for theirs.
        """
        scenes = await self._standing(EMBED)
        source = EMBED.of_generation(self.live).source
        if sum(line.lag for line in scenes.values()) > _MOST_WAITING:
            return None
        waiting = {each: await self._waiting(source, line) for each, line in scenes.items()}
        embedded = await self._standing(GRAFT)
        if any(await self.log.ends(dead_letters(source))):
            return None
        return tuple(
            Frontier(
                partition=each,
                chapters=min((line.position, *waiting.get(each, ()))),
                scenes=_end(scenes, each),
                embedded=_end(embedded, each),
            )
            for each, line in cut.items()
        )

    async def _standing(self, intake: Intake[Any]) -> Mapping[int, Standing]:
        mine = intake.of_generation(self.live)
        return {line.partition: line for line in await self.log.standing(mine.group, mine.source)}

    async def _waiting(self, source: str, line: Standing) -> list[int]:
        """Return the positions, in the log of chapters, of what waits to be embedded."""
        positions = []
        async for record in self.log.span(source, line.partition, line.position, line.end):
            with suppress(Unfit):  # it is a dead letter soon, which no rebuild mends
                positions.append(identity_of(decoded(EMBED.decode, record)).position)
        return [each for each in positions if each is not None]


def _end(standing: Mapping[int, Standing], partition: int) -> int:
    line = standing.get(partition)
    return line.end if line is not None else 0
