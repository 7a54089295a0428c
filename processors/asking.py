"""From a question to a chat to a call that is remembered, and back.

The memo keeps one text a call. An answer that is complete but unfit is kept with the reason why
the model stopped before it, in a form that is no JSON: whoever reads it again finds it unfit again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from contracts.chat import Chat, ChatAnswer, ChatRequest, Finish, canonical_json
from contracts.memo import Asked
from processors.remembering import Call, Said

_BYTES_PER_TOKEN: Final = 3  # JSON of English has 3 to 4, Chinese 4 to 5
_DIGEST: Final = 12  # hex digits of a prompt's version: a person may compare them
_UNFIT: Final[dict[Finish, str]] = {
    finish: f"<{finish}>\n" for finish in Finish if finish is not Finish.STOP
}


def asked_by(request: ChatRequest, model: str) -> Asked:
    """Return the memo's key of `request` to `model`.

    The prompt's version is a digest of its words, so that nobody can forget to raise it; the
    input's covers all that the prompt was filled with, and the schema of the answer.
    """
    filled = canonical_json([request.user, request.schema])
    return Asked(
        purpose=request.purpose,
        prompt=prompt_version(request.purpose, request.system),
        model=model,
        sampling=request.sampling.canonical(),
        input_hash=_digest(filled),
        attempt=request.attempt,
    )


def prompt_version(purpose: str, system: str) -> str:
    """Return the version of a prompt: another word is another version."""
    return f"{purpose}-{_digest(system)[:_DIGEST]}"


def call_of(chat: Chat, request: ChatRequest) -> Call:
    """Return the call that asks `chat`; it raises what `Chat.ask` raises."""

    async def call(asked: Asked) -> Said:
        answer = await chat.ask(replace(request, attempt=asked.attempt))
        return Said(_kept(answer), answer.input_tokens, answer.output_tokens)

    return call


def readable(kept: str) -> str:
    """Return the text of a kept answer.

    Raises:
        ValueError: the answer is unfit, whatever its text.
    """
    for finish, mark in _UNFIT.items():
        if kept.startswith(mark):
            raise ValueError(f"the model ended its answer with {finish}")
    return kept


def closed_object(properties: Mapping[str, object]) -> dict[str, object]:
    """Return the schema of an object that has all of `properties` and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def request_tokens_at_most(request: ChatRequest) -> int:
    """Estimate, on the high side, how many tokens a model makes of a question and its schema.

    JSON and its names make more tokens a byte than prose (`token_bounds.tokens_at_most`) does.
    """
    told = request.system + request.user + canonical_json(request.schema)
    return len(told.encode("utf-8", "surrogatepass")) // _BYTES_PER_TOKEN + 1


def _kept(answer: ChatAnswer) -> str:
    return _UNFIT.get(answer.finish, "") + answer.text


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
