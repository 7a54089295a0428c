"""`estimate`."""

from __future__ import annotations

from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common, Input, Language, Title, WorkId
from streams.cli.running import run


def estimate(
    path: Input,
    work: WorkId = None,
    title: Title = None,
    language: Language = None,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Say how many calls of the model and how many tokens indexing an input will cost.

    Nothing is spent and nothing is written. What the model's answers in the memo save is told.

    Example: storygraft estimate my-serial/
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from streams.cli.output import out, print_json
        from streams.cli.standing import estimated_shown
        from streams.inputs.reading import read_input
        from streams.inputs.values import ChapterInput, Naming
        from streams.segmenters import estimated

        given = read_input(path, Naming(work, title, language))
        report = await estimated(common.settings(), given)
        if isinstance(given, ChapterInput):
            problems = (*map(str, given.problems), *report.problems)
            report = report.model_copy(update={"problems": problems})
        if json:
            print_json(report)
        else:
            out.print(estimated_shown(report))
        return ExitCode.FINDING if report.problems else ExitCode.OK

    run(command, common)
