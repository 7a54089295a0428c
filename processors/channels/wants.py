"""What form of answer a question wants: rules over its words, by language.

A question may want several; one that wants none, or is in a language without rules, is served by
no channel. Written from general knowledge of the languages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from processors.background import primary
from processors.channels.signs import KINSHIP_WORDS, UNITS
from processors.questions import Question


class Want(StrEnum):
    """A form of answer. A sign of each is what stands in the sentence that tells it."""

    AGE = "age"
    DURATION = "duration"
    CLOCK = "clock"
    DATE = "date"
    MOMENT = "moment"
    TIMES = "times"
    NUMBER = "number"
    RELATION = "relation"


def wants_of(question: Question) -> tuple[Want, ...]:
    """Return what `question` wants, in the order of `Want`.

    How many hours is a duration and no number of things.
    """
    patterns = _WANTS.get(primary(question.language), {})
    found = {want for want, pattern in patterns.items() if pattern.search(question.text)}
    if Want.DURATION in found:
        found.discard(Want.NUMBER)
    return tuple(want for want in Want if want in found)


def _words(text: str) -> re.Pattern[str]:
    return re.compile(_one_of(text), re.IGNORECASE)


def _one_of(text: str) -> str:
    return rf"\b(?:{'|'.join(' '.join(text.split()).split(' | '))})\b"


_INVERTED: Final = (
    "(?:am|is|are|was|were|do|does|did|ha(?:s|ve|d)|will|would|can|could|may|might|must|shall"
    "|should)"
)
"""What follows a "when" that asks: before a subject it only says at which time something was."""

_OF_PERSONS: Final = _one_of(
    f"""met | meets | friends? | servants? | masters? | mistress | partners? | companions?
    | enem(?:y|ies) | neighbou?rs? | guests? | employ(?:s|ed|er) | works? for | serves? | rules?
    | govern(?:s|ed)? | owns? | owner | belong(?:s|ed) | {KINSHIP_WORDS}"""
)
_WHOM: Final = _one_of("who | whom | which | what (?:is|was|are|were)")
"""A question without these that has a word of kinship only names somebody by it."""

_RELATED: Final = _one_of(
    r"""relat(?:ed|ion|ions|ionship) | stand to | each other | one another | connect(?:ed|ion)
    | linked | kno[wn]+ (?:each|one) | meet | whose | kin | posts? | job | position
    | (?:what|who) (?:is|was|are|were) .{3,60} to (?:the|[A-Z]\w+)"""
)


_ENGLISH: Final = MappingProxyType(
    {
        Want.AGE: _words("how old | (?:what|which) age | age of"),
        Want.DURATION: _words(
            rf"how (?:long|much time|soon|late|early) | how many {UNITS} | how far (?:ahead|into)"
        ),
        Want.CLOCK: _words("(?:what|which) hour | (?:what|which) o['’]?\\s?clock | what time"),
        Want.DATE: _words(
            "(?:what|which) (?:date|day|month|year|century|season) | (?:on|in) (?:what|which)"
            " (?:date|day|month|year)"
        ),
        Want.MOMENT: _words(
            f"(?:since|until|till|by) when | when {_INVERTED} | (?:until|till|at) what | what point"
        ),
        Want.TIMES: _words(r"how often | how many (?:\w+ )?times | how many occasions"),
        Want.NUMBER: _words("how many | how much | (?:what|which) number | number of | how often"),
        Want.RELATION: re.compile(rf"{_RELATED}|{_WHOM}.*{_OF_PERSONS}", re.IGNORECASE),
    }
)

_GERMAN: Final = MappingProxyType(
    {
        Want.AGE: _words("wie alt | (?:welchem|welches) Alter"),
        Want.DURATION: _words(
            "wie lange | wie ?viele (?:Minuten|Stunden|Tage|Nächte|Wochen|Monate|Jahre)"
        ),
        Want.CLOCK: _words("wie ?viel Uhr | (?:welcher|welche) (?:Uhrzeit|Stunde)"),
        Want.DATE: _words("(?:welche[mnrs]?) (?:Datum|Tag|Monat|Jahr|Jahreszeit)"),
        Want.MOMENT: _words("wann | bis wann | seit wann"),
        Want.TIMES: _words("wie oft | wie ?viele Male?"),
        Want.NUMBER: _words("wie ?viele? | wie oft | welche Anzahl"),
        Want.RELATION: _words(
            """verwandt | verheiratet | wessen | einander | (?:Gross|Groß|Schwieger|Stief)?(?:mutter
            | vater) | Sohn | Tochter | Bruder | Schwester | Onkel | Tante | Neffe | Nichte | Vetter
            | Cousine? | Gatt(?:e|in) | Verlobte[rn]? | kennengelernt"""
        ),
    }
)

_CHINESE: Final = MappingProxyType(
    {
        Want.AGE: re.compile("多大年[纪紀]|几岁|幾歲|多少[岁歲]"),
        Want.DURATION: re.compile("多久|多[长長][时時][间間]|(?:[几幾]|多少)(?:[年天日]|[个個]月)"),
        Want.DATE: re.compile("哪一?[年天日]|[几幾]月"),
        Want.MOMENT: re.compile("何[时時]|[什甚][么麼][时時]候"),
        Want.TIMES: re.compile("[几幾]次|多少次|[几幾]回"),
        Want.NUMBER: re.compile("多少|[几幾][个個次人只隻件回]"),
        Want.RELATION: re.compile("[关關][系係]|兄弟|父|母|妻|夫|[师師]父|徒弟|[儿兒]子|女[儿兒]"),
    }
)

_WANTS: Final[Mapping[str, Mapping[Want, re.Pattern[str]]]] = MappingProxyType(
    {"en": _ENGLISH, "de": _GERMAN, "zh": _CHINESE}
)
