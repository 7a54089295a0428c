"""Words that ask, by language. A language that is not here asks in a way we do not know.

Written from general knowledge of the languages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from processors.background import primary


class Asked(StrEnum):
    """What kind of answer a question wants."""

    PERSON = "person"
    PLACE = "place"
    TIME = "time"
    NUMBER = "number"
    REASON = "reason"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """`kinds` find what is asked for; `bare` matches the words that do nothing but ask."""

    kinds: Mapping[Asked, re.Pattern[str]]
    bare: re.Pattern[str]


def question_words(language: str) -> QuestionWords:
    """Return the words of a language (a BCP 47 tag); patterns that never match if unknown."""
    return _WORDS.get(primary(language), _NO_WORDS)


def _words(*words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)


def _runs(*words: str) -> re.Pattern[str]:
    return re.compile("|".join(words))


_NO_WORDS: Final = QuestionWords(MappingProxyType({}), re.compile(r"(?!)"))

_ENGLISH: Final = QuestionWords(
    {
        Asked.PERSON: _words("who", "whom", "whose", "(?:which|what) (?:man|woman|person)"),
        Asked.PLACE: _words("where", "(?:which|what) (?:place|city|town|room|country|island)"),
        Asked.TIME: _words("when", "(?:which|what) (?:time|day|year|month|hour|date)"),
        Asked.NUMBER: _words("how (?:many|much|often|long|old|far)", "what number"),
        Asked.REASON: _words("why", "what (?:made|caused)", "what (?:is|was) the reason"),
        Asked.OTHER: _words("what", "which", "how"),
    },
    _words("whom?", "whose", "what", "which", "where", "when", "why", "how", "did", "does", "do"),
)

_GERMAN: Final = QuestionWords(
    {
        Asked.PERSON: _words("wer", "wen", "wem", "wessen"),
        Asked.PLACE: _words("wo", "wohin", "woher"),
        Asked.TIME: _words("wann"),
        Asked.NUMBER: _words("wie ?viele?", "wie (?:oft|lange|alt|weit)"),
        Asked.REASON: _words("warum", "weshalb", "wieso", "weswegen"),
        Asked.OTHER: _words("was", "welche[rsmn]?", "wie"),
    },
    _words(
        "we[rnm]", "wessen", "wo", "wohin", "woher", "wann", "wie", "wieviele?", "warum",
        "weshalb", "wieso", "weswegen", "was", "welche[rsmn]?",
    ),
)  # fmt: skip

_FRENCH: Final = QuestionWords(
    {
        Asked.PERSON: _words("qui"),
        Asked.PLACE: _words("où"),
        Asked.TIME: _words("quand"),
        Asked.NUMBER: _words("combien"),
        Asked.REASON: _words("pourquoi"),
        Asked.OTHER: _words("que", "quoi", "quel(?:le)?s?", "comment"),
    },
    _words(
        "est-ce", "que", "qui", "où", "quand", "combien", "pourquoi", "quoi", "quel(?:le)?s?",
        "comment",
    ),
)  # fmt: skip

_SPANISH: Final = QuestionWords(
    {
        Asked.PERSON: _words("quién(?:es)?"),
        Asked.PLACE: _words("a?dónde"),
        Asked.TIME: _words("cuándo"),
        Asked.NUMBER: _words("cuánt[oa]s?"),
        Asked.REASON: _words("por qué"),
        Asked.OTHER: _words("qué", "cuál(?:es)?", "cómo"),
    },
    _words(
        "quién(?:es)?", "a?dónde", "cuándo", "cuánt[oa]s?", "por qué", "qué", "cuál(?:es)?",
        "cómo",
    ),
)  # fmt: skip

_CHINESE: Final = QuestionWords(
    {
        Asked.PERSON: _runs("谁", "誰", "哪个人", "哪個人", "[什甚][么麼]人", "哪一?位"),
        Asked.PLACE: _runs("哪[里裡裏儿兒]", "何[处處]", "[什甚][么麼]地方", "在哪"),
        Asked.TIME: _runs("何[时時]", "[什甚][么麼][时時]候", "哪一?[年天日]", "[几幾][时時]"),
        Asked.NUMBER: _runs("多少", "[几幾]", "多[大长長久远遠高]"),
        Asked.REASON: _runs("[为為]([什甚][么麼]|何)", "怎[么麼][会會]"),
        Asked.OTHER: _runs("[什甚][么麼]", "哪", "怎[么麼样樣]", "如何"),
    },
    _runs(
        "[为為][什甚][么麼]", "[为為]何", "[是叫]?[谁誰]", "[叫是]?[什甚][么麼]",
        "怎[么麼样樣]", "如何", "多少", "[几幾](?=[个個次人只隻件天年])", "何[处處时時]",
        "哪[里裡裏儿兒个個位]?",
    ),
)  # fmt: skip

_JAPANESE: Final = QuestionWords(
    {
        Asked.PERSON: _runs("誰", "だれ", "どなた"),
        Asked.PLACE: _runs("どこ", "何処"),
        Asked.TIME: _runs("いつ", "何[時年日]"),
        Asked.NUMBER: _runs("いくつ", "いくら", "何[人回匹本枚]", "どれ(?:くらい|ほど)"),
        Asked.REASON: _runs("なぜ", "何故", "どうして"),
        Asked.OTHER: _runs("何", "どの", "どんな", "どう"),
    },
    _runs(
        "何(?:故|処|という|です)?", "誰", "だれ", "どなた", "どこ", "いつ", "いくつ", "いくら",
        "なぜ", "どうして", "どんな", "どの", "どう", "ですか", "ますか", "でしょうか", "のか",
    ),
)  # fmt: skip

_WORDS: Final[Mapping[str, QuestionWords]] = MappingProxyType(
    {
        "en": _ENGLISH,
        "de": _GERMAN,
        "fr": _FRENCH,
        "es": _SPANISH,
        "zh": _CHINESE,
        "ja": _JAPANESE,
    }
)
