"""What a change would cost: the stages run on it, and everything that would be written is not.

The log and the stores are read only. Asked about placement, the memo answers; where it cannot,
the call is noted instead of made.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from pydantic import ValidationError

from contracts.advice import Advice, Advised
from contracts.crash_points import go_on
from contracts.errors import PermanentError
from contracts.events import (
    ChapterEvent,
    ChapterPublished,
    ChapterWithdrawn,
    WorkWithdrawn,
    chapter_event,
)
from contracts.forecasts import Forecast, ModelCall
from contracts.ids import ChapterId, Generation, RowKey, WorkId
from contracts.messages import ChapterGrafted
from contracts.placement import PlacementAdviser, PlacementCase
from contracts.ports import TreeStore, VectorStore
from contracts.requests import Chapters, EventFile, Withdrawal
from contracts.topics import CHAPTERS
from contracts.vectors import VectorRow
from contracts.works import Commit
from graph.advising import Advising
from streams.comparing import compare
from streams.inputs.json_lines import read_lines
from streams.inputs.values import ChapterInput
from streams.intakes import EMBED, GRAFT, SEGMENT
from streams.operating import waiting
from streams.stage import Arrival, Stage
from streams.topology import chapter_path

if TYPE_CHECKING:
    from contracts.memo import Asked
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
            work = await home.tree.load(change.described.work_id)
            given = ChapterInput(change.described, change.chapters)
            return compare(given, work, dead=(), republish=change.republish).events
        case EventFile():
            return list(_read_events(change, problems))
        case Withdrawal():
            return await _withdrawals(home, change, problems)


def _read_events(file: EventFile, problems: list[str]) -> Iterable[ChapterEvent]:
    for number, line in enumerate(read_lines(file.events), start=1):
        try:
            yield chapter_event.validate_json(line.value)
        except ValidationError as error:
            problems.append(f"line {number}: {error.errors()[0]['msg']}")


async def _withdrawals(
    home: Home, change: Withdrawal, problems: list[str]
) -> Sequence[ChapterEvent]:
    if change.chapter_ids is None:
        return [WorkWithdrawn(work_id=change.work_id)]
    work = await home.tree.load(change.work_id)
    known = {chapter.chapter_id for chapter in work.live_chapters()} if work else set()
    problems += [
        f"{change.work_id}: there is no chapter {each} to withdraw"
        for each in change.chapter_ids
        if each not in known
    ]
    return [
        ChapterWithdrawn(work_id=change.work_id, chapter_id=each)
        for each in change.chapter_ids
        if each in known
    ]


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
    ) -> _Noted:
        noted = _Noted()
        handlers = {stage.intake.name: stage.handler for stage in self._stages(noted)}
        embedded: list[Arrival[Any]] = []
        for event, position in positioned:
            arrivals: list[Arrival[Any]] = [Arrival(event, position)]
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

    def _stages(self, noted: _Noted) -> Sequence[Stage[Any]]:
        """Return the stages of the home, as they would be if they wrote nothing."""
        ports = self.home.ports
        advising = ports.advising
        if advising is not None:
            adviser = _Foreseeing(advising.adviser, ports.tree, self.work_id, noted)
            advising = Advising(adviser, advising.scope)
        return chapter_path(
            replace(
                ports,
                tree=cast(TreeStore, _ReadOnlyTree(ports.tree)),
                vectors=cast(VectorStore, _Overlay(ports.vectors)),
                advising=advising,
                reached=go_on,
            )
        )


@dataclass(slots=True)
class _Noted:
    """What a rehearsal came to."""

    folded: int = 0
    remembered: int = 0
    calls: list[ModelCall] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Foreseeing:
    """Answers from the memo; where that cannot, notes the call and says what was said before."""

    adviser: PlacementAdviser
    tree: TreeStore
    work_id: WorkId
    noted: _Noted

    @property
    def version(self) -> str:
        return self.adviser.version

    def asked(self, case: PlacementCase) -> Asked | None:
        return self.adviser.asked(case)

    async def recall(self, case: PlacementCase) -> Advised | None:
        return await self.adviser.recall(case)

    async def advise(self, case: PlacementCase) -> Advised:
        asked = self.asked(case)
        if asked is None:
            return Advised(None)
        known = await self.recall(case)
        if known is not None:
            self.noted.remembered += 1
            return known
        self.noted.calls.append(
            ModelCall(
                work_id=self.work_id,
                chapter_id=case.chapter_id,
                purpose=asked.purpose,
                key=asked.key,
            )
        )
        return Advised(await self._said_before(case))

    async def _said_before(self, case: PlacementCase) -> Advice | None:
        """Return what the chapter's stored record says was advised, as far as it still can be."""
        work = await self.tree.load(self.work_id)
        if work is None:
            return None
        records = await self.tree.records(self.work_id, work.generation, [case.chapter_id])
        shown = {thread.storyline for thread in case.threads}
        asked = {scene.number for scene in case.close_calls}
        scenes = tuple(
            scene.model_copy(update={"touches": tuple(t for t in scene.touches if t in shown)})
            for record in records
            if record.advice is not None
            for scene in record.advice.scenes
            if scene.number in asked and (scene.home is None or scene.home in shown)
        )
        return Advice(scenes=scenes) if scenes else None


@dataclass(frozen=True, slots=True)
class _ReadOnlyTree:
    """A tree store whose commits succeed and change nothing."""

    inner: TreeStore

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def commit(self, _commit: Commit) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class _Overlay:
    """A vector store in which rows are written for whoever holds this value only."""

    inner: VectorStore
    written: dict[RowKey, VectorRow] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def upsert(
        self, _work_id: WorkId, _generation: Generation, rows: Sequence[VectorRow]
    ) -> None:
        self.written.update({row.key: row for row in rows})

    async def fetch(
        self, work_id: WorkId, generation: Generation, keys: Collection[RowKey]
    ) -> Mapping[RowKey, VectorRow]:
        here = {key: self.written[key] for key in keys if key in self.written}
        rest = [key for key in keys if key not in here]
        return {**(await self.inner.fetch(work_id, generation, rest) if rest else {}), **here}

    async def delete(
        self, work_id: WorkId, generation: Generation, keys: Collection[RowKey]
    ) -> None:
        """Delete nothing."""


def _folded(grafted: Sequence[ChapterGrafted]) -> int:
    """Return how many chapters were folded, anew or for the first time."""
    first_time = {message.chapter_id for message in grafted if message.scenes}
    return max(grafted[-1].refolded_chapters, len(first_time))


def _name_of(event: ChapterEvent) -> str:
    if isinstance(event, ChapterPublished | ChapterWithdrawn):
        return f"chapter {ChapterId(event.chapter_id)!r}"
    return str(event.kind)
