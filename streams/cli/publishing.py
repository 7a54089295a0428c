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
    from contracts.reports import PublishReport
    from streams.inputs.values import ChapterInput, EventInput
    from streams.settings import Settings


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
    to: options.Brokers = None,
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
    that needs it goes on with what waits. INPUT - is a pipe of events, one JSON object a line.

    To Kafka (--to, or the setting `log`) everything is sent, since what says nothing new costs
    no work; a chapter that was withdrawn meanwhile is published again.

    Example: storygraft publish events.jsonl

    Example: storygraft publish my-serial/ --to kafka://localhost:9092
    """
    common = Common(home, config, debug, json)

    async def command() -> ExitCode:
        from streams.cli.output import print_result
        from streams.cli.standing import published_shown
        from streams.inputs.json_lines import STDIN
        from streams.inputs.reading import read_events, read_input
        from streams.inputs.values import Naming

        settings, naming = common.settings(log=to), Naming(work, title, language)
        read = read_events if path == STDIN else read_input
        given = read(path, naming)
        if settings.on_kafka:
            report = await _to_kafka(settings, given, republish=republish, shown=not json)
        else:
            report = await _to_log(settings, given, republish=republish)
        print_result(report, published_shown, json=json)
        return ExitCode.FINDING if report.problems else ExitCode.OK

    run(command, common)


async def _to_log(
    settings: Settings, given: ChapterInput | EventInput, *, republish: bool
) -> PublishReport:
    from streams import publishing
    from streams.adapters import open_log
    from streams.home_lock import made

    made(settings.home)
    log = open_log(settings)
    try:
        return await publishing.publish(log, given, republish=republish)
    finally:
        await log.close()


async def _to_kafka(
    settings: Settings, given: ChapterInput | EventInput, *, republish: bool, shown: bool
) -> PublishReport:
    from streams.cli.progress import SendProgress
    from streams.kafka.publishing import publish as publish_to_kafka
    from streams.settings import UnusableSettings

    if republish:
        raise UnusableSettings("Everything is sent to Kafka anyway: leave out --republish.")
    access = settings.kafka_access(settings.kafka_url)
    with SendProgress(shown=shown) as progress:
        return await publish_to_kafka(access, given, settings.max_body_bytes, progress)


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
        from streams.cli.output import print_result
        from streams.cli.standing import withdrawn_shown
        from streams.operations import WITHDRAW

        asked = Withdrawal(work_id=WorkId(work), chapter_ids=_chosen(chapter))
        async with connected(common.settings(), common) as index:
            if dry_run:
                foretold = await foretell(index, asked, json=json)
                return _withdrawn_code(done=foretold.events, unknown=foretold.problems)
            report = await index.call(WITHDRAW, asked)
        print_result(report, withdrawn_shown, json=json)
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
        from streams.cli.output import print_result
        from streams.cli.standing import purged_shown
        from streams.owner.connecting import stop_owner
        from streams.purge import purging

        settings = common.settings()
        await stop_owner(settings)
        report = await purging.purge(settings, WorkId(work), _chosen(chapter))
        print_result(report, purged_shown, json=json)
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
