"""What is said to who asks for something that is not there. It loads little: every command does."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from contracts.errors import StorygraftError

if TYPE_CHECKING:
    from contracts.works import WorkRecord
    from streams.settings import Settings

_SHOWN_NAMES: Final = 5


class NotFound(StorygraftError):  # noqa: N818 - what is wrong, as a person would say it
    """What was asked for is not in the index; the text says what is."""


class Ambiguous(NotFound):
    """Several things are called so; the text names them."""


def nothing_indexed(settings: Settings) -> NotFound:
    """Return the error of who asks an empty home."""
    return NotFound(
        f"Nothing is indexed in {settings.home} yet: index something with `storygraft index FILE`, "
        "or look at `storygraft demo`."
    )


def not_found(work_id: str, works: Iterable[WorkRecord], settings: Settings) -> str:
    """Say that the work is not there, and what is."""
    known = {work.work_id: work for work in works}
    live = sorted(name for name, work in known.items() if work.live_chapters())
    if not known:
        return str(nothing_indexed(settings))
    if work_id in known:
        return (
            f"Work {work_id!r} has no chapters to read: they are withdrawn, dead letters or still "
            "waiting; `storygraft status` tells."
        )
    near = get_close_matches(work_id, live, n=_SHOWN_NAMES, cutoff=0.5)
    near = near or [name for name in live if work_id.casefold() in name.casefold()]
    if near:
        return f"There is no work {work_id!r}; did you mean {', '.join(near[:_SHOWN_NAMES])}?"
    more = f" and {len(live) - _SHOWN_NAMES} more" if len(live) > _SHOWN_NAMES else ""
    shown = ", ".join(live[:_SHOWN_NAMES]) + more
    return f"There is no work {work_id!r}; there is {shown or 'none with chapters to read'}."
