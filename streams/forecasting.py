"""What a change would cost: the stages run on it, and everything that would be written is not.

The log and the stores are read only. What a model would be asked, the memo answers; where it
cannot, the call is noted instead of made (`stand_ins`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from pydantic import ValidationError

from contracts.crash_points import go_on
from contracts.errors import PermanentError
from contracts.events import (
    ChapterEvent,
    ChapterPublished,
    ChapterWithdrawn,
    chapter_event,
)
from contracts.forecasts import Forecast
from contracts.ids import ChapterId, WorkId
from contracts.messages import ChapterGrafted
from contracts.ports import TreeStore, VectorStore
from contracts.requests import Chapters, EventFile, Withdrawal
from contracts.topics import CHAPTERS
from processors.cohesion import CohesionSegmenter
from processors.litseg import LitSeg, LitSegLite
from processors.remembering import Payer
from streams.adapters import open_advising
from streams.indexing import news
from streams.inputs.json_lines import read_lines
from streams.inputs.values import ChapterInput
from streams.intakes import EMBED, GRAFT, SEGMENT
from streams.lags import waiting
from streams.publishing import withdrawals
from streams.segmenters import open_segmenter
from streams.stage import Arrival, Stage
from streams.stand_ins import (
    Noted,
    OverlaidVectors,
    ReadOnlyTree,
    SilentChat,
    UnaskedAdviser,
    UnaskedSegmenter,
)
from streams.topology import chapter_path

if TYPE_CHECKING:
    from streams.session import Home


async def forecast(home: Home, change: Chapters | EventFile | Withdrawal) -> Forecast:
    """Say what `change` would cost.

    Raises:
        UnusableInput: an event file cannot be read to its end.
        TransientError, PermanentError: as the log and the stores raise them.
    """
    problems: list[str] = []
    events = await _events(home, change, problems)
    end = await home.log.end(CHAPTERS)
    found = Forecast(events=0, folded=0, calls=(), remembered=0)
    for work_id, positioned in _by_work(events, end).items():
        told = await _Rehearsal(home, work_id).run(positioned, problems)
        found = found.model_copy(
            update={
                "events": found.events + len(positioned),
                "folded": found.folded + told.folded,
                "calls": (*found.calls, *told.calls),
                "remembered": found.remembered + told.remembered,
            }
        )
    lags = await waiting(home.log, home.intakes)
    return found.model_copy(
        update={
            "problems": tuple(problems),
            "waiting": max((lag.waiting for lag in lags), default=0),
        }
    )


async def _events(
    home: Home, change: Chapters | EventFile | Withdrawal, problems: list[str]
) -> Sequence[ChapterEvent]:
    match change:
        case Chapters():
            given = ChapterInput(change.described, change.chapters)
            return (await news(home, given, republish=change.republish)).events
        case EventFile():
            return list(_read_events(change, problems))
        case Withdrawal():
            found = await withdrawals(home.log, change.work_id, change.chapter_ids)
            problems += [
                f"{change.work_id}: there is no chapter {each} to withdraw"
                for each in found.unknown
            ]
            return found.events


def _read_events(file: EventFile, problems: list[str]) -> Iterable[ChapterEvent]:
    for number, line in enumerate(read_lines(file.events), start=1):
        try:
            yield chapter_event.validate_json(line.value)
        except ValidationError as error:
            problems.append(f"line {number}: {error.errors()[0]['msg']}")


def _by_work(
    events: Iterable[ChapterEvent], end: int
) -> Mapping[WorkId, Sequence[tuple[ChapterEvent, int]]]:
    """Return the events of each work, with the positions that the log would give them."""
    found: dict[WorkId, list[tuple[ChapterEvent, int]]] = defaultdict(list)
    for position, event in enumerate(events, start=end):
        found[event.work_id].append((event, position))
    return found


@dataclass(frozen=True, slots=True)
class _Rehearsal:
    """The stages of one work, without effect."""

    home: Home
    work_id: WorkId

    async def run(
        self, positioned: Sequence[tuple[ChapterEvent, int]], problems: list[str]
    ) -> Noted:
        noted = Noted(self.work_id)
        handlers = {stage.intake.name: stage.handler for stage in self._stages(noted)}
        embedded: list[Arrival[Any]] = []
        for event, position in positioned:
            arrivals: list[Arrival[Any]] = [Arrival(event, position)]
            noted.chapter_id = getattr(event, "chapter_id", ChapterId(""))
            try:
                for name in (SEGMENT.name, EMBED.name):
                    made = await handlers[name](arrivals)
                    arrivals = [Arrival(message, position) for message in made]
            except PermanentError as error:
                problems.append(f"{self.work_id}, {_name_of(event)}: {error}")
            else:
                embedded += arrivals
        if embedded:
            grafted = await handlers[GRAFT.name](embedded)
            noted.folded = _folded([cast(ChapterGrafted, message) for message in grafted])
        return noted

    def _stages(self, noted: Noted) -> Sequence[Stage[Any]]:
        """Return the stages of the home, as they would be if they wrote nothing."""
        ports, memo, settings = self.home.ports, self.home.memo, self.home.settings
        segmenter, advising = ports.segmenter, None
        if settings.model:
            silent = SilentChat(settings.model_name)
            inner = open_segmenter(settings, ports.embedder, Payer(memo), silent)
            if isinstance(inner, LitSegLite | LitSeg):
                stand_in = CohesionSegmenter(ports.embedder)
                segmenter = UnaskedSegmenter(inner, stand_in, memo, silent.model, noted)
            advising = open_advising(settings, silent, Payer(memo))
        if advising is not None:
            adviser = UnaskedAdviser(advising.adviser, ports.tree, ports.generation, noted)
            advising = replace(advising, adviser=adviser)
        return chapter_path(
            replace(
                ports,
                segmenter=segmenter,
                tree=cast(TreeStore, ReadOnlyTree(ports.tree)),
                vectors=cast(VectorStore, OverlaidVectors(ports.vectors)),
                advising=advising,
                reached=go_on,
            )
        )


def _folded(grafted: Sequence[ChapterGrafted]) -> int:
    """Return how many chapters were folded, anew or for the first time."""
    first_time = {message.chapter_id for message in grafted if message.scenes}
    return max(grafted[-1].refolded_chapters, len(first_time))


def _name_of(event: ChapterEvent) -> str:
    if isinstance(event, ChapterPublished | ChapterWithdrawn):
        return f"chapter {ChapterId(event.chapter_id)!r}"
    return str(event.kind)
