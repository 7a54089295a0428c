"""`dlq`: dead letters, listed, looked at, sent again and dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.letter_options import (
    All,
    AtStage,
    DryRun,
    FromTopic,
    Kinds,
    Named,
    OfChapter,
    OfWork,
    Since,
    Until,
    chosen,
)
from streams.cli.options import Common
from streams.cli.running import connected, run

if TYPE_CHECKING:
    from contracts.reports import LetterReport, Settled, SettledReport
    from contracts.requests import LetterChoice

dlq = typer.Typer(
    name="dlq",
    no_args_is_help=True,
    help="Dead letters: what could not be read, its bytes unchanged, with the reason.\n\n"
    "Example: storygraft dlq ls --work treasure-island",
)


@dlq.command("ls")
def ls(
    kind: Kinds = None,
    work: OfWork = None,
    chapter: OfChapter = None,
    stage: AtStage = None,
    topic: FromTopic = None,
    since: Since = None,
    until: Until = None,
    settled: Annotated[
        bool, typer.Option("--settled", help="Those that were retried or dropped, too.")
    ] = False,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """List the dead letters that are open, oldest first, with where they lie and why.

    Example: storygraft dlq ls --kind unfit --since 2026-11-30
    """
    common = Common(home, config, debug, json)
    choice = chosen(None, kind, work, chapter, stage, topic, since, until)

    async def command() -> ExitCode:
        from contracts.requests import LettersAsked
        from streams.cli.letters_shown import letters_shown
        from streams.cli.output import print_result
        from streams.operations import LETTERS

        async with connected(common.settings(), common) as index:
            report = await index.call(LETTERS, LettersAsked(choice=choice, settled=settled))
        print_result(report, letters_shown, json=json)
        return ExitCode.OK

    run(command, common)


@dlq.command("show")
def show(
    letter: Annotated[
        str, typer.Argument(metavar="LETTER", help="As `dlq ls` names it.", show_default=False)
    ],
    body: Annotated[
        bool,
        typer.Option(
            "--body", help="Write its bytes, as they came and nothing else; with --json, both."
        ),
    ] = False,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Show where a dead letter came from and what is wrong with it.

    Its bytes are shown only with --body: they may be anything. To a terminal they are written with
    all that could command it made visible.

    Example: storygraft dlq show chapters.dlq@7 --body > event.json
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from contracts.requests import OneLetter
        from streams.cli.letters_shown import letter_shown
        from streams.cli.output import out, print_json
        from streams.operations import LETTER

        async with connected(common.settings(), common) as index:
            report = await index.call(LETTER, OneLetter(letter=letter, body=body))
        if json:
            print_json(report)
        elif body:
            return _write_body(report)
        else:
            out.print(letter_shown(report))
        return ExitCode.OK

    run(command, common)


@dlq.command("retry")
def retry(
    letters: Named = None,
    kind: Kinds = None,
    work: OfWork = None,
    chapter: OfChapter = None,
    stage: AtStage = None,
    topic: FromTopic = None,
    since: Since = None,
    until: Until = None,
    everything: All = False,
    dry_run: DryRun = False,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Send dead letters again, once what was wrong is mended; each keeps its place among events.

    What fails again is a new letter. To retry one twice does no harm.

    Example: storygraft dlq retry --kind unfit --work treasure-island --dry-run
    """
    from contracts.reports import Settled

    choice = chosen(letters, kind, work, chapter, stage, topic, since, until)
    common = Common(home, config, debug, json)
    _settle(Settled.RETRIED, choice, common, everything=everything, dry_run=dry_run)


@dlq.command("drop")
def drop(
    letters: Named = None,
    kind: Kinds = None,
    work: OfWork = None,
    chapter: OfChapter = None,
    stage: AtStage = None,
    topic: FromTopic = None,
    since: Since = None,
    until: Until = None,
    everything: All = False,
    dry_run: DryRun = False,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Give dead letters up: they are no gaps any more, and listed only with `dlq ls --settled`.

    Their bytes stay in the log: `storygraft purge` removes those of withdrawn chapters.

    Example: storygraft dlq drop chapters.dlq@7
    """
    from contracts.reports import Settled

    choice = chosen(letters, kind, work, chapter, stage, topic, since, until)
    common = Common(home, config, debug, json)
    _settle(Settled.DROPPED, choice, common, everything=everything, dry_run=dry_run)


def _settle(
    how: Settled, choice: LetterChoice, common: Common, *, everything: bool, dry_run: bool
) -> None:
    from contracts.requests import LetterChoice as Choice

    if (choice == Choice()) != everything:
        raise typer.BadParameter(
            "say which letters: name them, or filter with --kind, --work and the like; or --all"
        )

    async def command() -> ExitCode:
        from contracts.requests import Settling
        from streams.cli.letters_shown import settled_shown
        from streams.cli.output import print_result
        from streams.operations import SETTLE

        asked = Settling(how=how, choice=choice, dry_run=dry_run)
        async with connected(common.settings(), common) as index:
            report = await index.call(SETTLE, asked)
        print_result(report, settled_shown, json=common.json)
        return _settled_code(report)

    run(command, common)


def _settled_code(report: SettledReport) -> ExitCode:
    return ExitCode.FINDING if report.refused else ExitCode.OK


def _write_body(report: LetterReport) -> ExitCode:
    import sys

    from streams.cli.letters_shown import lies_in, visible
    from streams.cli.output import print_error, print_plain

    if report.body is None:
        print_error(f"The letter has no bytes: {lies_in(report.letter)}.")
        return ExitCode.FINDING
    content = report.body.content
    if sys.stdout.isatty():
        print_plain(visible(content.decode("utf-8", errors="backslashreplace")))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    return ExitCode.OK
