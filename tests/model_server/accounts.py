"""What was asked, what was paid, and what was paid twice."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Final

from contracts.clock import now_ms
from contracts.words import count_words
from tests.model_server.script import Heard

_BLOCK: Final = 256


@dataclass(slots=True)
class Account:
    """Of one purpose: requests, complete answers among them, and tokens of these.

    A token is a word (`contracts.words`).
    """

    calls: int = 0
    answered: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """A complete answer: what was asked and said, as digests, when (ms since 1970), and its cost.

    `heard_ms` is when the request was there. Whether the caller waited to the end is not known.
    """

    purpose: str
    asked: str
    said: str
    heard_ms: int
    answered_ms: int
    input_tokens: int
    output_tokens: int


@dataclass(slots=True)
class Accounts:
    """The books of one server."""

    by_purpose: dict[str, Account] = field(default_factory=lambda: defaultdict(Account))
    answered: Counter[str] = field(default_factory=Counter)
    entries: list[Entry] = field(default_factory=list)
    _read: set[bytes] = field(default_factory=set)

    def cached(self, prompt: str) -> int:
        """Return how many words at the start of `prompt` the server has read before.

        As a server with prefix caching has it, in whole blocks (of 256 code points).
        """
        known, digest, blocks = True, b"", 0
        for start in range(0, len(prompt) - _BLOCK + 1, _BLOCK):
            digest = hashlib.sha256(digest + prompt[start : start + _BLOCK].encode()).digest()
            known = known and digest in self._read
            blocks += known
            self._read.add(digest)
        return count_words(prompt[: blocks * _BLOCK])

    def answer(self, heard: Heard, text: str, cached: int) -> tuple[int, int]:
        """Enter a complete answer; return its input and output tokens."""
        account = self.by_purpose[heard.purpose]
        paid = count_words(heard.system) + count_words(heard.user), count_words(text)
        account.answered += 1
        account.input_tokens += paid[0]
        account.output_tokens += paid[1]
        account.cached_tokens += cached
        asked = repr((heard.purpose, heard.system, heard.user, heard.schema, heard.seed))
        self.answered[asked] += 1
        entry = Entry(heard.purpose, _digest(asked), _digest(text), heard.at_ms, now_ms(), *paid)
        self.entries.append(entry)
        return paid

    def paid_twice(self) -> int:
        """Return how many answers were given to a question and attempt answered before."""
        return sum(times - 1 for times in self.answered.values())


def _digest(text: str) -> str:
    # Half a surrogate pair is no text, and may be asked or said all the same.
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
