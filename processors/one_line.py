"""Text of a story as one line of a prompt, without anything that could be more than text."""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

from contracts.words import iter_words

_TEMPLATE_MARKS: Final = str.maketrans({"<": "‹", ">": "›", "[": "(", "]": ")"})
_UNSTORABLE: Final = re.compile(r"[\ud800-\udfff]")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_LETTERS_A_WORD: Final = 12  # a text without spaces is one word to the count


def one_line(text: str) -> str:
    """Return `text` on one line: no line end, no bracket, no mark of a chat template is left."""
    flat = " ".join(_CONTROL.sub(" ", text).split()).translate(_TEMPLATE_MARKS)
    return _UNSTORABLE.sub("\ufffd", flat)


def clipped(text: str, words: int) -> str:
    """Return the first `words` words of `text` as `one_line` has it."""
    flat = one_line(text)
    head = flat[: words * _LETTERS_A_WORD]
    ends = [end for _, end in islice(iter_words(head), words + 1)]
    if len(ends) <= words and len(head) == len(flat):
        return flat
    return f"{head[: ends[words - 1]] if len(ends) > words else head.rstrip()} …"
