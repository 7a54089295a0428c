"""Options that several commands share."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from contracts.ids import Generation
from contracts.ordinals import Ordinal

if TYPE_CHECKING:
    from streams.settings import Settings


def parse_ordinal(text: str) -> Ordinal:
    """Read an ordinal given on the command line."""
    try:
        return Ordinal.parse(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def parse_instant(text: str) -> datetime:
    """Read a time given on the command line; one without a zone is UTC."""
    try:
        instant = datetime.fromisoformat(text)
    except ValueError as error:
        raise typer.BadParameter(f"{text!r} is no time: write 2026-11-30T12:00:00Z") from error
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)


def parse_generation(text: str) -> Generation:
    """Read the name of a generation given on the command line."""
    if not (text.startswith("g") and text[1:].isdecimal() and int(text[1:])):
        raise typer.BadParameter(f"{text!r} is no generation: write g1, g2, ...")
    return Generation(text)


OneGeneration = Annotated[
    Generation,
    typer.Argument(metavar="GEN", help="As g2.", parser=parse_generation, show_default=False),
]
OtherGeneration = Annotated[
    Generation | None,
    typer.Argument(
        metavar="GEN",
        help="Default: the newest that is not live.",
        parser=parse_generation,
        show_default=False,
    ),
]


def told(as_of: Ordinal | None) -> Ordinal | Literal["head"]:
    """Return the as-of of a request: what nobody said is the newest chapter."""
    return "head" if as_of is None else as_of


@dataclass(frozen=True, slots=True)
class Common:
    """What every command takes."""

    home: Path | None = None
    config: Path | None = None
    debug: bool = False
    json: bool = False

    def settings(self, **told: object) -> Settings:
        """Read the settings, with what this command line says above all.

        Raises:
            UnusableSettings: one of them cannot be used.
        """
        from streams.settings import load_settings

        return load_settings(self.config, home=self.home, **told)


Work = Annotated[str, typer.Argument(metavar="WORK", help="The work's id.", show_default=False)]
HomeDir = Annotated[
    Path | None,
    typer.Option(
        "--home",
        metavar="DIR",
        help="Data directory. Default: STORYGRAFT_HOME, or your user data folder.",
        show_default=False,
    ),
]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Settings file. Default: STORYGRAFT_CONFIG, or ./storygraft.toml.",
        show_default=False,
    ),
]
Debug = Annotated[
    bool, typer.Option("--debug", help="Log what is done to stderr; show where errors come from.")
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")]
AsOf = Annotated[
    Ordinal | None,
    typer.Option(
        "--as-of",
        metavar="N",
        parser=parse_ordinal,
        help="Only what a reader knows who has read up to chapter N. Default: the newest.",
        show_default=False,
    ),
]
Limit = Annotated[
    int,
    typer.Option("--limit", metavar="L", min=1, max=1000, help="How many to list at most."),
]
After = Annotated[
    str | None,
    typer.Option(
        "--after",
        metavar="CURSOR",
        help="Go on after the page whose `next` this was, as of the same chapter.",
        show_default=False,
    ),
]
PAGE: Final = 50
"""How much of a list is shown unless more is asked for."""

Words = Annotated[
    int | None,
    typer.Option(
        "--words", metavar="W", min=1, help="Words of evidence. Default: 1,000.", show_default=False
    ),
]


def _limit(flag: str, least: float, told: str) -> Any:
    """Return an option that limits what a question may cost; unset, the usual limit holds."""
    return typer.Option(
        flag, min=least, metavar="N", help=told, show_default=False, rich_help_panel="Limits"
    )


Rounds = Annotated[int | None, _limit("--rounds", 1, "Looks at map and text. Default: 6.")]
Scenes = Annotated[int | None, _limit("--scenes", 1, "Scenes that a round adds. Default: 8.")]
MapTokens = Annotated[
    int | None, _limit("--map-tokens", 500, "Tokens of the map in a prompt. Default: 12,000.")
]
ModelCalls = Annotated[
    int | None, _limit("--model-calls", 0, "Calls of the language model. Default: 8.")
]
Tokens = Annotated[
    int | None, _limit("--tokens", 0, "Tokens that it reads and writes. Default: 120,000.")
]
Seconds = Annotated[float | None, _limit("--seconds", 0.1, "Time in all. Default: 120.")]
Input = Annotated[
    Path,
    typer.Argument(
        metavar="INPUT",
        help="An EPUB; a folder of .txt, .md or .html chapters; one text file with chapter "
        "headings; a serial as .json; chapter events as .jsonl.",
        show_default=False,
    ),
]
WorkId = Annotated[
    str | None,
    typer.Option(
        "--work", metavar="ID", help="Work id. Default: made of the title.", show_default=False
    ),
]
Title = Annotated[
    str | None,
    typer.Option("--title", metavar="TEXT", help="The work's title.", show_default=False),
]
Brokers = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="URL",
        help="kafka://HOST:PORT[,HOST:PORT], or kafka+s:// for TLS. Default: the setting `log`.",
        show_default=False,
    ),
]
Republish = Annotated[
    bool, typer.Option("--republish", help="Bring back chapters that were withdrawn.")
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Say what would be done, model calls too; do nothing."),
]
Language = Annotated[
    str | None,
    typer.Option(
        "--language",
        metavar="TAG",
        help="Such as en or zh. Default: seen from each chapter.",
        show_default=False,
    ),
]
