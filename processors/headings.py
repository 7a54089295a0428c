"""Headings at the head of a chapter: its title, or "Chapter IV", 第四回, "Prologue" and the like.

Only whole short lines count, and only at the very start; prose that begins like a heading
("Chapter two was found in a drawer.") does not.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_LIMIT: Final = 100
_NUMERAL: Final = (
    r"(?:\d{1,5}(?:[.,]\d+)?(?:\s*/\s*\d+)?|[IVXLCDM]+|[ivxlcdm]+|"
    r"(?:the\s+)?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twenty|thirty|forty|fifty|sixty|seventy|"
    r"eighty|ninety)(?:[\s-]\w+)?|first|second|third|last|final|"
    r"\d+(?:st|nd|rd|th)|\w{2,}(?:teenth|ieth|fth|xth|nth|hth))|premier|première|\w+ième|"
    r"eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\w+(?:zehn|zig))"
)
_PART: Final = (
    r"(?:chapter|chap|ch|part|pt|book|volume|vol|episode|ep|act|scene|letter|canto|stave|arc|"
    r"side\s+story|kapitel|teil|band|buch|chapitre|partie|tome|livre|capítulo|capitulo|parte|libro|"
    r"tomo|capitolo|capitol|hoofdstuk|deel|rozdział|część|kapitola|глава|часть|том|книга|розділ|"
    r"bölüm|bab|chương|hồi|luku|fejezet|kapittel)"
)
_ALONE: Final = (
    r"(?:prologue|epilogue|interlude|interludium|intermission|prelude|preface|foreword|afterword|"
    r"introduction|prolog|epilog|prólogo|epílogo|prologo|epilogo|vorwort|nachwort|пролог|эпилог|"
    r"プロローグ|エピローグ|序章|終章|终章|楔子|引子|尾声|尾聲|番外篇?|序|프롤로그|에필로그)"
)
# What may follow the number: nothing, a title after a mark, or a title with a capital.
_TITLE: Final = r"\s*(?:[.:：—–)\]-]+\s*(?:\S.*)?|\s[^\W_a-zà-ÿа-я](?:.*[^.…,;])?|\s[\"“'(*_].*)?"
_WESTERN: Final = re.compile(
    rf"(?i:{_PART}\.?\s*[#№]?\s*{_NUMERAL}|{_ALONE}(?:\s+{_NUMERAL})?){_TITLE}"
)
_DIGITS: Final = r"[0-9０-９〇零一二三四五六七八九十百千万两兩壹贰叁肆伍陆柒捌玖拾]+"
_CHINESE: Final = re.compile(
    rf"[【\[（(《]?\s*(?:番外\s*)?第\s*{_DIGITS}\s*[章回节節卷部集话話幕篇册冊]\s*[】\]）)》]?"
    r"(?:[\s:：、.．・—-]+[^。]{0,40}|[^。！？，]{0,20})"
)
_KOREAN: Final = re.compile(r"제?\s*\d+\s*[장화편부권회](?:[\s.:].{0,40})?")
_NUMBER_ALONE: Final = re.compile(
    rf"[\W_]*(?:\d{{1,4}}(?:\.\d+)?|[IVXLCDM]{{1,8}}|[ivx]{{1,5}}|[Ⅰ-Ⅻ]+|{_DIGITS})[\W_]*"
)
_NUMBER_AND_TITLE: Final = re.compile(
    r"[0-9０-９]{1,4}(?:\.\d+)?(?:\s*[.、:：—–-]\s*|\u3000+)[^\W_a-z].{0,60}"
)
_ENDS_AS_PROSE: Final = re.compile(r"[.!?…。！？][\"'”’」』)]*$")
_SECTION: Final = re.compile(r"(?:§\s*)?(?:(\d{1,3})|([IVXLC]{1,7}))\.?", re.ASCII)
_ROMAN: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_GOES_ON: Final = re.compile(r"[,:;，：；、]$|<")
_NAME_PART: Final = re.compile(r"[:：|—–]|\s-\s|\.\s")
_NUMBERING: Final = re.compile(r"\d*|[ivxlcdm]+")


def has_heading_shape(line: str) -> bool:
    """Say whether `line` by itself reads like the heading of a chapter."""
    if len(line) > _LIMIT:
        return False
    line = _plain(line)
    if not line:
        return False
    shapes = (_NUMBER_ALONE, _WESTERN, _CHINESE, _KOREAN)
    if any(shape.fullmatch(line) for shape in shapes):
        return True
    return bool(_NUMBER_AND_TITLE.fullmatch(line)) and not _ENDS_AS_PROSE.search(line)


def section_number(line: str) -> int | None:
    """Return the number that `line` is, if it is nothing else: "2", "II.", "§ 2"."""
    match = _SECTION.fullmatch(line)
    if match is None:
        return None
    return int(match.group(1)) if match.group(1) else _roman(match.group(2))


def is_title(line: str, title: str) -> bool:
    """Say whether `line` is the chapter's `title`, a whole part of it, or it with a number."""
    if not title or len(line) > _LIMIT + len(title):
        return False
    shown, full = _letters(line), _letters(title)
    if not shown or not full:
        return False
    if shown == full:
        return True
    parts = {_letters(part) for part in _NAME_PART.split(title)}
    if shown in parts and (len(shown) >= 4 or not shown.isascii()):
        return True
    before, found, after = shown.partition(full)
    if not found or len(full) < 4:
        return False
    return bool(_NUMBERING.fullmatch(before) and _NUMBERING.fullmatch(after))


def is_subtitle(line: str) -> bool:
    """Say whether `line`, straight under a heading and above a blank line, goes on with it."""
    return len(line) <= _LIMIT and not _ENDS_AS_PROSE.search(line) and not _GOES_ON.search(line)


def _roman(numeral: str) -> int:
    values = [_ROMAN[letter] for letter in numeral]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < following else value for value, following in pairs)


def _plain(line: str) -> str:
    """Return `line` without the marks that emphasis and decoration put around it."""
    folded = "".join(mark for mark in line if unicodedata.category(mark) != "Cf")
    return folded.strip().strip("#*_=~-—–·•◇◆☆★ \t\u3000")


def _letters(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())
