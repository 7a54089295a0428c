"""How many tokens a text takes at most: what is asked before anything is spent on a model.

Tokenisers differ. Measured on maps of novels, one with few words (32,000) makes a token of 3.45
bytes of English at least; those of today's models make fewer tokens, and of Chinese and Japanese
fewer than there are characters.
"""

from __future__ import annotations

from typing import Final

_ASCII_PER_TOKEN: Final = 3.3


def tokens_at_most(text: str) -> int:
    """Estimate, on the high side, how many tokens a model makes of `text`."""
    plain = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
    return int(plain / _ASCII_PER_TOKEN) + len(text) - plain + 1
