"""Options by which dead letters are chosen."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from streams.cli import options

if TYPE_CHECKING:
    from contracts.requests import LetterChoice

Named = Annotated[
    list[str] | None,
    typer.Argument(metavar="[LETTER]...", help="As `dlq ls` names them.", show_default=False),
]
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        metavar="KIND",
        help="unreadable, wrong_key, unfit or unexpected; may be given again.",
        show_default=False,
    ),
]
OfWork = Annotated[
    str | None,
    typer.Option("--work", metavar="ID", help="Of one work.", show_default=False),
]
OfChapter = Annotated[
    str | None,
    typer.Option("--chapter", metavar="ID", help="Of one chapter.", show_default=False),
]
AtStage = Annotated[
    str | None,
    typer.Option(
        "--stage",
        metavar="STAGE",
        help="Found unfit by segment, embed, graft or answer.",
        show_default=False,
    ),
]
FromTopic = Annotated[
    str | None,
    typer.Option(
        "--topic", metavar="TOPIC", help="That came from chapters, scenes.g1, ...",
        show_default=False,
    ),
]  # fmt: skip
Since = Annotated[
    datetime | None,
    typer.Option(
        "--since",
        metavar="TIME",
        parser=options.parse_instant,
        help="Dead at or after a time, as 2026-11-30T12:00:00Z; UTC where no zone is told.",
        show_default=False,
    ),
]
Until = Annotated[
    datetime | None,
    typer.Option(
        "--until",
        metavar="TIME",
        parser=options.parse_instant,
        help="Dead before a time.",
        show_default=False,
    ),
]
All = Annotated[bool, typer.Option("--all", help="All open letters, where nothing says which.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done; do nothing.")]


def chosen(
    letters: list[str] | None,
    kinds: list[str] | None,
    work: str | None,
    chapter: str | None,
    stage: str | None,
    topic: str | None,
    since: datetime | None,
    until: datetime | None,
) -> LetterChoice:
    """Return the letters that a command line means."""
    from contracts.requests import LetterChoice
    from streams.dead_letters import FailureKind

    for kind in kinds or ():
        if kind not in set(FailureKind):
            raise typer.BadParameter(f"{kind!r} is no kind: there are {', '.join(FailureKind)}")
    return LetterChoice(
        letters=tuple(letters or ()),
        kinds=tuple(kinds or ()),
        work_id=work,
        chapter_id=chapter,
        stage=stage,
        source=topic,
        since=since,
        until=until,
    )
