"""All commands, in the order in which somebody new meets them."""

from __future__ import annotations

from typing import Annotated

import typer

from streams.cli import (
    backing_up,
    comparing,
    demonstrating,
    estimating,
    following,
    indexing,
    operating,
    pausing,
    publishing,
    questions,
    reading,
    serving,
    working,
)
from streams.cli.letters import dlq
from streams.cli.log_files import replay
from streams.cli.memo import memo
from streams.cli.reindexing import reindex
from streams.cli.topics import topics

app = typer.Typer(
    name="storygraft",
    no_args_is_help=True,
    rich_markup_mode="rich",
    epilog="Exit codes: 0 done; 1 something failed or was found; 2 wrong usage or input; "
    "3 not found; 4 held, run it again later; 5 home in use; 6 store unusable.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"storygraft {version('storygraft')}")
        raise typer.Exit


@app.callback()
def storygraft(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Index serialized fiction chapter by chapter, and ask it anything, as of any chapter.

    Start with [bold]storygraft demo[/bold], or index something of yours:

    storygraft index my-serial/ && storygraft ask my-serial "Who has the key?"
    """


app.command("demo")(demonstrating.demo)
app.command("index")(indexing.index)
app.command("estimate")(estimating.estimate)
app.command("ask")(questions.ask)
app.command("search")(questions.search)
app.command("tree")(reading.tree)
app.command("threads")(reading.threads)
app.command("thread")(reading.thread)
app.command("characters")(reading.characters)
app.command("character")(reading.character)
app.command("path")(following.path)
app.command("timeline")(following.timeline)
app.command("status")(operating.status)
app.command("export")(reading.export)
app.command("compare")(comparing.compare)
app.command("publish")(publishing.publish)
app.command("withdraw")(publishing.withdraw)
app.command("purge")(publishing.purge)
app.command("pause")(pausing.pause)
app.command("resume")(pausing.resume)
app.add_typer(reindex)
app.command("doctor")(operating.doctor)
app.command("backup")(backing_up.backup)
app.command("restore")(backing_up.restore)
app.command("serve")(serving.serve)
app.command("worker")(working.worker)
app.add_typer(dlq)
app.add_typer(replay)
app.add_typer(memo)
app.add_typer(topics)
