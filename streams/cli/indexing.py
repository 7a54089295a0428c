"""`index`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common, DryRun, Input, Language, Republish, Title, WorkId
from streams.cli.running import connected, run

if TYPE_CHECKING:
    from contracts.reports import IndexReport
    from contracts.requests import Chapters, EventFile
    from streams.cli.progress import IndexProgress
    from streams.inputs.values import ChapterInput, EventInput
    from streams.operations import Caller


def index(
    path: Input,
    work: WorkId = None,
    title: Title = None,
    language: Language = None,
    republish: Republish = False,
    dry_run: DryRun = False,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Index an input: what of it is new or changed; the rest costs nothing.

    Chapters that are not in the input any more stay indexed. One bad chapter stops nobody: the
    exit code is 1, and `storygraft status` shows it.

    Example: storygraft index my-serial/ --work my-serial
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from streams.cli.output import print_result
        from streams.cli.progress import IndexProgress
        from streams.cli.standing import index_shown
        from streams.inputs.reading import read_input
        from streams.inputs.values import Naming

        settings = common.settings()
        given = read_input(path, Naming(work, title, language))
        async with connected(settings, common, must_exist=False) as caller:
            if dry_run:
                return await _foretold(caller, given, json=json, republish=republish)
            with IndexProgress(shown=not json) as progress:
                report = await _indexed(caller, given, progress, republish=republish)
        print_result(report, lambda told: index_shown(told, progress.rate()), json=json)
        return _exit_code(report)

    run(command, common)


async def _foretold(
    caller: Caller, given: ChapterInput | EventInput, *, json: bool, republish: bool
) -> ExitCode:
    from streams.cli.forecasting import foretell
    from streams.inputs.values import EventInput

    change = (
        _event_file(given)
        if isinstance(given, EventInput)
        else _chapters(given, republish=republish)
    )
    foretold = await foretell(caller, change, json=json)
    return ExitCode.FINDING if foretold.problems else ExitCode.OK


def _chapters(given: ChapterInput, *, republish: bool) -> Chapters:
    from contracts.requests import Chapters

    return Chapters(described=given.described, chapters=given.chapters, republish=republish)


def _event_file(given: EventInput) -> EventFile:
    from contracts.requests import EventFile

    return EventFile(events=given.path.absolute())


async def _indexed(
    caller: Caller,
    given: ChapterInput | EventInput,
    progress: IndexProgress,
    *,
    republish: bool,
) -> IndexReport:
    from streams.inputs.values import EventInput
    from streams.operations import INDEX, INDEX_EVENTS

    if isinstance(given, EventInput):
        return await caller.call(INDEX_EVENTS, _event_file(given), progress)
    report = await caller.call(INDEX, _chapters(given, republish=republish), progress)
    problems = tuple(map(str, given.problems))
    notes = (*given.notes, *report.notes)
    return report.model_copy(update={"problems": problems, "notes": notes})


def _exit_code(report: IndexReport) -> ExitCode:
    if report.held:
        return ExitCode.HELD
    failed = report.problems or report.dead_letters or report.refused
    return ExitCode.FINDING if failed else ExitCode.OK
