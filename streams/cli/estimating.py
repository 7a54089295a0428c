"""`estimate`."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common, Language, Title, WorkId
from streams.cli.running import connected, run

if TYPE_CHECKING:
    from contracts.prices import Terms
    from contracts.reports import EstimateReport
    from streams.inputs.values import Naming

PriceInput = Annotated[
    float | None,
    typer.Option("--price-input", min=0, help="Of a million tokens read.", show_default=False),
]
PriceOutput = Annotated[
    float | None,
    typer.Option("--price-output", min=0, help="Of a million written.", show_default=False),
]
Rate = Annotated[
    float | None,
    typer.Option(
        "--rate",
        min=0.001,
        help="Tokens a second of one call. Default: as in past calls.",
        show_default=False,
    ),
]
AtOnce = Annotated[
    int | None,
    typer.Option(
        "--at-once",
        min=1,
        help="Calls under way at once, in all workers. Default: those of one process.",
        show_default=False,
    ),
]


def estimate(
    path: Annotated[
        Path | None,
        typer.Argument(metavar="[INPUT]", help="As for index.", show_default=False),
    ] = None,
    reindex: Annotated[
        bool, typer.Option("--reindex", help="Of a new generation of all that is indexed.")
    ] = False,
    source: Annotated[
        Literal["chapters", "scenes"],
        typer.Option("--from", help="Where it begins: scenes where segmentation stays."),
    ] = "chapters",
    price_input: PriceInput = None,
    price_output: PriceOutput = None,
    rate: Rate = None,
    at_once: AtOnce = None,
    work: WorkId = None,
    title: Title = None,
    language: Language = None,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Say what indexing an input, or building a new generation, will cost.

    Calls of the model, tokens, money at given prices, and time. Nothing is spent and nothing is
    written. What the model's answers in the memo save is told.

    Example: storygraft estimate my-serial/ --price-input 0.15 --price-output 0.6
    """
    if (path is None) != reindex:
        raise typer.BadParameter("Give an input, or --reindex.")
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from contracts.prices import Terms
        from streams.cli.costs import estimated_shown
        from streams.cli.output import print_result
        from streams.inputs.values import Naming

        settings = common.settings(price_input=price_input, price_output=price_output)
        alone = settings.segment_ahead + 1
        terms = Terms(prices=settings.prices, tokens_a_s=rate, at_once=at_once or alone)
        if path is None:
            report = await _of_reindex(common, terms, source)
        else:
            report = await _of_input(common, path, Naming(work, title, language), terms)
        print_result(report, estimated_shown, json=json)
        return ExitCode.FINDING if report.problems else ExitCode.OK

    run(command, common)


async def _of_reindex(
    common: Common, terms: Terms, source: Literal["chapters", "scenes"]
) -> EstimateReport:
    from contracts.prices import Reindexing
    from streams.operations import ESTIMATE

    async with connected(common.settings(), common) as caller:
        with _sign_of_life(common):
            return await caller.call(ESTIMATE, Reindexing(source=source, terms=terms))


async def _of_input(common: Common, path: Path, naming: Naming, terms: Terms) -> EstimateReport:
    from streams.estimating.inputs import estimated
    from streams.inputs.reading import read_input
    from streams.inputs.values import ChapterInput

    given = read_input(path, naming)
    with _sign_of_life(common):
        report = await estimated(common.settings(), given, terms)
    if isinstance(given, ChapterInput):
        problems = (*map(str, given.problems), *report.problems)
        report = report.model_copy(update={"problems": problems})
    return report


def _sign_of_life(common: Common) -> AbstractContextManager[object]:
    from streams.cli.output import err

    return err.status("Estimating…") if err.is_terminal and not common.json else nullcontext()
