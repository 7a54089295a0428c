"""The port to a language model that is spoken to in prompts and answers in JSON.

An answer that came is paid for, so it counts, fit or not; only an answer that never came may be
asked for again without counting. Which is which:

- *complete and fit to be read*: the model stopped by itself. Whether its text is valid is the
  reader's question: an empty text, prose around the JSON or another language are answers too.
- *complete and unfit*: cut at `max_output_tokens`, withheld by a filter, refused, or ended for a
  reason that we do not know. It stands as an attempt (see `Finish`).
- *no answer*: the connection broke, the time ran out, the server gave up half-way or is
  overloaded, the key or the model's name is wrong. An error is raised and no attempt is spent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from contracts.frozen import Frozen


class Sampling(Frozen):
    """How a model chooses its words; the defaults are the paper's for LitSeg-Lite.

    `max_output_tokens` ends an answer that does not end by itself: such an answer is unfit.
    """

    temperature: float = 0.7
    top_p: float = 0.8
    max_output_tokens: int = 8_192

    def canonical(self) -> str:
        """Return the parameters as JSON with sorted keys: what `Asked.sampling` holds."""
        return canonical_json(self.model_dump())


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One question to a model.

    `system` is ours, word for word the same for every input; `user` is the input. `schema` is the
    JSON Schema of the answer: every object in it lists all its properties as required and allows
    no others. `purpose` names the schema, in letters, digits, `_` and `-`. `attempt` counts from
    0; it is sent as the seed, so that another attempt is another draw.
    """

    purpose: str
    system: str
    user: str
    schema: Mapping[str, object]
    sampling: Sampling
    attempt: int = 0


class Finish(StrEnum):
    """Why a model stopped. Only after `STOP` may the text be read."""

    STOP = "stop"
    LENGTH = "length"
    FILTERED = "content_filter"
    REFUSED = "refusal"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """What a model said and why it stopped.

    `cached_tokens` are those of `input_tokens` that the server had read before; token counts are
    0 where the server does not tell. The text can be stored: half a surrogate pair has become
    U+FFFD.
    """

    text: str
    finish: Finish
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0


class Chat(Protocol):
    """A language model behind a server; may be asked concurrently."""

    @property
    def model(self) -> str:
        """The model's name as the server knows it: part of every memo key and index version."""

    async def ask(self, request: ChatRequest) -> ChatAnswer:
        """Put the question and return the complete answer, fit or unfit.

        At most so many requests as was set are under way at once; the others wait, and their time
        runs from when they are sent. Cancelling ends the request at the server too.

        Raises:
            TransientError: no answer came, after retries where these may help (no connection,
                too slow, 408, 409, 429, 5xx); or the server refuses whatever it is asked (key,
                model's name, address, a parameter it does not know). The text says what to do.
            PermanentError: it refuses this input, for its length first of all.
        """

    async def server_version(self) -> str:
        """Return the server's version as it tells it ("0.32.0"), "" if it does not: provenance.

        Raises:
            TransientError: the server cannot be reached.
        """

    async def close(self) -> None:
        """Let go of the connections; a second call does nothing."""


def canonical_json(value: object) -> str:
    """Return `value` as JSON: keys sorted, no spaces, nothing escaped that need not be."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
