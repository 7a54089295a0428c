"""`publish`, `withdraw` and `purge`: what comes into the log, and what leaves the index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common, DryRun, Input, Language, Republish, Title, WorkId
from streams.cli.running import connected, run

if TYPE_CHECKING:
    from contracts.ids import ChapterId


Chapter = Annotated[
    list[str] | None,
    typer.Option(
        "--chapter",
        metavar="ID",
        help="One chapter, by its id; may be given again. Default: see above.",
        show_default=False,
    ),
]


def publish(
    path: Input,
    work: WorkId = None,
    title: Title = None,
    language: Language = None,
    republish: Republish = False,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Append an input to the log, to be indexed by whoever owns the home, now or later.

    What the log says already is not said again. Where nobody owns the home, the next command
    that needs it goes on with what waits.

    Example: storygraft publish events.jsonl
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from streams import publishing
        from streams.cli.output import out, print_json
        from streams.cli.standing import published_shown
        from streams.home_lock import made
        from streams.inputs.reading import read_input
        from streams.inputs.values import Naming
        from streams.wiring import open_log

        settings = common.settings()
        given = read_input(path, Naming(work, title, language))
        made(settings.home)
        log = open_log(settings)
        try:
            report = await publishing.publish(log, given, republish=republish)
        finally:
            await log.close()
        if json:
            print_json(report)
        else:
            out.print(published_shown(report))
        return ExitCode.FINDING if report.problems else ExitCode.OK

    run(command, common)


def withdraw(
    work: options.Work,
    chapter: Chapter = None,
    dry_run: DryRun = False,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Take chapters of a work back, or with no --chapter the whole work.

    From then on nothing says a word of them. Their text stays in the log and in old pages of the
    stores until `storygraft purge`.

    Example: storygraft withdraw treasure-island --chapter 7
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from contracts.ids import WorkId
        from contracts.requests import Withdrawal
        from streams.cli.forecasting import foretell
        from streams.cli.output import out, print_json
        from streams.cli.standing import withdrawn_shown
        from streams.operations import WITHDRAW

        asked = Withdrawal(work_id=WorkId(work), chapter_ids=_chosen(chapter))
        async with connected(common.settings(), common) as index:
            if dry_run:
                foretold = await foretell(index, asked, json=json)
                return _withdrawn_code(done=foretold.events, unknown=foretold.problems)
            report = await index.call(WITHDRAW, asked)
        if json:
            print_json(report)
        else:
            out.print(withdrawn_shown(report))
        return _withdrawn_code(done=report.chapters, unknown=report.unknown)

    run(command, common)


def purge(
    work: options.Work,
    chapter: Chapter = None,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Remove every byte of withdrawn chapters' texts from the home; with no --chapter, of all.

    The stores are written anew from what survives, which takes a while; nobody can use the home
    meanwhile.

    Example: storygraft purge treasure-island --chapter 7
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from contracts.ids import WorkId
        from streams.cli.output import out, print_json
        from streams.cli.standing import purged_shown
        from streams.owner.connecting import stop_owner
        from streams.purge import purging

        settings = common.settings()
        await stop_owner(settings)
        report = await purging.purge(settings, WorkId(work), _chosen(chapter))
        if json:
            print_json(report)
        else:
            out.print(purged_shown(report))
        return ExitCode.FINDING if report.remains else ExitCode.OK

    run(command, common)


def _withdrawn_code(*, done: object, unknown: object) -> ExitCode:
    """Return how a withdrawal ends, or would."""
    if unknown and not done:
        return ExitCode.NOT_FOUND
    return ExitCode.FINDING if unknown else ExitCode.OK


def _chosen(chapter: list[str] | None) -> tuple[ChapterId, ...] | None:
    """Return the chapters that --chapter names; None where it names none."""
    from contracts.ids import ChapterId

    return tuple(map(ChapterId, chapter)) if chapter else None
