"""Expressions of time, number and kinship, by language: what an answer looks like in a story.

All but dates are looked for in lower case, which is three times as fast as to ignore the case.
Written from general knowledge of the languages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from processors.background import primary

UNITS: Final = (
    "(?:seconds?|minutes?|hours?|days?|nights?|weeks?|fortnights?|months?|years?|centur(?:y|ies)"
    "|decades?|generations?|moments?|mornings?|evenings?|ages)"
)
KINSHIP_WORDS: Final = (
    "(?:step|grand|god|foster-?)?(?:mother|father|son|daughter|brother|sister|child|children"
    "|parents?|mamm?a|papa)s?(?:-in-law)?|uncles?|aunts?|nephews?|nieces?|cousins?"
    "|twins?(?:-brother|-sister)?|wi(?:fe|ves)|husbands?|widow(?:er)?s?|brides?|family"
    "|relat(?:ion|ive|ed)s?|relationship|kin(?:sman|swoman|sfolk)?|heir(?:ess)?s?|orphan|guardian"
    "|ward|marr(?:y|ied|iage|ies)|engaged|betrothed|fianc[ée]+s?|lovers?|sweetheart|loved?"
    "|descend(?:ed|ants?)|ancestors?|born"
)
_NUMBERS: Final = (
    r"(?:\d[\d,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?|hundreds?|thousands?|millions?|dozens?"
    r"|half|several|couple|both|few)"
)
_ORDINALS: Final = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\w+teenth|\w+tieth|last"
    r"|\d+(?:st|nd|rd|th))"
)
_HOURS: Final = "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_MONTHS: Final = (
    "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_STATIONS: Final = (
    "friends?|friendship|companions?|comrades?|chums?|mates?|shipmates?|partners?|colleagues?"
    "|neighbou?rs?|acquaint(?:ed|ances?)|enem(?:y|ies)|rivals?|masters?|mistress(?:es)?|servants?"
    "|housemaids?|maids?|valets?|butlers?|housekeepers?|cooks?|gardeners?|coachm[ae]n|clerks?"
    "|secretar(?:y|ies)|governess|nurses?|tutors?|teachers?|schoolmasters?|pupils?|students?"
    "|doctors?|lawyers?|solicitors?|captains?|quartermasters?|gunners?|coxswain|sailors?|soldiers?"
    "|officers?|generals?|majors?|serg[ea]+nts?|kings?|queens?|rule(?:rs?|s|d)|lords?|lad(?:y|ies)"
    "|landlord|landlady|owners?|own(?:ed|s)|belong(?:s|ed|ing)?|slaves?|guests?|hosts?|hostess"
    "|visitors?|met|introduced|knew|known|called|named?"
)


@dataclass(frozen=True, slots=True)
class Signs:
    """The expressions of one language; those that it lacks never match.

    `date` is for the text as it stands (May is a month, may is not), all others for its lower case.
    """

    number: re.Pattern[str]
    ordinal: re.Pattern[str]
    duration: re.Pattern[str]
    clock: re.Pattern[str]
    date: re.Pattern[str]
    age: re.Pattern[str]
    part_of_day: re.Pattern[str]
    relative: re.Pattern[str]
    frequency: re.Pattern[str]
    kinship: re.Pattern[str]
    station: re.Pattern[str]
    predicate: re.Pattern[str]


def signs_of(language: str) -> Signs:
    """Return the expressions of a language (a BCP 47 tag)."""
    return _SIGNS.get(primary(language), _NO_SIGNS)


def _words(*words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words).lower()})\b")


_NEVER: Final = re.compile("(?!)")
_NO_SIGNS: Final = Signs(*([_NEVER] * 12))

_ENGLISH: Final = Signs(
    number=_words(_NUMBERS, "once", "twice", "thrice", "no less than", "single", "none"),
    ordinal=_words(_ORDINALS),
    duration=_words(
        rf"(?:{_NUMBERS}|an?|some|many|these|past|last|next|whole|few|more|another|for|all|every)"
        rf"[\s-]+(?:(?:and a half|or (?:more|less|so|two|three)|\w+)[\s-]+)?{UNITS}"
    ),
    clock=_words(
        rf"(?:{_NUMBERS}|quarter)[\s-]+(?:past|to)[\s-]+\w+",
        r"o\s?['’]?\s?clock",
        r"[ap]\.\s?m",
        "noon|midnight|midday",
        rf"(?:at|by|till|until|about|struck) (?:{_HOURS}|half)",
        r"\d+[:.]\d\d",
    ),
    date=re.compile(rf"\b(?:{_MONTHS}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|1\d\d\d|year)\b"),
    age=_words(
        "years? old",
        "years? of age",
        "aged?",
        "birthday",
        "born",
        rf"of {_NUMBERS} years?",
        rf"(?:is|was|am|be|are|looked|about|over|under|nearly|barely|past|only) {_NUMBERS}"
        r"(?=[.,;!?\"”’])",
    ),
    part_of_day=_words(
        "mornings?|evenings?|afternoons?|nights?|dawn|dusk|twilight|sunset|sunrise|daybreak",
        "spring|summer|autumn|winter|christmas|easter|midsummer",
    ),
    relative=_words(
        "yesterday|to-?morrow|to-?day|to-?night|ago|later|earlier|day (?:before|after)|since|until",
        r"next (?:day|morning|evening|night|week|month|year|\w+day)",
        r"last (?:night|week|month|year|evening|\w+day)",
        "till|before|after|when|while|then|soon|following|previous|same",
    ),
    frequency=_words(
        "once|twice|thrice|times|again|another|often|never|always|seldom",
        "every (?:day|night|morning|evening|week)",
        "(?:first|second|third|last) time",
    ),
    kinship=_words(KINSHIP_WORDS),
    station=_words(_STATIONS),
    predicate=re.compile(
        r"\b(?:is|was|were|are|am|'s|’s|been|became|become)\s+(?:not\s+|only\s+|really\s+)?"
        r"(?:an?|the|my|his|her|their|our|your|its|one)\b"
    ),
)

_GERMAN: Final = Signs(
    number=_words(
        r"\d+|eine?r?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\w+zehn|\w+zig",
        r"hundert\w*|tausend\w*|beide[nr]?|mehrere[rn]?|paar|einmal|zweimal|dreimal|halb\w*",
    ),
    ordinal=_words(r"erste[nrsm]?|zweite[nrsm]?|dritte[nrsm]?|vierte[nrsm]?|letzte[nrsm]?|\d+\."),
    duration=_words(
        r"\w+ (?:Sekunden?|Minuten?|Stunden?|Tagen?|Nächten?|Wochen?|Monaten?|Jahren?|Tage|Jahre)"
    ),
    clock=_words(r"\w+ Uhr|halb \w+|Mitternacht|mittags?|viertel \w+"),
    date=re.compile(
        r"\b(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember"
        r"|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonnabend|Sonntag|1\d\d\d)\b"
    ),
    age=_words(r"\w+ Jahre alt|Jährige[rn]?|\w+jährig\w*|Geburtstag|geboren|Alter"),
    part_of_day=_words(
        r"Morgens?|Abends?|Nachmittags?|Nachts?|Dämmerung|Frühling|Sommer|Herbst|Winter"
        r"|Weihnachten|Ostern"
    ),
    relative=_words(
        r"gestern|heute|morgen|vor|nach|später|früher|seit|bis|nächste[nrsm]?|als|dann|bald|darauf"
    ),
    frequency=_words(r"einmal|zweimal|dreimal|\w+mal|wieder|oft|nie|immer|selten|jede[nsr]?"),
    kinship=_words(
        r"(?:Groß|Schwieger|Stief)?(?:mutter|vater|sohn|tochter|eltern)|Bruder|Schwester|Kind(?:er)?",
        r"Onkel|Tante|Neffe|Nichte|Vetter|Cousine?|Frau|Mann|Gatt(?:e|in)|Witwer?|Braut|Familie",
        r"verwandt\w*|verheirat\w*|verlob\w*|geliebt\w*|Gelieb\w*|geboren\w*|Waise|Vormund",
    ),
    station=_words(
        r"Freund(?:in|e|schaft)?|Herr|Diener(?:in)?|Magd|Feind|Nachbar(?:in)?|Lehrer(?:in)?"
        r"|Schüler(?:in)?|Gast|Wirt(?:in)?|kannten?|genannt"
    ),
    predicate=_words(r"(?:ist|war|sind|waren|wurde|geworden) (?:ein\w*|de[rmn]|die|das|mein\w*)"),
)

_CHINESE_NUMBERS: Final = "[零〇一二三四五六七八九十百千万萬兩两半数數幾几]+"
_CHINESE: Final = Signs(
    number=re.compile(rf"{_CHINESE_NUMBERS}[个個位人名只隻件条條次回]|{_CHINESE_NUMBERS}"),
    ordinal=re.compile(rf"第{_CHINESE_NUMBERS}|首|末|最[后後初]"),
    duration=re.compile(
        rf"{_CHINESE_NUMBERS}[个個]?(?:年|月|日|天|夜|时辰|時辰|[载載]|更|刻|[余餘]年)"
    ),
    clock=re.compile(f"[子丑寅卯辰巳午未申酉戌亥][时時]|{_CHINESE_NUMBERS}更"),
    date=re.compile(rf"{_CHINESE_NUMBERS}[年月日]|正月|[腊臘]月|中秋|端午|重[阳陽]"),
    age=re.compile(f"{_CHINESE_NUMBERS}[岁歲]|年[纪紀]|[寿壽]|生辰|年方"),
    part_of_day=re.compile("[晨晚朝夜夕早]|春|夏|秋|冬|黄昏|天明"),
    relative=re.compile("[之以][后後前]|次日|明日|昨[日夜]|[当當][日夜]|自|[至到]"),
    frequency=re.compile(rf"{_CHINESE_NUMBERS}[次回番遍]|又|再|屡|屢"),
    kinship=re.compile("[父母兄弟姊姐妹妻夫子女孙孫叔伯姑舅]|娘|[师師]徒|[师師]父|徒弟|[结結]拜"),
    station=re.compile("主|仆|僕|[师師]|友|[敌敵]|君|臣|[国國]王|[将將]|[识識]"),
    predicate=re.compile("[是乃][我你他其那这這一]?|即是|便是"),
)

_SIGNS: Final[Mapping[str, Signs]] = MappingProxyType(
    {"en": _ENGLISH, "de": _GERMAN, "zh": _CHINESE}
)
