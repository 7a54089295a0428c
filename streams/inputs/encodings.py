"""From the bytes of a text file to its text, whatever it was written on."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from streams.inputs.common_characters import COMMON_CJK

_MARKS: Final = (  # the four-byte marks first: one of them begins like a two-byte one
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_EAST_ASIAN: Final = ("gb18030", "big5", "cp932", "euc_jp", "cp949")
_WESTERN: Final = "cp1252"
_WESTERN_LETTERS: Final = frozenset(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜßàáâãäåæçèéêëìíîïñòóôõöøùúûüÿŒœŠšŽžŸ"
    "\u2018\u2019\u201a\u201c\u201d\u201e\u2013\u2014\u2026\u2039\u203a«»¡¿£€§©°·½¼¾\u00a0\u00ad"
)
_DECLARED: Final = re.compile(
    rb"(?:charset|encoding)\s*=\s*[\"']?\s*([A-Za-z][A-Za-z0-9._:-]{1,40})", re.IGNORECASE
)
_DECLARED_WITHIN: Final = 1_024
_WRITTEN_IN: Final = ("ascii", "cp", "iso8859", "koi8", "mac", "big5", "gb", "euc", "shift_jis")
_LARGER: Final = {
    "iso8859-1": _WESTERN, "ascii": _WESTERN, "gb2312": "gb18030", "gbk": "gb18030",
    "shift_jis": "cp932", "euc_kr": "cp949",
}  # fmt: skip
_PLAUSIBLE: Final = 0.5
"""Least share of common characters. Measured: two novels, Chinese and Japanese, .67 and .85 in
their own encodings, below .25 in others; but .7 as the other EUC encoding, so the best wins."""

_WESTERN_SHARE: Final = 0.25  # most high bytes a western text has; Cyrillic text has over 60%
_STRAY_SHARE: Final = 0.1  # of a text that is UTF-8 but for some bytes, at most so many are stray


class NotText(Exception):  # noqa: N818 - it says what the file is
    """The bytes are no text in any encoding that is known."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text and how it was read; `guessed` unless the bytes themselves say it."""

    text: str
    encoding: str
    guessed: bool = False
    stray_bytes: int = 0


def declared_encoding(data: bytes) -> str:
    """Return the encoding that a page of HTML or XML names in its first lines, or nothing."""
    found = _DECLARED.search(data[:_DECLARED_WITHIN])
    name = found[1].decode("ascii").lower() if found else ""
    try:
        known = codecs.lookup(name).name if name else ""
    except LookupError:
        return ""
    if not known.startswith(_WRITTEN_IN):  # Python's codecs for other things than files
        return ""
    # As browsers do: what is named by the older, smaller sets is written in the larger ones.
    return _LARGER.get(known, known)


def decode(data: bytes, declared: str = "") -> Decoded:
    """Return the text of `data`: by its mark, as UTF-8, or as what it most plausibly is.

    Line ends and everything else stay as they are; a byte order mark is no part of the text.
    An encoding that the file itself has `declared` is believed where the bytes do not show
    another: programs often say one and write UTF-8.

    Raises:
        NotText: the bytes are no text.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strict(data, encoding)
    if b"\0" in data:
        return _without_mark(data)
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return (
            _nearly_utf8(data)
            or _as_declared(data, declared)
            or _east_asian(data)
            or _western(data)
            or _detected(data)
        )


def _strict(data: bytes, encoding: str) -> Decoded:
    try:
        return Decoded(data.decode(encoding), encoding.removesuffix("-sig"))
    except UnicodeDecodeError as error:
        raise NotText(f"it is marked as {encoding} but byte {error.start} is not") from error


def _without_mark(data: bytes) -> Decoded:
    """Read UTF-16 without a mark: of its two orders only the right one gives common characters."""
    for encoding in ("utf-16-le", "utf-16-be"):
        text = _tried(data, encoding)
        if text is not None and _legibility(text) >= _PLAUSIBLE:
            return Decoded(text, encoding, guessed=True)
    raise NotText("it holds zero bytes, as programs and pictures do")


def _legibility(text: str) -> float:
    """Return the share of characters that are western or common Chinese or Japanese."""
    counts = Counter(text)
    known = sum(
        count
        for char, count in counts.items()
        if char in COMMON_CJK or " " <= char <= "\x7e" or char in "\t\r\n"
    )
    return known / max(1, len(text))


def _nearly_utf8(data: bytes) -> Decoded | None:
    """Read a text that is UTF-8 but for a few stray bytes; those are read as western ones."""
    text = data.decode("utf-8", errors="surrogateescape")
    counts = Counter(text)
    stray = sum(count for char, count in counts.items() if "\udc80" <= char <= "\udcff")
    good = sum(count for char, count in counts.items() if char > "\x7f") - stray
    # One stray byte beside one good character may be chance in a long text of another encoding,
    # but good ones are rare there: three bytes must fit by accident.
    if good == 0 or stray > max(1, _STRAY_SHARE * good):
        return None
    table = {code: _western_byte(code - 0xDC00) for code in range(0xDC80, 0xDD00)}
    return Decoded(text.translate(table), "utf-8", guessed=True, stray_bytes=stray)


def _western_byte(byte: int) -> str:
    return bytes([byte]).decode(_WESTERN, errors="replace")


def _as_declared(data: bytes, declared: str) -> Decoded | None:
    text = _tried(data, declared) if declared else None
    return None if text is None else Decoded(text, declared)


def _east_asian(data: bytes) -> Decoded | None:
    best: tuple[float, str, str] | None = None
    for encoding in _EAST_ASIAN:
        text = _tried(data, encoding)
        score = 0.0 if text is None else _commonness(text)
        if text is not None and score >= _PLAUSIBLE and (best is None or score > best[0]):
            best = (score, encoding, text)
    return None if best is None else Decoded(best[2], best[1], guessed=True)


def _commonness(text: str) -> float:
    """Return the share of common Chinese and Japanese characters in all that is not ASCII."""
    counts = Counter(text)
    foreign = sum(count for char, count in counts.items() if char > "\x7f")
    common = sum(count for char, count in counts.items() if char in COMMON_CJK)
    return common / foreign if foreign else 0.0


def _western(data: bytes) -> Decoded | None:
    high = sum(byte > 0x7F for byte in data)
    text = _tried(data, _WESTERN)
    if text is None or high > _WESTERN_SHARE * len(data):
        return None
    usual = all(char in _WESTERN_LETTERS for char in set(text) if char > "\x7f")
    return Decoded(text, _WESTERN, guessed=True) if usual else None


def _detected(data: bytes) -> Decoded:
    # A slow import, and only strange files come here.
    from charset_normalizer import from_bytes  # noqa: PLC0415

    candidates = [match.encoding for match in from_bytes(data)]
    texts = [(encoding, _tried(data, encoding)) for encoding in candidates]
    readable = [(encoding, text) for encoding, text in texts if text is not None]
    if not readable:
        raise NotText("its encoding is not known")
    # Russian in one of its encodings is Russian with large and small letters swapped in another.
    likely = [(encoding, text) for encoding, text in readable if _is_mostly_small(text)]
    encoding, text = (likely or readable)[0]
    return Decoded(text, encoding, guessed=True)


def _is_mostly_small(text: str) -> bool:
    return sum(map(str.islower, text)) >= sum(map(str.isupper, text))


def _tried(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeError:
        return None
