"""From an answer to segments: which events, persons, threads and turning points are in which.

An event belongs to the scene at whose home it begins, so that no event is told twice.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Final

from contracts.scenes import Segment
from contracts.words import CJK
from processors.extractive import clipped
from processors.litseg.wire import Answer, Block, Event, SamePerson, TurningPoint

TITLE_WORDS: Final = 15
SYNOPSIS_WORDS: Final = 100
SENTENCE_WORDS: Final = 40
PERSON_WORDS: Final = 12
"""Of a person's name, or of the description that stands for one."""

_THREAD_WORDS: Final = 8
_MOST_NAMES: Final = 50
_LETTERS_A_WORD: Final = 12  # a text without spaces is one word to the count
_CJK: Final = re.compile(f"[{CJK}]")
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def segments_of(answer: Answer, count: int) -> tuple[tuple[Segment, ...], int]:
    """Return the segments of a chunk of `count` sentences as they were told, valid or not.

    The number beside them says how many events, turning points, identities and mentions of events
    in threads speak of what is not there.
    """
    order = sorted(range(len(answer.segments)), key=lambda nth: _range(answer.segments[nth]))
    homes = _homes(answer.segments, order, count)
    events = _events_by_home(answer.events, homes)
    threads, strange = _threads_by_home(answer, homes)
    turns = _turns_by_home(answer.turning_points, homes)
    same = _identities_by_home(answer.identities, homes)
    segments = tuple(
        _segment(block, events.get(nth, ()), threads.get(nth, ()), turns.get(nth)).model_copy(
            update={"identities": tuple(dict.fromkeys(same.get(nth, ())))}
        )
        for nth, block in enumerate(answer.segments)
    )
    strange += sum(_at(event, count) is None for event in answer.events)
    strange += sum(not 1 <= turn.at_idx <= count for turn in answer.turning_points)
    strange += sum(not 1 <= each.at_idx <= count for each in answer.identities)
    return segments, strange


def clean(text: str, words: int) -> str:
    """Return `text` on one line, in at most `words` words, without what is no text."""
    flat = " ".join(_CONTROLS.sub(" ", text[: 2 * words * _LETTERS_A_WORD]).split())
    return clipped(flat[: words * _LETTERS_A_WORD], words)


def _segment(
    block: Block, events: Sequence[Event], threads: Iterable[str], turn: TurningPoint | None
) -> Segment:
    who = (clean(name, PERSON_WORDS) for event in events for name in event.who)
    told = [_sentence(clean(event.what, SENTENCE_WORDS)) for event in events]
    ending = "" if turn is None else turn.description.strip() or turn.type
    return Segment(
        from_idx=block.from_idx,
        to_idx=block.to_idx,
        title=clean(block.subtitle, TITLE_WORDS),
        synopsis=clipped(_joined(told), SYNOPSIS_WORDS),
        significance=clean(block.significance, SENTENCE_WORDS),
        turning_point=clean(ending, SENTENCE_WORDS),
        context=tuple(block.context_idx),
        characters=tuple(islice(filter(None, dict.fromkeys(who)), _MOST_NAMES)),
        threads=tuple(dict.fromkeys(threads)),
    )


def _sentence(told: str) -> str:
    """End a statement, so that several read as sentences."""
    if not told or not told[-1].isalnum():
        return told
    return told + ("。" if _CJK.match(told[-1]) else ".")


def _joined(sentences: Iterable[str]) -> str:
    return " ".join(filter(None, sentences)).replace("。 ", "。")


def _range(block: Block) -> tuple[int, int]:
    return block.from_idx, block.to_idx


def _homes(blocks: Sequence[Block], order: Sequence[int], count: int) -> list[int | None]:
    """Return which block is the home of each sentence (place 0 is none); gaps join their left."""
    homes: list[int | None] = [None] * (count + 1)
    covered = 0
    for nth in order:
        first, last = _range(blocks[nth])
        if not 1 <= first <= last <= count or last <= covered:
            continue
        before = homes[covered] if covered else nth
        homes[covered + 1 : first] = [before] * max(0, first - covered - 1)
        homes[max(first, covered + 1) : last + 1] = [nth] * (last - max(first, covered + 1) + 1)
        covered = last
    homes[covered + 1 :] = [homes[covered]] * (count - covered)
    return homes


def _at(event: Event, count: int) -> int | None:
    """Return the sentence at which an event begins, None where its range is not there."""
    return event.from_idx if 1 <= event.from_idx <= event.to_idx <= count else None


def _events_by_home(
    events: Sequence[Event], homes: Sequence[int | None]
) -> Mapping[int, list[Event]]:
    found: dict[int, list[Event]] = defaultdict(list)
    for event in sorted(events, key=lambda each: each.from_idx):
        at = _at(event, len(homes) - 1)
        home = None if at is None else homes[at]
        if home is not None:
            found[home].append(event)
    return found


def _threads_by_home(
    answer: Answer, homes: Sequence[int | None]
) -> tuple[Mapping[int, list[str]], int]:
    found: dict[int, list[str]] = defaultdict(list)
    strange = 0
    for thread in answer.threads:
        name = clean(thread.name, _THREAD_WORDS)
        for number in thread.events:
            if not 1 <= number <= len(answer.events):
                strange += 1
                continue
            at = _at(answer.events[number - 1], len(homes) - 1)
            home = None if at is None else homes[at]
            if home is not None and name:
                found[home].append(name)
    return found, strange


def _turns_by_home(
    turns: Sequence[TurningPoint], homes: Sequence[int | None]
) -> Mapping[int, TurningPoint]:
    """Return the last turning point of each block: the one that ends it."""
    found: dict[int, TurningPoint] = {}
    for turn in sorted(turns, key=lambda each: each.at_idx):
        home = homes[turn.at_idx] if 1 <= turn.at_idx < len(homes) else None
        if home is not None:
            found[home] = turn
    return found


def _identities_by_home(
    told: Sequence[SamePerson], homes: Sequence[int | None]
) -> Mapping[int, list[tuple[str, str]]]:
    """Return, for each block, who is who by what its sentences make known, in their order."""
    found: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for each in sorted(told, key=lambda each: each.at_idx):
        home = homes[each.at_idx] if 1 <= each.at_idx < len(homes) else None
        if home is not None:
            found[home].append((clean(each.name, PERSON_WORDS), clean(each.also, PERSON_WORDS)))
    return found
