"""Lines that stand between scenes: ornaments, rules, lone marks."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from processors.lines import INVISIBLE

_LIMIT: Final = 200
_UNSEEN: Final = re.compile(rf"[\s\x00-\x1f\x7f-\x9f{INVISIBLE}]+")
_WORDLESS: Final = re.compile(r"[\W_]*")
# Silence, wonder or a cry: a line of these alone is somebody's, and so story.
_SPOKEN: Final = re.compile(r"[.!?…,;:。！？、，；：‽·\"'“”‘’„«»‹›「」『』()\[\]（）【】]*")
_VOICE: Final = re.compile(r"[\"“”„«»「」『』!?！？]")
_SPACED_DOTS: Final = re.compile(r"[.·](?:\s+[.·]){2,}")
# Fan fiction's dividers: xXx, oOo, x-x-x. Letters of one size only with marks between them,
# since "ooo" and "OOO" are cries.
_LETTERS: Final = re.compile(
    r"[xX]{3,}|[xX](?:[\W_]+[xX]){2,}|(?:o+O)+o+|(?:O+o)+O+|(?:o0)+o|(?:[oO0][\W_]+){2,}[oO0]"
)
_EDGES: Final = re.compile(r"^[\W_]+|[\W_]+$")


def is_separator(line: str) -> bool:
    """Say whether `line`, one trimmed line of text, only parts what is before it from after it.

    Marks, rules and ornaments part; end marks, ellipses and anything between quotation marks
    do not. A lone emoji is a message, three are an ornament.
    """
    if len(line) > _LIMIT:
        return False
    if _WORDLESS.fullmatch(line):
        return _is_ornament(_UNSEEN.sub("", line), line)
    return bool(_LETTERS.fullmatch(_EDGES.sub("", line)))


def _is_ornament(marks: str, line: str) -> bool:
    if not marks or _VOICE.search(marks):
        return False
    if _SPOKEN.fullmatch(marks):
        return bool(_SPACED_DOTS.fullmatch(line))
    if any(unicodedata.category(mark)[0] not in "PS" and mark != "\ufe0f" for mark in marks):
        return False
    emoji = sum("\U0001f000" <= mark <= "\U0001faff" for mark in marks)
    return emoji == 0 or emoji >= 3
