"""`dlq`: dead letters listed, looked at, sent again and dropped, in any log.

What is sent again is in the log before the letter is settled: who is cut off in between does it
again, which changes nothing, since the record keeps its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from contracts import clock
from contracts.encoded import Bytes
from contracts.ids import WorkId
from contracts.ports import EventLog, NewRecord, TreeStore
from contracts.reports import (
    LetterReport,
    LettersReport,
    RefusedLetter,
    Settled,
    SettledReport,
)
from contracts.requests import LetterChoice, LettersAsked, OneLetter, Settling
from contracts.works import WorkRecord
from streams.dead_letters import DeadLetter
from streams.dlq.choosing import Place, fits, record_of, with_siblings
from streams.dlq.retrying import refusal, sent_again
from streams.dlq.telling import letter_line
from streams.letters import Letters
from streams.not_found import NotFound
from streams.settlements import Settlement, settlement

_PARTITION: Final = 0  # a dead-letter topic has no other
_AT_ONCE: Final = 500
_BYTES_AT_ONCE: Final = 8_000_000
"""Of letters that are settled together: what is in memory, and what a crash has done again."""


@dataclass(frozen=True, slots=True)
class LetterBox:
    """The dead letters in `topics` of `log`; `tree` knows what was withdrawn since.

    `now_ms` stamps what is settled. Two may use it at once: a letter that both settle is settled.
    """

    log: EventLog
    tree: TreeStore
    topics: Sequence[str]
    now_ms: Callable[[], int] = clock.now_ms

    async def listed(self, asked: LettersAsked) -> LettersReport:
        """Return the open letters that are asked for, and those that were settled where asked to.

        Raises:
            NotFound: a letter is named that there is not.
            TransientError: the log cannot be used now.
        """
        letters = await self._letters()
        _require(letters, asked.choice)
        found = _all(letters) if asked.settled else [(each, None) for each in letters.all()]
        found.sort(key=lambda pair: (letters.topics.index(pair[0].topic), pair[0].at))
        return LettersReport(
            letters=tuple(letter_line(*pair) for pair in found if fits(pair[0], asked.choice))
        )

    async def shown(self, asked: OneLetter) -> LetterReport:
        """Return one letter, open or settled, with its bytes where these are asked for.

        Raises:
            NotFound: there is no such letter.
            TransientError: the log cannot be used now.
        """
        letters = await self._letters()
        _require(letters, LetterChoice(letters=(asked.letter,)))
        letter, settled = next(pair for pair in _all(letters) if pair[0].letter_id == asked.letter)
        values = await self._values([letter]) if asked.body else {}
        body = values.get(letter.letter_id)
        return LetterReport(
            letter=letter_line(letter, settled),
            key=None if letter.key is None else Bytes.of(letter.key),
            body=None if body is None else Bytes.of(body),
        )

    async def settle(self, asked: Settling) -> SettledReport:
        """Send the letters that are meant again, or drop them, and say what was done.

        Raises:
            NotFound: a letter is named that there is not.
            TransientError: log or graph cannot be used now; the same call again goes on from there.
        """
        letters = await self._letters()
        _require(letters, asked.choice)
        everyone = letters.all()
        chosen = with_siblings(
            [letter for letter in everyone if fits(letter, asked.choice)], everyone
        )
        is_retry = asked.how is Settled.RETRIED
        refused = await self._refused(chosen) if is_retry else {}
        fit = [letter for letter in chosen if letter.letter_id not in refused]
        if not asked.dry_run:
            for batch in _batches(fit):
                await self._settle(batch, asked.how)
        reasons = {**_settled_before(letters, asked.choice), **refused}
        return SettledReport(
            how=asked.how,
            dry_run=asked.dry_run,
            letters=tuple(map(letter_line, fit)),
            appended=len(set(map(record_of, fit))) if is_retry else 0,
            refused=tuple(RefusedLetter(letter=name, reason=why) for name, why in reasons.items()),
        )

    async def _refused(self, chosen: Iterable[DeadLetter]) -> dict[str, str]:
        """Return why letters cannot be sent again, by letter."""
        reasons: dict[str, str] = {}
        works: dict[str, WorkRecord | None] = {}
        for letter in chosen:
            name = letter.identity.work_id
            if name and name not in works:
                works[name] = await self.tree.load(WorkId(name))
            reason = refusal(letter, works.get(name or ""))
            if reason is not None:
                reasons[letter.letter_id] = reason
        return reasons

    async def _settle(self, batch: Sequence[DeadLetter], how: Settled) -> None:
        if how is Settled.RETRIED:
            again = await self._again(batch)
            await self.log.append(list(again.values()))
            batch = [letter for letter in batch if record_of(letter) in again]
        # Only now: of two records in one call, Kafka may keep the second alone.
        now_ms = self.now_ms()
        await self.log.append(
            [settlement(each.topic, each.at, each.key, how, now_ms) for each in batch]
        )

    async def _again(self, batch: Sequence[DeadLetter]) -> dict[Place, NewRecord]:
        """Return what is appended for `batch`, by the record that became a letter: of each once.

        Nothing for a letter that retention has taken since it was listed.
        """
        first: dict[Place, DeadLetter] = {}
        for letter in batch:
            first.setdefault(record_of(letter), letter)
        values = await self._values(first.values())
        return {
            record: sent_again(letter, values[letter.letter_id])
            for record, letter in first.items()
            if letter.letter_id in values
        }

    async def _values(self, letters: Iterable[DeadLetter]) -> dict[str, bytes]:
        """Return the bytes of letters that have any, by letter; each topic is read once for it."""
        by_topic: dict[str, dict[int, str]] = {}
        for letter in letters:
            by_topic.setdefault(letter.topic, {})[letter.at] = letter.letter_id
        found: dict[str, bytes] = {}
        for topic, wanted in by_topic.items():
            async with aclosing(
                self.log.span(topic, _PARTITION, min(wanted), max(wanted) + 1)
            ) as records:
                async for record in records:
                    if record.offset in wanted and record.value is not None:
                        found[wanted[record.offset]] = record.value
        return found

    async def _letters(self) -> Letters:
        letters = Letters(self.log, self.topics)
        await letters.refresh()
        return letters


def _all(letters: Letters) -> list[tuple[DeadLetter, Settlement | None]]:
    return [*((each, None) for each in letters.all()), *letters.settled()]


def _require(letters: Letters, choice: LetterChoice) -> None:
    known = {letter.letter_id for letter, _ in _all(letters)}
    unknown = [name for name in choice.letters if name not in known]
    if unknown:
        raise NotFound(
            f"There is no dead letter {', '.join(unknown)}: `storygraft dlq ls --settled` lists "
            "those that there are."
        )


def _settled_before(letters: Letters, choice: LetterChoice) -> dict[str, str]:
    """Return why those of the letters named that are settled are not settled again."""
    return {
        letter.letter_id: f"it was {settled.how.value} before"
        for letter, settled in letters.settled()
        if letter.letter_id in choice.letters
    }


def _batches(letters: Iterable[DeadLetter]) -> Iterator[list[DeadLetter]]:
    """Yield `letters` in batches of bounded size, those of one record in the same one."""
    batch: dict[Place, list[DeadLetter]] = {}
    size = 0
    for letter in sorted(letters, key=record_of):
        record = record_of(letter)
        if record not in batch:
            full = len(batch) >= _AT_ONCE or size + (letter.size or 0) > _BYTES_AT_ONCE
            if batch and full:
                yield [each for some in batch.values() for each in some]
                batch, size = {}, 0
            size += letter.size or 0
        batch.setdefault(record, []).append(letter)
    if batch:
        yield [each for some in batch.values() for each in some]
