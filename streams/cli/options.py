"""Options that several commands share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contracts.ordinals import Ordinal

if TYPE_CHECKING:
    from streams.settings import Settings


def parse_ordinal(text: str) -> Ordinal:
    """Read an ordinal given on the command line."""
    try:
        return Ordinal.parse(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


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
Words = Annotated[
    int | None,
    typer.Option(
        "--words", metavar="W", min=1, help="Words of evidence. Default: 1,000.", show_default=False
    ),
]
