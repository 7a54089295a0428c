"""Does what can be asked of a home: a function an operation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, cast

from contracts import topics
from contracts.answers import Answer, Export, SearchResult
from contracts.explanations import ExplainedAnswer
from contracts.forecasts import Forecast, Proposal
from contracts.ordinals import Ordinal
from contracts.ports import BoundStory
from contracts.prices import Reindexing
from contracts.reports import (
    CaughtUp,
    CharacterReport,
    CharactersReport,
    CompareReport,
    DoctorReport,
    DropReport,
    GenerationsReport,
    IndexReport,
    LetterReport,
    LettersReport,
    PathReport,
    PausedWork,
    ReindexEstimate,
    RepairReport,
    SettledReport,
    StartReport,
    StatusReport,
    SwapReport,
    ThreadReport,
    ThreadsReport,
    TimelineReport,
    TreeReport,
    VerifyReport,
    WithdrawReport,
)
from contracts.requests import (
    AsOf,
    Chapters,
    Drop,
    EventFile,
    Everything,
    ExportFile,
    LettersAsked,
    OneCharacter,
    OneLetter,
    OneThread,
    Page,
    Pausing,
    Question,
    Reindex,
    Repair,
    Rollback,
    Settling,
    Standing,
    Story,
    Swap,
    Timeline,
    TwoCharacters,
    TwoTrees,
    WholeStory,
    Withdrawal,
)
from contracts.story_graph import CastPlace, StoryPlace, ThreadPlace
from contracts.verifying import Verification
from graph.exporting import export
from streams import (
    comparing_trees,
    forecasting,
    indexing,
    operating,
    operations,
    pausing,
    publishing,
)
from streams.dead_letters import topics_of
from streams.dlq.letter_box import LetterBox
from streams.doctor import checking, repairing
from streams.estimating.reindex import estimate_reindex
from streams.export_file import read_export
from streams.generations import home as reindexing
from streams.inputs.values import ChapterInput, EventInput
from streams.operations import NOBODY, A, Operation, Q, Watcher
from streams.reading import linking, people, plots
from streams.reading.paging import turn_of
from streams.reading.timeline import timeline
from streams.reading.tree import tree
from streams.session import Home


async def perform(
    home: Home, operation: Operation[Q, A], request: Q, watcher: Watcher = NOBODY
) -> A:
    """Return the answer of `home` to `request`.

    Raises:
        StorygraftError: whatever the operation raises.
    """
    return cast(A, await _PERFORMED[operation.name](home, request, watcher))


@dataclass(frozen=True, slots=True)
class Here:
    """Asks a home that is open in this process: `streams.operations.Caller`."""

    home: Home

    async def call(self, operation: Operation[Q, A], request: Q, watcher: Watcher = NOBODY) -> A:
        """See `Caller.call`."""
        return await perform(self.home, operation, request, watcher)


# --- questions --------------------------------------------------------------------------------


async def _ask(home: Home, asked: Question, _watcher: Watcher) -> Answer:
    view = await _view(home, asked.work_id, asked.as_of)
    gaps = await home.gaps.as_of(view)
    return await home.answerer.answer(view, asked.question, asked.words, gaps, asked.budget)


async def _explain(home: Home, asked: Question, _watcher: Watcher) -> ExplainedAnswer:
    view = await _view(home, asked.work_id, asked.as_of)
    gaps = await home.gaps.as_of(view)
    return await home.answerer.explained(view, asked.question, asked.words, gaps, asked.budget)


async def _search(home: Home, asked: Question, _watcher: Watcher) -> SearchResult:
    view = await _view(home, asked.work_id, asked.as_of)
    gaps = await home.gaps.as_of(view)
    return await home.answerer.search(view, asked.question, asked.words, gaps, asked.budget)


# --- reading ----------------------------------------------------------------------------------


async def _export(home: Home, asked: WholeStory, _watcher: Watcher) -> Export:
    return await _exported(home, asked, with_text=asked.text)


async def _tree(home: Home, asked: Story, _watcher: Watcher) -> TreeReport:
    return tree(await _exported(home, asked))


async def _threads(home: Home, asked: Page, _watcher: Watcher) -> ThreadsReport:
    turn = turn_of(asked, ThreadPlace)
    return await plots.threads(await _view(home, asked.work_id, turn.as_of), turn)


async def _thread(home: Home, asked: OneThread, _watcher: Watcher) -> ThreadReport:
    turn = turn_of(asked, StoryPlace)
    return await plots.thread(await _view(home, asked.work_id, turn.as_of), asked.thread, turn)


async def _characters(home: Home, asked: Page, _watcher: Watcher) -> CharactersReport:
    turn = turn_of(asked, CastPlace)
    return await people.characters(await _view(home, asked.work_id, turn.as_of), turn)


async def _character(home: Home, asked: OneCharacter, _watcher: Watcher) -> CharacterReport:
    turn = turn_of(asked, StoryPlace)
    view = await _view(home, asked.work_id, turn.as_of)
    return await people.character(view, asked.character, turn)


async def _path(home: Home, asked: TwoCharacters, _watcher: Watcher) -> PathReport:
    view = await _view(home, asked.work_id, asked.as_of)
    return await linking.path(view, asked.one, asked.other, asked.scenes)


async def _timeline(home: Home, asked: Timeline, _watcher: Watcher) -> TimelineReport:
    turn = turn_of(asked, StoryPlace)
    return await timeline(await _view(home, asked.work_id, turn.as_of), asked, turn)


async def _compare(home: Home, asked: TwoTrees, _watcher: Watcher) -> CompareReport:
    return comparing_trees.compare(await _told(home, asked.a), await _told(home, asked.b))


async def _told(home: Home, asked: Story | ExportFile) -> Export:
    if isinstance(asked, ExportFile):
        return read_export(asked.export)
    return await _exported(home, asked, with_text=True)


async def _exported(home: Home, asked: Story, *, with_text: bool = False) -> Export:
    return await export(await _view(home, asked.work_id, asked.as_of), with_text)


async def _view(home: Home, work_id: str, as_of: AsOf) -> BoundStory:
    return await home.view(work_id, as_of if isinstance(as_of, Ordinal) else None)


# --- operating --------------------------------------------------------------------------------


async def _status(home: Home, asked: Standing, _watcher: Watcher) -> StatusReport:
    return await operating.status(home, asked.work_id)


async def _doctor(home: Home, asked: Standing, _watcher: Watcher) -> DoctorReport:
    return await checking.check(home, asked.work_id)


async def _repair(home: Home, asked: Repair, _watcher: Watcher) -> RepairReport:
    return await repairing.repair(home, asked.work_id, dry_run=asked.dry_run)


async def _withdraw(home: Home, asked: Withdrawal, _watcher: Watcher) -> WithdrawReport:
    report = await publishing.withdraw(home.log, asked.work_id, asked.chapter_ids)
    await home.hide()  # nobody may be told a word of them once this returns
    return report


async def _pause(home: Home, asked: Pausing, _watcher: Watcher) -> PausedWork:
    return await pausing.pause(home, asked.work_id)


async def _resume(home: Home, asked: Pausing, _watcher: Watcher) -> PausedWork:
    return await pausing.resume(home, asked.work_id)


async def _letters(home: Home, asked: LettersAsked, _watcher: Watcher) -> LettersReport:
    return await (await _box(home)).listed(asked)


async def _letter(home: Home, asked: OneLetter, _watcher: Watcher) -> LetterReport:
    return await (await _box(home)).shown(asked)


async def _settle(home: Home, asked: Settling, _watcher: Watcher) -> SettledReport:
    return await (await _box(home)).settle(asked)


async def _box(home: Home) -> LetterBox:
    """Return the dead letters of every generation that is kept."""
    await home.generations.refresh()
    kept = [known.generation for known in home.generations.kept()]
    read = [topic for each in dict.fromkeys((home.generation, *kept)) for topic in topics_of(each)]
    every = (*dict.fromkeys(read), topics.dead_letters(topics.QUESTIONS))
    return LetterBox(home.log, home.tree, every)


async def _forecast(home: Home, asked: Proposal, _watcher: Watcher) -> Forecast:
    return await forecasting.forecast(home, asked.change)


async def _estimate(home: Home, asked: Reindexing, _watcher: Watcher) -> ReindexEstimate:
    return await estimate_reindex(home, asked.source, asked.terms)


async def _index(home: Home, given: Chapters, watcher: Watcher) -> IndexReport:
    chapters = ChapterInput(given.described, given.chapters)
    return await indexing.index(home, chapters, watcher, republish=given.republish)


async def _index_events(home: Home, given: EventFile, watcher: Watcher) -> IndexReport:
    return await indexing.index(home, EventInput(given.events), watcher)


# --- generations ------------------------------------------------------------------------------


async def _catch_up(home: Home, _asked: Everything, watcher: Watcher) -> CaughtUp:
    return await reindexing.catch_up(home, watcher)


async def _reindex(home: Home, asked: Reindex, _watcher: Watcher) -> StartReport:
    return await reindexing.start(home, asked)


async def _generations(home: Home, _asked: Everything, _watcher: Watcher) -> GenerationsReport:
    return await reindexing.generations(home)


async def _verify(home: Home, asked: Verification, watcher: Watcher) -> VerifyReport:
    return await reindexing.verify(home, asked, watcher)


async def _swap(home: Home, asked: Swap, _watcher: Watcher) -> SwapReport:
    return await reindexing.swap(home, asked)


async def _rollback(home: Home, asked: Rollback, _watcher: Watcher) -> SwapReport:
    return await reindexing.rollback(home, asked)


async def _drop(home: Home, asked: Drop, watcher: Watcher) -> DropReport:
    return await reindexing.drop(home, asked, watcher)


_PERFORMED: Final[dict[str, Callable[[Home, Any, Watcher], Awaitable[Any]]]] = {
    operations.ASK.name: _ask,
    operations.EXPLAIN.name: _explain,
    operations.SEARCH.name: _search,
    operations.TREE.name: _tree,
    operations.THREADS.name: _threads,
    operations.THREAD.name: _thread,
    operations.CHARACTERS.name: _characters,
    operations.CHARACTER.name: _character,
    operations.PATH.name: _path,
    operations.TIMELINE.name: _timeline,
    operations.EXPORT.name: _export,
    operations.COMPARE.name: _compare,
    operations.STATUS.name: _status,
    operations.DOCTOR.name: _doctor,
    operations.REPAIR.name: _repair,
    operations.WITHDRAW.name: _withdraw,
    operations.PAUSE.name: _pause,
    operations.RESUME.name: _resume,
    operations.LETTERS.name: _letters,
    operations.LETTER.name: _letter,
    operations.SETTLE.name: _settle,
    operations.FORECAST.name: _forecast,
    operations.ESTIMATE.name: _estimate,
    operations.INDEX.name: _index,
    operations.INDEX_EVENTS.name: _index_events,
    operations.CATCH_UP.name: _catch_up,
    operations.REINDEX.name: _reindex,
    operations.GENERATIONS.name: _generations,
    operations.VERIFY.name: _verify,
    operations.SWAP.name: _swap,
    operations.ROLLBACK.name: _rollback,
    operations.DROP.name: _drop,
}
