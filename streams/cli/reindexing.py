"""`reindex`: build a generation beside the live one, look at it, swap, go back, drop."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from contracts.generations import Source
from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common
from streams.cli.running import connected, run
from streams.cli.verifying import verify

if TYPE_CHECKING:
    from contracts.prices import Reindexing
    from contracts.reports import StartReport
    from streams.operations import Caller
    from streams.settings import Settings

reindex = typer.Typer(
    name="reindex",
    no_args_is_help=True,
    help="Build the index anew beside the live one, compare, swap, roll back, drop.\n\n"
    "Example: storygraft reindex start && storygraft reindex verify && storygraft reindex swap",
)

From = Annotated[
    Source | None,
    typer.Option(
        "--from",
        help="Build from chapters, or from the scenes there are. Default: the cheapest that does.",
        show_default=False,
    ),
]
Again = Annotated[
    bool, typer.Option("--again", help="Build the version that is live once more, beside itself.")
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Only say what would be built, from what, and why.")
]
Wait = Annotated[
    float,
    typer.Option(
        "--wait", metavar="S", min=0, help="Seconds for it to do what the log holds by now."
    ),
]
Force = Annotated[
    str,
    typer.Option(
        "--force",
        metavar="REASON",
        help="Swap in spite of what `verify` found, or did not look at; the reason is kept.",
        show_default=False,
    ),
]
Grace = Annotated[
    float,
    typer.Option(
        "--grace", metavar="S", min=0, help="Seconds that readers get to end what they began."
    ),
]


@reindex.command("start")
def start(
    source: From = None,
    again: Again = False,
    dry_run: DryRun = False,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Begin a generation as the settings make it, and build it; readers see the old one.

    Run it again to go on with what was cut off. Where the log is Kafka, workers that are started
    with these settings build it, beside those that keep the live one up to date.

    Example: STORYGRAFT_SEGMENTER=litseg-lite storygraft reindex start
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from contracts.requests import Reindex
        from streams.cli.output import out, print_json
        from streams.cli.reindexing_shown import start_shown
        from streams.operations import ESTIMATE, REINDEX

        settings = common.settings()
        asked = Reindex(source=source, again=again, dry_run=dry_run)
        async with connected(settings, common) as index:
            report = await index.call(REINDEX, asked)
            if dry_run:
                estimate = await index.call(ESTIMATE, _costs(settings, report))
                report = report.model_copy(update={"estimate": estimate})
        if not json:
            out.print(start_shown(report))
        code = ExitCode.OK
        if not dry_run and not settings.on_kafka:
            code = await _build(settings, common, report)
        if json:
            print_json(report)
        return code

    run(command, common)


@reindex.command("status")
def status(
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Tell which generations there are, which one is live, and how far each is.

    Example: storygraft reindex status
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from contracts.requests import Everything
        from streams.cli.output import print_result
        from streams.cli.reindexing_shown import generations_shown
        from streams.operations import GENERATIONS

        async with connected(common.settings(), common) as index:
            report = await index.call(GENERATIONS, Everything())
        print_result(report, generations_shown, json=json)
        return ExitCode.OK

    run(command, common)


reindex.command("verify")(verify)


@reindex.command("swap")
def swap(
    generation: options.OtherGeneration = None,
    force: Force = "",
    wait: Wait = 60.0,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Make a generation live that `verify` found fit; the old one stays until it is dropped.

    Each request is answered from one generation throughout.

    Example: storygraft reindex swap g2
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from contracts.requests import Swap
        from streams.cli.output import print_result
        from streams.cli.reindexing_shown import swap_shown
        from streams.operations import SWAP

        asked = Swap(generation=generation, forced=force.strip(), patience_s=wait)
        async with connected(common.settings(), common) as index:
            report = await index.call(SWAP, asked)
        print_result(report, swap_shown, json=json)
        return ExitCode.OK

    run(command, common)


@reindex.command("rollback")
def rollback(
    wait: Wait = 60.0,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Make the generation live again that was so before the last swap.

    It must be as far as the log: keep its workers running until you drop it.

    Example: storygraft reindex rollback
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from contracts.requests import Rollback
        from streams.cli.output import print_result
        from streams.cli.reindexing_shown import swap_shown
        from streams.operations import ROLLBACK

        async with connected(common.settings(), common) as index:
            report = await index.call(ROLLBACK, Rollback(patience_s=wait))
        print_result(report, swap_shown, json=json)
        return ExitCode.OK

    run(command, common)


@reindex.command("drop")
def drop(
    generation: options.OneGeneration,
    grace: Grace = 60.0,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Delete a generation that is not live: its rows, its part of the graph, its topics.

    Stop its workers first. What is cut off goes on when it is dropped again.

    Example: storygraft reindex drop g1
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from contracts.requests import Drop
        from streams.cli.output import print_result
        from streams.cli.reindexing_shown import dropped_shown
        from streams.operations import DROP

        asked = Drop(generation=generation, grace_s=grace)
        async with connected(common.settings(), common) as index:
            report = await index.call(DROP, asked)
        print_result(report, dropped_shown, json=json)
        return ExitCode.OK

    run(command, common)


def _costs(settings: Settings, report: StartReport) -> Reindexing:
    from contracts.prices import Reindexing, Terms

    return Reindexing(source=report.source.value, terms=Terms(prices=settings.prices))


async def _build(settings: Settings, common: Common, report: StartReport) -> ExitCode:
    """Build the generation in the home, which is opened anew for that."""
    from contracts.requests import Everything
    from streams.cli.output import err, print_note
    from streams.cli.progress import IndexProgress
    from streams.operations import CATCH_UP
    from streams.owner.connecting import stop_owner

    await stop_owner(settings)
    shown = err.is_terminal and not common.json
    async with _opened(settings, common, report) as index:
        with IndexProgress(shown=shown) as progress:
            done = await index.call(CATCH_UP, Everything(), progress)
    for hold in done.held:
        print_note(f"Held at {hold.stage}: {hold.reason}")
    return ExitCode.HELD if done.held else ExitCode.OK


@asynccontextmanager
async def _opened(settings: Settings, common: Common, report: StartReport) -> AsyncIterator[Caller]:
    """Open the home for the generation: through an owner, unless only we know which one it is."""
    if report.changes:
        async with connected(settings, common) as index:
            yield index
        return
    from streams.performing import Here
    from streams.wiring import open_home

    building = settings.model_copy(update={"generation": report.generation})
    async with open_home(building, must_exist=True) as home:
        yield Here(home)
