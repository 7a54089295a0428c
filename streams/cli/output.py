"""Where things are printed: results to stdout, everything else to stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final, TypeVar

from rich.console import Console, RenderableType
from rich.text import Text

from contracts.frozen import Frozen

R = TypeVar("R", bound=Frozen)

# No markup, no highlighting: titles and quotes are other people's text, brackets and all.
out: Final = Console(markup=False, highlight=False)
err: Final = Console(stderr=True, markup=False, highlight=False)


def print_json(result: Frozen) -> None:
    """Write `result` to stdout as one line of UTF-8 JSON, whatever the terminal's encoding."""
    sys.stdout.flush()
    sys.stdout.buffer.write(result.to_json() + b"\n")
    sys.stdout.buffer.flush()


def print_result(result: R, shown: Callable[[R], RenderableType], *, json: bool) -> None:
    """Write `result` to stdout: as JSON, or as `shown` makes it for people."""
    if json:
        print_json(result)
    else:
        out.print(shown(result))


def print_error(text: str) -> None:
    """Say on stderr what went wrong and what to do."""
    err.print(Text.assemble(("error: ", "bold red"), text), soft_wrap=True)


def print_note(text: str) -> None:
    """Say on stderr something that is no error."""
    err.print(Text(text, style="dim"), soft_wrap=True)


def print_plain(text: str) -> None:
    """Write `text` to stdout as UTF-8, unwrapped."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode() + b"\n")
    sys.stdout.buffer.flush()
