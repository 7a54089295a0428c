"""Which dead letters are meant: those named, or those that fit what was said of them; pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from contracts.requests import LetterChoice
from streams.dead_letters import DeadLetter
from streams.dlq.telling import moment

Place = tuple[str, int, int]
"""Topic, partition and offset of a record."""


def fits(letter: DeadLetter, choice: LetterChoice) -> bool:
    """Say whether the letter is among those meant."""
    whose = letter.identity
    time = moment(letter.time_ms)
    return (
        _is_any(letter.letter_id, choice.letters)
        and _is_any(letter.failure.kind.value, choice.kinds)
        and choice.work_id in (None, whose.work_id)
        and choice.chapter_id in (None, whose.chapter_id)
        and choice.stage in (None, letter.stage)
        and choice.source in (None, letter.source)
        and (choice.since is None or time >= choice.since)
        and (choice.until is None or time < choice.until)
    )


def with_siblings(
    chosen: Sequence[DeadLetter], letters: Sequence[DeadLetter]
) -> tuple[DeadLetter, ...]:
    """Return `chosen` with those of `letters` that came of the same records, in order of `letters`.

    A record that is delivered twice, or to two generations, may be two letters: what is done with
    it is done with both.
    """
    records = {record_of(letter) for letter in chosen}
    return tuple(letter for letter in letters if record_of(letter) in records)


def record_of(letter: DeadLetter) -> Place:
    """Return where the record lies that became the letter; of one that does not say, the letter."""
    if not letter.source or letter.offset < 0:
        return letter.topic, -1, letter.at
    return letter.source, letter.partition, letter.offset


def _is_any(value: str, wanted: Collection[str]) -> bool:
    return not wanted or value in wanted
