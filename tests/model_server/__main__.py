"""Serves scripted answers: `python -m tests.model_server BOOK …`, or `--even 12` for any text.

BOOK is a name in `../shared/data/storylines`: its gold scenes, as a strong model would tell them.
Set `STORYGRAFT_MODEL` to the URL that is printed and `STORYGRAFT_MODEL_NAME` to `small-model`, then
index; `/accounts` beside `/v1` tells what was paid; Ctrl-C ends the server.
"""

from __future__ import annotations

import argparse
import signal
import sys
from contextlib import suppress

from tests.model_server.even import EvenScript
from tests.model_server.gold import GoldScript
from tests.model_server.server import ModelServer


def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.model_server", description=__doc__)
    parser.add_argument("books", nargs="*", metavar="BOOK", help="books whose gold scenes it says")
    parser.add_argument("--even", type=int, help="sentences in a scene, of any text")
    parser.add_argument("--seconds", type=float, default=0.0, help="an answer takes, with --even")
    given = parser.parse_args()
    even = EvenScript(given.even, given.seconds) if given.even else None
    with ModelServer(even or GoldScript(*given.books)) as server, suppress(KeyboardInterrupt):
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        signal.pause()


if __name__ == "__main__":
    _main()
