"""Finds the lines of a text that are headings: of chapters, and of parts that hold chapters.

A line is one by its own words alone; whether it stands in a table of contents is decided by
`streams.inputs.splitting`, which sees all of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from streams.inputs.numerals import CHINESE, ROMAN, WORDS, value_of


class HeadingKind(StrEnum):
    """`chapter` opens a chapter, `division` a part or volume; `number` is a number by itself."""

    CHAPTER = "chapter"
    DIVISION = "division"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading line at `text[start:end]`.

    `label` says what it counts in one word ("chapter", "prologue"), `number` is None where it
    has none; `title` is what stands behind the number.
    """

    kind: HeadingKind
    start: int
    end: int
    label: str
    number: float | None
    title: str


_LINE: Final = re.compile(r"[^\r\n]+")
_LONGEST: Final = 160  # characters; a longer line is prose
_LONGEST_CJK_TITLE: Final = 40
_LONGEST_NUMBERED: Final = 80  # a longer line after "1." is an item of a list
_LONGEST_JOINED_TITLE: Final = 16  # a title that follows 第一章 without a space
_ORNAMENTS: Final = " \t\u3000\ufeff\u200b#*_=~-–—【】[]<>《》「」"

_CHAPTER_WORDS: Final = (
    r"chapter|chap\.?|ch\.|letter|stave|canto|episode|adventure|kapitel|chapitre|cap[ií]tulo|"
    r"capitolo|hoofdstuk|глава|rozdział|kapitola"
)
_DIVISION_WORDS: Final = r"part|book|volume|vol\.|teil|partie|часть|том"
_NAMES: Final = (
    r"(?:the\s+)?(?:prologue|epilogue|preface|foreword|introduction|interlude|intermission|"
    r"afterword|prelude|conclusion)|chapter the last|the last chapter|prolog|epilog|пролог|эпилог|"
    r"序章|序言|序幕|序|楔子|引子|前言|尾声|尾聲|终章|終章|后记|後記|番外篇|番外|外传|外傳|"
    r"プロローグ|エピローグ|間章|幕間|まえがき|あとがき"
)
_NUMBER: Final = rf"(?P<number>[0-9]+(?:\.[0-9]+)?|{WORDS}|{ROMAN})(?![\w'’])"
_REST: Final = r"(?P<rest>.*)"
_WORDED: Final = {
    HeadingKind.CHAPTER: re.compile(
        rf"(?P<label>{_CHAPTER_WORDS})[\s.]*{_NUMBER}{_REST}", re.IGNORECASE
    ),
    HeadingKind.DIVISION: re.compile(
        rf"(?P<label>{_DIVISION_WORDS})\s*{_NUMBER}{_REST}", re.IGNORECASE
    ),
}
_COUNTED_CJK: Final = {
    HeadingKind.CHAPTER: re.compile(
        rf"(?:番外\s*)?第\s*(?P<number>{CHINESE})\s*(?P<label>[章回節节話话幕折講讲]){_REST}"
    ),
    HeadingKind.DIVISION: re.compile(
        rf"第\s*(?P<number>{CHINESE})\s*(?P<label>[卷部篇集巻编編]){_REST}"
        rf"|(?P<label2>卷)(?:之)?(?P<number2>{CHINESE}){_REST.replace('rest', 'rest2')}"
    ),
}
_NAMED: Final = re.compile(rf"(?P<label>{_NAMES})(?P<rest>$|[\s:：.．,，—–-].*)", re.IGNORECASE)
_BARE: Final = re.compile(
    rf"(?P<number>[0-9]{{1,4}}|{ROMAN}|{CHINESE})(?:[.．、)）:](?P<rest>\s.*)?)?", re.IGNORECASE
)

_SEPARATORS: Final = " \t\u3000:：.．、·—–-)）|"
_PROSE_ENDS: Final = (",", ";", "，", "；", "。")
_CJK_STOPS: Final = frozenset("，。；！？…、,;!?.")  # as written, and as NFKC leaves them


def find_headings(text: str) -> tuple[Heading, ...]:
    """Return every heading line of `text`, in order, lines with only a number among them."""
    return tuple(_headings(text))


def _headings(text: str) -> Iterator[Heading]:
    for match in _LINE.finditer(text):
        if len(match.group()) <= _LONGEST:
            heading = _heading(match.group(), match.start(), match.end())
            if heading is not None:
                yield heading


def _heading(line: str, start: int, end: int) -> Heading | None:
    # Full-width digits and letters become plain ones; spans are those of the line as it stands.
    plain = unicodedata.normalize("NFKC", line.strip(_ORNAMENTS))
    for kind, pattern in (*_COUNTED_CJK.items(), *_WORDED.items()):
        found = pattern.fullmatch(plain)
        if found is not None and _is_title(found, cjk=pattern in _COUNTED_CJK.values()):
            return _counted(kind, start, end, found)
    named = _NAMED.fullmatch(plain)
    if named is not None and _is_title(named, cjk=False):
        label = named["label"].casefold()
        return Heading(HeadingKind.CHAPTER, start, end, label, None, _title(named["rest"]))
    bare = _BARE.fullmatch(plain)
    if bare is not None and bare["number"]:
        number, title = value_of(bare["number"]), _title(bare["rest"] or "")
        return (
            None if _is_prose(title) else Heading(HeadingKind.NUMBER, start, end, "", number, title)
        )
    return None


def _counted(kind: HeadingKind, start: int, end: int, found: re.Match[str]) -> Heading:
    groups = found.groupdict()
    label = groups["label"] or groups.get("label2") or ""
    number = groups["number"] or groups.get("number2") or ""
    return Heading(
        kind, start, end, label.casefold().rstrip("."), value_of(number), _title(_rest(found))
    )


def _rest(found: re.Match[str]) -> str:
    groups = found.groupdict()
    return groups["rest"] or groups.get("rest2") or ""


def _title(rest: str) -> str:
    return rest.strip(_SEPARATORS).strip(_ORNAMENTS)


def _is_prose(title: str) -> bool:
    return title[:1].islower() or title.endswith(_PROSE_ENDS) or len(title) > _LONGEST_NUMBERED


def _is_title(found: re.Match[str], *, cjk: bool) -> bool:
    """Say whether what follows the number reads as a title, not as the rest of a sentence."""
    rest = _rest(found)
    title = rest.lstrip(_SEPARATORS)
    if not title:
        return True
    if title.endswith(_PROSE_ENDS):
        return False
    separated = rest[0] in _SEPARATORS
    if cjk:
        if separated:
            return len(title) <= _LONGEST_CJK_TITLE
        return len(title) <= _LONGEST_JOINED_TITLE and not _CJK_STOPS.intersection(title)
    only_spaces = rest[: len(rest) - len(title)].isspace()
    return separated and not (only_spaces and title[0].islower())
