"""Whether a name may be one of a person's: "Jim" of Jim Hawkins, "Mr. Hawkins" not of his aunt."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Final

from graph.name_forms import NameForm, formal, words_of

_WIVES: Final = words_of("mrs madame señora senora signora frau")
_UNMARRIED: Final = words_of("miss mademoiselle señorita senorita signorina fräulein")
_LADIES: Final = _WIVES | {"lady"}
_ARMED: Final = words_of(
    "colonel captain major general lieutenant sergeant corporal commander commodore admiral"
)
_RANKS: Final = _ARMED | words_of(
    """private inspector detective constable superintendent officer sheriff judge doctor professor
    president senator governor reverend dean mayor councillor herr frau"""
)
"""Titles that stand before the family name: Colonel Fitzwilliam is not Fitzwilliam Darcy."""
_NOBLE: Final = words_of("lady lord sir king queen prince princess duke duchess")


class Fit(IntEnum):
    """How well a name fits a person; higher is better."""

    NONE = 0
    KIN = 1
    """As "Mrs. Bennet" fits Jane Bennet: it is she only if no other woman bears the name."""
    WEAK = 2
    """By a nickname, or a family name alone for a lady known with her title only."""
    PART = 3
    """Each word of the one is in the other."""
    GIVEN = 4
    """The same, and the given name is among them."""
    EXACT = 5


def fit(form: NameForm, others: Iterable[NameForm]) -> Fit:
    """Say how well `form` fits the person who is called `others`.

    A description fits who is called the very same, and says nothing of who bears a name.
    """
    known = tuple(others)
    if any(form.key == other.key for other in known):
        return Fit.EXACT
    named = () if form.described else tuple(other for other in known if not other.described)
    return _fit_named(form, named) if named else Fit.NONE


def _fit_named(form: NameForm, known: tuple[NameForm, ...]) -> Fit:
    if _contradicts(form, known):
        return Fit.NONE
    if _may_be_wife(form, known):
        return Fit.KIN
    if form.bare:
        titles = frozenset(title for other in known for title in other.titles)
        return Fit.PART if form.titles <= titles else Fit.NONE
    words = frozenset(word for other in known for word in other.words)
    if words and (form.words <= words or words <= form.words):
        return _fit_part(form, known)
    return _fit_nickname(form, words, known)


def _fit_part(form: NameForm, known: tuple[NameForm, ...]) -> Fit:
    if form.given and any(form.given == other.given for other in known):
        return Fit.GIVEN
    if not form.titles and not form.full and all(other.lady for other in known):
        return Fit.WEAK
    return Fit.PART


def _fit_nickname(form: NameForm, words: frozenset[str], known: tuple[NameForm, ...]) -> Fit:
    """Take nicknames for the formal names; Lady Catherine is nobody's Kitty."""
    ours, theirs = formal(form.words), formal(words)
    if not words or not (ours <= theirs or theirs <= ours) or form.titles & _NOBLE:
        return Fit.NONE
    return Fit.WEAK if any(not other.titles & _NOBLE for other in known) else Fit.NONE


def _contradicts(form: NameForm, known: tuple[NameForm, ...]) -> bool:
    """Say whether `form` cannot be the person called `known`, whatever else they share."""
    genders = [other.gender for other in known if other.gender]
    if form.gender and genders and form.gender != genders[0]:
        return True
    if not genders and any(_is_wife_of_rank(form, o) or _is_wife_of_rank(o, form) for o in known):
        return True
    if _is_daughter(known, (form,)) or _is_daughter((form,), known):
        return True
    if form.full and not form.titles & _WIVES and all(map(_plain_wife, known)):
        return True
    return any(_excludes(form, other) or _excludes(other, form) for other in known)


def _excludes(one: NameForm, other: NameForm) -> bool:
    """Say whether titles or given names keep two names apart."""
    if one.titles & _RANKS and len(one.words) == 1 and other.full and other.given in one.words:
        return True
    if one.titles & _ARMED and other.titles & _ARMED and not one.titles & other.titles:
        return True
    if "mr" in one.titles and other.titles & {"sir", "lord"}:
        return True
    if one.full and other.full and one.given and other.given:
        return formal(frozenset({one.given})) != formal(frozenset({other.given}))
    return False


def _is_wife_of_rank(lady: NameForm, other: NameForm) -> bool:
    """Say whether "Mrs. Croft" meets "Admiral Croft"."""
    if lady.titles & _UNMARRIED:
        return bool(other.titles & _ARMED)
    return bool(lady.titles & _LADIES and other.titles & _RANKS)


def _is_daughter(ones: tuple[NameForm, ...], wives: tuple[NameForm, ...]) -> bool:
    """Say whether "Miss Bennet" meets "Mrs. Bennet"."""
    if any(one.titles & _WIVES for one in ones):
        return False
    return any(one.titles & _UNMARRIED for one in ones) and any(w.titles & _LADIES for w in wives)


def _may_be_wife(form: NameForm, known: tuple[NameForm, ...]) -> bool:
    """Say whether "Mrs. Crake" meets Bettina Crake, who was never called Mrs. Crake."""
    if not _plain_wife(form) or any(other.titles & _WIVES for other in known):
        return False
    return any(other.full and form.words <= other.words for other in known)


def _plain_wife(form: NameForm) -> bool:
    return bool(form.titles & _WIVES) and not form.given
