"""Serves gold scenes as a strong model would tell them: `python -m tests.model_server BOOK …`.

BOOK is a name in `../shared/data/storylines`. Set `STORYGRAFT_MODEL` to the URL that is printed and
`STORYGRAFT_MODEL_NAME` to `small-model`, then index the book; Ctrl-C ends the server.
"""

from __future__ import annotations

import signal
import sys
from contextlib import suppress

from tests.model_server.gold import GoldScript
from tests.model_server.server import ModelServer

if __name__ == "__main__":
    with ModelServer(GoldScript(*sys.argv[1:])) as server, suppress(KeyboardInterrupt):
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        signal.pause()
