"""How alike the evidence is that two searches found: by the very characters of the text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from contracts.answers import FoundPassage
from contracts.ids import ChapterId
from contracts.reports import ComparedQuestion, FirstFound
from streams.generations.questions import Place, SampledQuestion

_SHOWN: Final = 160  # code points of what is found first: two lines of a terminal
_FOUND: Final = 0.5  # of a sentence's characters: a search shows whole sentences


class _Character(NamedTuple):
    """A character of the story; equal places that read otherwise are no evidence in common."""

    chapter_id: ChapterId
    at: int
    character: str


def compare_evidence(
    sampled: SampledQuestion, live: Sequence[FoundPassage], candidate: Sequence[FoundPassage]
) -> ComparedQuestion:
    """Compare what the live generation and the candidate find for a question, best first."""
    there, here = _characters(live), _characters(candidate)
    place = sampled.place
    return ComparedQuestion(
        work_id=sampled.work_id,
        as_of=sampled.as_of,
        question=sampled.question,
        overlap=round(len(there & here) / max(1, len(there | here)), 6) if there | here else 1.0,
        first_changed=_first_changed(live, candidate),
        live=_first(live),
        candidate=_first(candidate),
        found=(_holds(there, place), _holds(here, place)) if place else None,
    )


def _characters(passages: Iterable[FoundPassage]) -> frozenset[_Character]:
    return frozenset(
        _Character(passage.chapter_id, at, character)
        for passage in passages
        for at, character in enumerate(passage.text, start=passage.start)
    )


def _first_changed(live: Sequence[FoundPassage], candidate: Sequence[FoundPassage]) -> bool:
    """Say whether what stands first in one has nothing of what stands first in the other."""
    there, here = _characters(live[:1]), _characters(candidate[:1])
    return bool(there or here) and not there & here


def _first(passages: Sequence[FoundPassage]) -> FirstFound | None:
    if not passages:
        return None
    first = passages[0]
    text = " ".join(first.text.split())
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN].rstrip()} …"
    return FirstFound(chapter_id=first.chapter_id, ordinal=first.ordinal, text=shown)


def _holds(found: frozenset[_Character], place: Place) -> bool:
    sought = frozenset(
        _Character(place.chapter_id, at, character)
        for at, character in enumerate(place.text, start=place.span.start)
    )
    return len(sought & found) >= _FOUND * len(sought)
