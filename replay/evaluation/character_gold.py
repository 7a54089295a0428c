"""What annotators say about the names of the characters of a book."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from contracts.person_names import TITLES, without_determiner
from contracts.words import CJK

_UNSPACED: Final = re.compile(f"[{CJK}]")
_ARTICLES: Final = frozenset({"the", "a", "an"})
_INNER: Final = frozenset({"de", "of", "with", "the", "von", "van"})


@dataclass(frozen=True, slots=True)
class GoldCharacter:
    """A character: its names as compared, and from which chapter each is known to be one.

    `main` are those that a reader would list; the names of the others only tell which names
    the annotators knew.
    """

    name: str
    main: bool
    names: frozenset[str]
    revealed: tuple[tuple[str, int], ...] = ()


def compared(name: str) -> str:
    """Return a name as names are compared: no article or the like, no dots, no case."""
    words = [
        word.rstrip(".") for word in without_determiner(name).replace("’", "'").casefold().split()
    ]
    while words and words[0] in _ARTICLES:
        words = words[1:]
    return " ".join(words)


def quoted_novel(data: Path, book: str, text: str) -> tuple[GoldCharacter, ...]:
    """Return the characters of a novel of `pdnc`; main are those who speak more than a little.

    Of their aliases those count that `text` writes as names: with capitals, not at the start
    of a sentence only.
    """
    rows = map(json.loads, (data / "pdnc" / "characters.jsonl").read_text().splitlines())
    return tuple(
        _quoted(row, text)
        for row in rows
        if row["book"] == book and not row["name"].startswith("_")
    )


def _quoted(row: dict[str, Any], text: str) -> GoldCharacter:
    main = row["category"] != "minor"
    aliases = [alias for alias in row["aliases"] if not main or _is_written(alias, text)]
    return GoldCharacter(row["name"], main, frozenset(map(compared, aliases)))


def annotated_novel(data: Path, book: str, text: str) -> tuple[GoldCharacter, ...]:
    """Return the characters of a novel of `storylines` who have a name written with capitals."""
    rows = json.loads((data / "storylines" / f"{book}.json").read_text())["characters"]
    gold = []
    for row in rows:
        known = {row["name"]: 0} | {a["alias"]: a["revealed_chapter"] for a in row["aliases"]}
        written = {alias: at for alias, at in known.items() if _is_written(alias, text)}
        revealed = tuple(sorted((compared(alias), at) for alias, at in written.items()))
        names = frozenset(name for name, _ in revealed)
        gold.append(GoldCharacter(row["name"], bool(names), names, revealed))
    return tuple(gold)


def _is_written(alias: str, text: str) -> bool:
    if _UNSPACED.search(alias):
        return alias in text
    words = [word for word in alias.split() if word.lower() not in _ARTICLES]
    if not words or not all(w[0].isupper() for w in words if w.lower() not in _INNER):
        return False
    pattern = r"\.?\s+".join(
        f"(?i:{word})" if word.lower() in _INNER else re.escape(word.rstrip(".")) for word in words
    )
    alone = len(words) == 1 and words[0].rstrip(".").lower() not in TITLES
    before = r"(?<=[\w,;] )" if alone else r"\b"
    return re.search(before + pattern + r"\b", text) is not None
