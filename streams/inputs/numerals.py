"""Numbers as chapter headings write them: digits, Roman, words, Chinese characters."""

from __future__ import annotations

import re
from typing import Final


def _listed(names: str) -> list[str]:
    return names.split()


_UNITS: Final = _listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_ORDINAL_UNITS: Final = _listed(
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_TENS: Final = _listed("twenty thirty forty fifty sixty seventy eighty ninety")
_WORD_VALUES: Final = (
    {word: value for value, word in enumerate(_UNITS)}
    | {word: value for value, word in enumerate(_ORDINAL_UNITS)}
    | {word: 10 * n for n, word in enumerate(_TENS, start=2)}
    | {word.removesuffix("y") + "ieth": 10 * n for n, word in enumerate(_TENS, start=2)}
)
_ALTERNATIVES: Final = "|".join(sorted(_WORD_VALUES, key=len, reverse=True))

WORDS: Final = rf"(?:the\s+)?(?:{_ALTERNATIVES})(?:[-\s](?:{_ALTERNATIVES}))?"
"""Pattern of a number in English words up to ninety-nine, cardinal or ordinal."""

ROMAN: Final = r"(?=[ivxlcdm])(?:m{0,3})(?:cm|cd|d?c{0,4})(?:xc|xl|l?x{0,4})(?:ix|iv|v?i{0,4})"
"""Pattern of a Roman numeral, IIII for IV too."""

CHINESE: Final = r"[0-9〇○零一二三四五六七八九十百千万萬两兩壹贰貳叁參肆伍陆陸柒捌玖拾佰仟廿卅]+"
"""Pattern of a number in Chinese characters or digits."""

_ROMAN_VALUES: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_CHINESE_DIGITS: Final = {
    char: value for value, chars in enumerate(
        ("〇○零", "一壹", "二两兩贰貳", "三叁參", "四肆", "五伍", "六陆陸", "七柒", "八捌", "九玖")
    ) for char in chars
}  # fmt: skip
_CHINESE_PLACES: Final = {
    "十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1_000, "仟": 1_000, "万": 10_000, "萬": 10_000,
}  # fmt: skip


def value_of(text: str) -> float | None:
    """Return the number that `text` writes, or None.

    >>> value_of("XIV"), value_of("twenty-one"), value_of("两百一十八"), value_of("11.5")
    (14.0, 21.0, 218.0, 11.5)
    """
    text = text.strip().casefold()
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text):
        return float(text)
    if text and re.fullmatch(ROMAN, text):
        return float(_roman(text))
    if re.fullmatch(WORDS, text):
        words = re.split(r"[-\s]+", text.removeprefix("the "))
        return float(sum(_WORD_VALUES[word] for word in words))
    if re.fullmatch(CHINESE, text):
        return float(_chinese(text))
    return None


def _roman(text: str) -> int:
    values = [_ROMAN_VALUES[char] for char in text]
    following = [*values[1:], 0]
    return sum(-v if v < after else v for v, after in zip(values, following, strict=True))


def _chinese(text: str) -> int:
    text = text.replace("廿", "二十").replace("卅", "三十")
    if not any(char in _CHINESE_PLACES for char in text):
        digits = [_CHINESE_DIGITS.get(char, char) for char in text]
        return int("".join(map(str, digits)))  # written digit by digit: 二一八
    total = section = digit = 0
    for char in text:
        if char not in _CHINESE_PLACES:
            digit = _CHINESE_DIGITS[char] if char in _CHINESE_DIGITS else 10 * digit + int(char)
            continue
        place = _CHINESE_PLACES[char]
        if place == 10_000:
            total += (section + digit) * place
            section = 0
        else:
            section += max(digit, 1) * place  # 十八: the one before the ten is not written
        digit = 0
    return total + section + digit
