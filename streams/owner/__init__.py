"""The owner: the one process that holds a home and serves it to all other commands.

`serving` opens the home and serves it over loopback HTTP; `connecting` finds the owner, or starts
one that ends after idling; `calling` asks it.
"""

from __future__ import annotations

from typing import Final

URL_PREFIX: Final = "/v1/"
"""What every operation's URL begins with."""

JSON_LINES: Final = "application/x-ndjson"
"""What who asks accepts to be told how far an operation is."""
