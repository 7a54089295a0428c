"""Names taken apart: titles in front, the words that tell the person, what they tell."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from contracts.ids import normalised
from contracts.person_names import (
    FEMALE,
    GIVEN_NAMES,
    SMALL_WORDS,
    TITLES,
    UNKNOWN,
    described,
    without_determiner,
)


def words_of(text: str) -> frozenset[str]:
    """Return the words of a table."""
    return frozenset(text.split())


_SAME_TITLE: Final = {
    "dr": "doctor",
    "prof": "professor",
    "capt": "captain",
    "col": "colonel",
    "lieut": "lieutenant",
    "lt": "lieutenant",
    "sergt": "sergeant",
    "sgt": "sergeant",
    "mister": "mr",
    "monsieur": "mr",
    "m": "mr",
    "mme": "madame",
    "mlle": "mademoiselle",
    "rev": "reverend",
    "gen": "general",
    "maj": "major",
    "aunty": "aunt",
    "auntie": "aunt",
}
# Short names that are as often names of their own (Daisy, Polly, Sally) are left out.
_FORMAL: Final = {
    nick: formal
    for formal, nicks in {
        "abigail": "abby",
        "abraham": "abe bram",
        "albert": "bert bertie al",
        "alexander": "alec aleck alex sandy",
        "alfred": "alf alfie fred",
        "andrew": "andy",
        "anthony": "tony",
        "archibald": "archie",
        "arthur": "art",
        "barbara": "babs",
        "barnabas": "barney barnaby",
        "benjamin": "ben benny",
        "catherine": "cathy kate kitty katharine katherine katie",
        "charles": "charley charlie",
        "charlotte": "lottie",
        "christopher": "chris kit",
        "daniel": "dan danny",
        "david": "dave davy",
        "dorothy": "dolly dot",
        "ebenezer": "eben",
        "edward": "ned ted teddy eddie ed",
        "eleanor": "nell nellie nelly",
        "elizabeth": "eliza lizzy lizzie liz bess bessie bessy beth betsy betty",
        "emily": "em",
        "eveline": "evie",
        "frances": "fanny",
        "francis": "frank",
        "frederick": "freddy freddie",
        "george": "georgie",
        "gerald": "gerry",
        "gertrude": "gerty",
        "harriet": "hattie",
        "henry": "harry hal hank",
        "isabella": "bella belle",
        "jacob": "jake",
        "james": "jim jimmy jem jamie",
        "jane": "janey",
        "jeremiah": "jerry",
        "john": "jack johnny jock",
        "jonathan": "jon",
        "joseph": "joe",
        "josephine": "jo",
        "lawrence": "larry laurie laurence",
        "leonard": "len lenny",
        "louisa": "lou loo",
        "margaret": "maggie meg peggy madge",
        "matilda": "tilda tilly mattie",
        "matthew": "matt",
        "michael": "mike mick",
        "nancy": "nance nan",
        "nicholas": "nick",
        "oliver": "noll nolly",
        "patrick": "pat paddy",
        "peter": "pete",
        "philip": "phil",
        "rachel": "rachael",
        "rebecca": "becky",
        "richard": "dick dickie rick",
        "robert": "rob robin bob bobby",
        "samuel": "sam sammy",
        "solomon": "sol",
        "sophia": "sophie sophy",
        "stephen": "steve steven",
        "susan": "sue susie",
        "theodore": "theo",
        "theresa": "tess tessa",
        "thomas": "tom tommy",
        "timothy": "tim",
        "victoria": "vicky",
        "walter": "walt wat",
        "william": "will willie willy bill billy",
        "zachariah": "zach zack",
    }.items()
    for nick in nicks.split()
}
_HAN_NAME: Final = re.compile(r"[\u4e00-\u9fff]{3,4}")
_HONORIFIC: Final = re.compile(r"(?<=[^\W\d_])(?:さん|君|先生|氏|様|ちゃん|殿|夫人)$")


@dataclass(frozen=True, slots=True)
class NameForm:
    """A name taken apart: titles in front, the words that tell the person, what they tell.

    One that is `described` ("the stranger") is one word to all comparisons: no part of it is a
    name of anybody.
    """

    key: str
    titles: frozenset[str]
    words: frozenset[str]
    given: str
    gender: str
    described: bool = False

    @property
    def bare(self) -> bool:
        """Whether the name is a title alone: "the Doctor"."""
        return not self.words

    @property
    def full(self) -> bool:
        """Whether a given name and a family name are told."""
        return len(self.words) > 1

    @property
    def lady(self) -> bool:
        """Whether a title tells that this is a woman, and nothing else does."""
        return self.gender == FEMALE and bool(self.titles) and not self.given


@lru_cache(maxsize=4096)
def parse(name: str) -> NameForm:
    """Take a name apart."""
    name = without_determiner(name)
    if described(name):
        key = normalised(name).casefold().replace("’", "'")
        return NameForm(key, frozenset(), frozenset({key}), "", UNKNOWN, described=True)
    parts = [part.rstrip(".") for part in normalised(name).casefold().replace("’", "'").split()]
    front = 0
    while front < len(parts) and parts[front] in TITLES:
        front += 1
    raw_titles, words = parts[:front], [p for p in parts[front:] if p not in SMALL_WORDS and p]
    told = [TITLES[title] for title in raw_titles if TITLES[title] != UNKNOWN]
    given = words[0] if words and words[0] in GIVEN_NAMES else ""
    gender = told[-1] if told else GIVEN_NAMES.get(given, UNKNOWN)
    named = [word for word in words if not (len(word) == 1 and word.isalpha())] or words
    return NameForm(
        key=" ".join(parts),
        titles=frozenset(_SAME_TITLE.get(title, title) for title in raw_titles),
        words=frozenset(named) | _parts_without_spaces(named),
        given=given,
        gender=gender,
    )


def _parts_without_spaces(words: list[str]) -> frozenset[str]:
    """Return what else a name without spaces is known by: 孙悟空 is 悟空, 迷亭君 is 迷亭."""
    shorter = {_HONORIFIC.sub("", word) for word in words}
    shorter |= {word[-2:] for word in words if _HAN_NAME.fullmatch(word)}
    return frozenset(shorter - set(words) - {""})


def formal(words: frozenset[str]) -> frozenset[str]:
    """Return the words with each nickname in its formal shape."""
    return frozenset(_FORMAL.get(word, word) for word in words)


def index_words(form: NameForm) -> frozenset[str]:
    """Return the words under which a person with this name is looked up; none of a description."""
    return frozenset() if form.described else form.words | formal(form.words)
