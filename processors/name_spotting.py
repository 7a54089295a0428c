"""Where capitalised runs stand in a chapter that may be names, with what stands around them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from contracts.person_names import GIVEN_NAMES, TITLES
from contracts.scenes import ChapterText
from processors.name_tables import COURTESIES, FUNCTION_WORDS, OF_HEADS, PARTICLES, WEEKDAYS

_UPPER: Final = "".join(chr(code) for code in range(0x530) if chr(code).isupper())
_DOTTED: Final = (
    "Mr|Mrs|Ms|Dr|Drs|St|Capt|Col|Prof|Rev|Lt|Lieut|Sgt|Sergt|Gen|Maj|Mme|Mlle|Hr|Fr|Jr|Sr|Hon|Insp"
)
_WORD: Final = (
    rf"[{_UPPER}][^\W\d_]*(?:['’][{_UPPER}][^\W\d_]+|-[^\W\d_]+)*"
    r"(?![^\W_])(?!['’](?:t|ll|ve|re|m|d)\b)"  # "Don't", "He'll": no names
)
_TOKEN: Final = rf"(?:(?:{_DOTTED})\.|[{_UPPER}]\.|(?:d['’])?{_WORD})"
_INSIDE: Final = "|".join(
    ["v[ao]n (?:der|den|dem)", *(re.escape(word) for word in sorted(PARTICLES, reverse=True))]
)
_GAP: Final = r"(?: +|\n)"
_RUN: Final = re.compile(
    rf"(?<![^\W_]){_TOKEN}(?:{_GAP}(?:(?:(?:{_INSIDE}){_GAP}){{1,2}}|of{_GAP}(?:the{_GAP})?)?{_TOKEN})*"
)
_PART: Final = re.compile(rf"{_TOKEN}|[^\W\d_]+['’]?")
_ANY_WORD: Final = re.compile(r"[^\W\d_]+")
_BEFORE: Final = re.compile(r"([^\W\d_]+(?:['’][^\W\d_]+)?)([^\w]*)$")
_AFTER: Final = re.compile(r"(['’]s?(?![^\W_]))?([^\w]{0,4})([^\W\d_]*(?:['’][^\W\d_]+)?)")
_LOOK_BACK: Final = 40  # enough for one word and the marks behind it
_OPENERS: Final = "\"'“”‘’«»„‚「『([—–-"
_ENDERS: Final = ".!?:…—–-"


Key = tuple[str, ...]
"""The words of a name as they are compared."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A run of capitalised words where it stands: code points `[start, end)`.

    `initial` says that its first word may owe its capital to its place. `before` and `after`
    are the neighbouring words, lower-cased, with the marks between them and the run.
    """

    start: int
    end: int
    name: str
    key: Key
    initial: bool
    before: str
    gap_before: str
    possessive: bool
    gap_after: str
    after: str


@dataclass(frozen=True, slots=True)
class _Part:
    start: int
    end: int
    text: str
    key: str
    initial: bool


def key_of(word: str) -> str:
    """Return a word of a name as it is compared: case-folded, without a final dot."""
    return word.rstrip(".").casefold().replace("’", "'")


def word_counts(chapter: ChapterText) -> Counter[str]:
    """Count the words of a chapter as they are written."""
    return Counter(_ANY_WORD.findall(chapter.text))


def spot(chapter: ChapterText, counts: Mapping[str, int]) -> tuple[Spot, ...]:
    """Return the runs of a chapter's story text that may be names, in order.

    `counts` are the chapter's `word_counts`.
    """
    text = chapter.text
    runs = [
        _parts(text, match.start(), match.end(), span.start)
        for span in chapter.sentences
        for match in _RUN.finditer(text, span.start, span.end)
    ]
    inside = Counter(part.key for run in runs for part in run if not part.initial)
    return tuple(
        _spot_of(text, piece)
        for run in runs
        for piece in _pieces(run)
        for piece in (_trimmed(piece, counts, inside),)
        if _may_name(piece)
    )


def _parts(text: str, start: int, end: int, sentence: int) -> list[_Part]:
    opens = _opens(text, start, sentence)
    return [
        _Part(at, match.end(), word, key_of(word), opens and at == start)
        for match in _PART.finditer(text, start, end)
        for at, word in ((match.start(), match.group()),)
    ]


def _opens(text: str, start: int, sentence: int) -> bool:
    """Say whether a capital at `start` may be due to the place: sentence, speech or dash."""
    before = text[max(sentence, start - _LOOK_BACK) : start]
    tight = before.rstrip(" \n_*")
    if not tight:
        return True
    if tight[-1] in _OPENERS:
        adjacent = before[-1] in _OPENERS
        rest = tight.rstrip(_OPENERS)
        return adjacent or not rest or rest[-1] in _ENDERS
    return tight[-1] in _ENDERS


def _pieces(run: list[_Part]) -> Iterator[list[_Part]]:
    """Cut a run at words that belong to no name, and before a title: "Oh Tom", "Tom Mr. Bell"."""
    piece: list[_Part] = []
    for part in run:
        if _separates(part, piece, len(run) == 1):
            yield piece
            piece = [part] if part.key in TITLES else []
        else:
            piece.append(part)
    yield piece


def _separates(part: _Part, piece: list[_Part], alone: bool) -> bool:
    if part.key == "of":
        return not piece or not any(before.key in OF_HEADS for before in piece)
    if part.text[0].islower():
        return False
    if len(part.key) > 1 and part.text.isupper():
        return True
    if part.key in TITLES:
        return part.key in COURTESIES and any(before.key not in TITLES for before in piece)
    if part.key in WEEKDAYS and not piece:
        return not alone
    return part.key in FUNCTION_WORDS and not part.text.endswith(".")


def _trimmed(
    piece: list[_Part], counts: Mapping[str, int], inside: Mapping[str, int]
) -> list[_Part]:
    """Drop a first word that owes its capital to its place, and small words at the ends."""
    if len(piece) > 1 and piece[0].initial and _owes_capital(piece, counts, inside):
        piece = piece[1:]
    while piece and piece[0].text[0].islower() and "'" not in piece[0].key:
        piece = piece[1:]
    while piece and piece[-1].text[0].islower():
        piece = piece[:-1]
    return piece


def _owes_capital(piece: list[_Part], counts: Mapping[str, int], inside: Mapping[str, int]) -> bool:
    """Say whether a piece's first word is none of the name: "Suddenly Tom", "Poor Alice"."""
    first, second = piece[0].key, piece[1].key
    if first in TITLES:
        return False
    if counts.get(first, 0) > inside.get(first, 0):
        return True
    return not inside.get(first, 0) and first not in GIVEN_NAMES and inside.get(second, 0) > 0


def _may_name(piece: list[_Part]) -> bool:
    return bool(piece) and len(piece[-1].key) > 1


def _spot_of(text: str, piece: list[_Part]) -> Spot:
    start, end = piece[0].start, piece[-1].end
    before = _BEFORE.search(text, max(0, start - _LOOK_BACK), start)
    after = _AFTER.match(text, end)
    return Spot(
        start=start,
        end=end,
        name=" ".join(part.text for part in piece),
        key=tuple(part.key for part in piece),
        initial=piece[0].initial,
        before=before.group(1).lower() if before else "",
        gap_before=before.group(2) if before else "",
        possessive=bool(after and after.group(1)),
        gap_after=after.group(2) if after else "",
        after=after.group(3).lower() if after else "",
    )
