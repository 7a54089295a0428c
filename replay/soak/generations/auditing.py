"""Whether a model was paid twice for an answer that was kept: its own books beside the memo.

The server counts an answer as given when it has made it. Of one that was under way when a worker
was killed nobody can say whether it came whole: it was not stored, so it is asked for again. An
answer that was stored is never asked for again; that is what is looked for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from contracts.memo import MemoEntry
from contracts.spending import Spent
from replay.soak.generations.programs import Paid

_STORING_MS: Final = 2_000  # from an answer to its place in the memo, on a machine that is busy


@dataclass(frozen=True, slots=True)
class Audit:
    """What the books say. `ledger` is what the memo says was spent.

    `lost` answers were given while a worker was killed and not stored, of at most as many as
    `under_way` were; `twice` were asked for again though they were stored, each in a sentence.
    """

    answered: int
    questions: int
    lost: int
    twice: Sequence[str]
    ledger: Spent
    tokens: int

    @property
    def wrong(self) -> Sequence[str]:
        """What is not as it should be, in sentences."""
        told = list(self.twice)
        if self.ledger.calls != self.answered - self.lost:
            told.append(
                f"the ledger tells of {self.ledger.calls} calls, and {self.answered - self.lost} "
                "answers were given and kept"
            )
        if self.ledger.tokens != self.tokens:
            told.append(
                f"the ledger tells of {self.ledger.tokens:,} tokens, and those of the answers that "
                f"were kept are {self.tokens:,}"
            )
        return told


def audited(
    paid: Sequence[Paid], entries: Iterable[MemoEntry], ledger: Spent, kills_ms: Sequence[int]
) -> Audit:
    """Compare a server's books with what a memo holds; `kills_ms` is when workers were killed."""
    by_question: dict[str, list[Paid]] = defaultdict(list)
    for each in sorted(paid, key=lambda each: each.heard_ms):
        by_question[each.asked].append(each)
    stored = _stored_ms(paid, entries)
    twice = [
        f"{given[0].purpose}: asked for {len(given)} times, {why}"
        for given in by_question.values()
        if (why := _fault(given, stored, kills_ms))
    ]
    return Audit(
        answered=len(paid),
        questions=len(by_question),
        lost=sum(len(given) - 1 for given in by_question.values()) - len(twice),
        twice=twice,
        ledger=ledger,
        tokens=sum(
            given[0].input_tokens + given[0].output_tokens for given in by_question.values()
        ),
    )


def _stored_ms(paid: Sequence[Paid], entries: Iterable[MemoEntry]) -> Mapping[str, int]:
    """Return when the answer that is stored came, by question, where answers tell questions."""
    questions: dict[str, set[str]] = defaultdict(set)
    for each in paid:
        questions[each.said].add(each.asked)
    found = {}
    for entry in entries:
        asked = questions.get(sha256(entry.answer.encode()).hexdigest(), set())
        if len(asked) == 1 and entry.paid is not None:
            found[next(iter(asked))] = entry.paid.at_ms
    return found


def _fault(given: Sequence[Paid], stored: Mapping[str, int], kills_ms: Sequence[int]) -> str:
    """Say what is wrong with a question's answers; nothing where each is accounted for."""
    at_ms = stored.get(given[0].asked)
    if at_ms is not None:
        late = [each for each in given if each.heard_ms > at_ms]
        return f"and {len(late)} times after its answer was stored" if late else ""
    for each in given[:-1]:
        until = each.answered_ms + _STORING_MS
        if not any(each.heard_ms <= kill <= until for kill in kills_ms):
            return "with no kill between"
    return ""


def purposes(paid: Iterable[Paid]) -> Mapping[str, int]:
    """Count answers by what they were for."""
    return Counter(each.purpose for each in paid)
