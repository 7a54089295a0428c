"""Names and descriptions that a model gives to persons, looked for in the text.

A model may spell a name with other spaces than a text whose lines are broken; and a description
("the stranger") begins a sentence with a capital. More liberties than these it has not.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from contracts.person_names import described
from contracts.words import CJK
from processors.name_tables import word_table

_PRONOUNS: Final = word_table(
    """i me myself you yourself he him himself she her herself it itself we us ourselves they them
    themselves who someone somebody everyone everybody anyone anybody nobody one others
    ich mich mir du dich dir er ihn ihm sie ihr wir uns euch man jemand niemand
    je moi toi il lui elle nous vous ils elles yo tú él ella nosotros ellos ellas
    我 你 您 他 她 它 我们 你们 他们 她们 私 僕 俺 吾輩 彼 彼女 あなた"""
)
_LETTER: Final = re.compile(rf"[^\W\d_]|[{CJK}]")
_UNSPACED: Final = re.compile(rf"[{CJK}]")


def times_named(name: str, text: str) -> int:
    """Return how often `name` stands in `text` as whole words; never for a pronoun."""
    if not _LETTER.search(name) or name.casefold() in _PRONOUNS:
        return 0
    return sum(1 for _ in _pattern(name).finditer(text))


def names_two_ways(pair: tuple[str, str], text: str) -> bool:
    """Say whether `pair` are two names of which both stand in `text`."""
    one, other = pair
    return one.casefold() != other.casefold() and all(times_named(name, text) for name in pair)


@lru_cache(maxsize=1024)
def _pattern(name: str) -> re.Pattern[str]:
    words = r"\s+".join(map(re.escape, name.split()))
    before = "" if _UNSPACED.match(name[0]) else r"(?<![^\W_])"
    after = "" if _UNSPACED.match(name[-1]) else r"(?![^\W_])"
    return re.compile(before + words + after, re.IGNORECASE if described(name) else 0)
