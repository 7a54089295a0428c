"""`topics create` and `topics check`: the topics of a distributed index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from contracts.ids import FIRST_GENERATION, Generation
from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common
from streams.cli.running import run

if TYPE_CHECKING:
    from contracts.reports import TopicsReport

topics = typer.Typer(
    name="topics",
    no_args_is_help=True,
    help="Make and check the topics of a distributed index.\n\n"
    "Example: storygraft topics create --to kafka://localhost:9092",
)

OfGeneration = Annotated[
    Generation,
    typer.Option(
        "--generation",
        metavar="gN",
        help="Of scenes, embedded and grafts.",
        parser=options.parse_generation,
        show_default=True,
    ),
]
Alter = Annotated[
    bool,
    typer.Option("--alter", help="Set right what topics that are there are told, retention too."),
]


@topics.command("create")
def create(
    to: options.Brokers = None,
    alter: Alter = False,
    generation: OfGeneration = FIRST_GENERATION,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Make the topics that are missing; those that are there keep what they hold.

    How many partitions and replicas, and how long events are kept, are settings: topic_partitions,
    topic_replication, topic_keep_days, topic_prefix.

    Example: storygraft topics create --to kafka://localhost:9092
    """
    common = Common(None, config, debug, json)

    async def command() -> ExitCode:
        from streams.kafka import topics as kafka_topics

        settings = common.settings(log=to)
        access = settings.kafka_access(settings.kafka_url)
        shape, named = settings.topic_shape, generation
        return _told(await kafka_topics.create(access, shape, named, alter=alter), json=json)

    run(command, common)


@topics.command("check")
def check(
    to: options.Brokers = None,
    generation: OfGeneration = FIRST_GENERATION,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Say what is wrong with the topics and what to do, one sentence each; change nothing.

    Example: storygraft topics check --to kafka://localhost:9092
    """
    common = Common(None, config, debug, json)

    async def command() -> ExitCode:
        from streams.kafka import topics as kafka_topics

        settings = common.settings(log=to)
        access = settings.kafka_access(settings.kafka_url)
        named = generation
        return _told(await kafka_topics.check(access, settings.topic_shape, named), json=json)

    run(command, common)


def _told(report: TopicsReport, *, json: bool) -> ExitCode:
    from streams.cli.output import print_result
    from streams.cli.topics_shown import topics_shown

    print_result(report, topics_shown, json=json)
    return ExitCode.FINDING if report.faults else ExitCode.OK
