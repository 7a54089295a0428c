"""What a model was asked, and what it said: kept so that nothing is paid for twice."""

from __future__ import annotations

import hashlib
from typing import Final

from contracts.errors import PermanentError
from contracts.frozen import Frozen
from contracts.ids import ChapterId, WorkId
from contracts.spending import Payment, Spent

NO_WORK: Final = WorkId("")
"""Whose a call is that shows no chapter."""


class Asked(Frozen):
    """One call of a model. Equal values get the same stored answer.

    `purpose` names what it is for ("segmentation", "embedding"); `prompt` is the prompt's
    version; `sampling` the parameters as canonical JSON; `input_hash` a digest of all that the
    prompt was filled with; `attempt` counts from 0.
    """

    purpose: str
    prompt: str
    model: str
    sampling: str
    input_hash: str
    attempt: int = 0

    @property
    def key(self) -> str:
        """Return the SHA-256 of this value, in hex: what stores know it by."""
        return hashlib.sha256(self.to_json()).hexdigest()


class Source(Frozen):
    """A chapter whose text went into a call."""

    work_id: WorkId
    chapter_id: ChapterId


class MemoEntry(Frozen):
    """A complete answer as it came, valid or not, and what it cost.

    `sources` is sorted, without repetition. `paid` is None where nobody noted when it was paid.
    """

    asked: Asked
    answer: str
    sources: tuple[Source, ...]
    input_tokens: int = 0
    output_tokens: int = 0
    paid: Payment | None = None

    @property
    def spent(self) -> Spent:
        """What it cost."""
        return Spent(
            calls=1,
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            took_ms=self.paid.took_ms if self.paid else 0,
        )

    @property
    def charged(self) -> WorkId:
        """The work that pays for it: the first of those whose text went into the call."""
        return self.sources[0].work_id if self.sources else NO_WORK


def answer_bytes(answer: str) -> bytes:
    """Return `answer` as every memo stores it.

    Raises:
        PermanentError: it holds half a surrogate pair, which is no text.
    """
    try:
        return answer.encode()
    except UnicodeEncodeError as error:
        raise PermanentError("a model's answer holds half a surrogate pair: ask again") from error


def united(*groups: tuple[Source, ...]) -> tuple[Source, ...]:
    """Return all sources of `groups` as an entry holds them."""
    known = {source for group in groups for source in group}
    return tuple(sorted(known, key=lambda source: (source.work_id, source.chapter_id)))
