"""The command line, `storygraft`.

A command's module holds its options and how its result is shown; what it does is elsewhere.
Stores and models are imported by the commands that use them.
"""

from __future__ import annotations


def main() -> None:
    """Run the command line."""
    from streams.cli.application import app

    app()
