"""What the server sent, as the wire has it, and as an answer of ours."""

from __future__ import annotations

import json
from typing import Final

from pydantic import BaseModel, ConfigDict

from contracts.chat import ChatAnswer, Finish

_COMPLETE: Final = {
    "stop": Finish.STOP,
    "length": Finish.LENGTH,
    "content_filter": Finish.FILTERED,
}
_GIVEN_UP: Final = (None, "abort", "error")  # the server's own end, not the model's


class NoAnswerError(Exception):
    """The server replied, but with no complete answer of a model."""


class _Wire(BaseModel):
    """Servers add fields of their own."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class _Message(_Wire):
    content: str | None = None
    refusal: str | None = None


class _Choice(_Wire):
    message: _Message
    finish_reason: str | None = None


class _PromptTokens(_Wire):
    cached_tokens: int | None = None


class _Usage(_Wire):
    prompt_tokens: int = 0
    completion_tokens: int | None = None
    prompt_tokens_details: _PromptTokens | None = None


class _Reply(_Wire):
    choices: tuple[_Choice, ...]
    usage: _Usage | None = None


def read_reply(body: bytes) -> ChatAnswer:
    """Read a chat completion; why the model stopped comes before what it said.

    Raises:
        NoAnswerError: it is none, or the server gave up before the model ended.
    """
    try:
        # Not with pydantic's own parser: it refuses half a surrogate pair, which models do write.
        reply = _Reply.model_validate(json.loads(body))
    except (ValueError, RecursionError) as error:
        raise NoAnswerError("its reply is no chat completion") from error
    if not reply.choices:
        raise NoAnswerError("its reply holds no answer")
    choice = reply.choices[0]
    if choice.finish_reason in _GIVEN_UP:
        raise NoAnswerError("it gave up in the middle of the answer")
    finish = _COMPLETE.get(choice.finish_reason or "", Finish.OTHER)
    message = choice.message
    if finish is Finish.STOP and message.refusal:
        finish = Finish.REFUSED
    usage = reply.usage or _Usage()
    details = usage.prompt_tokens_details or _PromptTokens()
    return ChatAnswer(
        text=_storable(message.content or message.refusal or ""),
        finish=finish,
        input_tokens=usage.prompt_tokens,
        cached_tokens=details.cached_tokens or 0,
        output_tokens=usage.completion_tokens or 0,
    )


def _storable(text: str) -> str:
    """Return `text` with U+FFFD for each half of a surrogate pair."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def read_version(body: object) -> str:
    """Return what `/version` tells, "" if it is something else."""
    told = body.get("version") if isinstance(body, dict) else None
    return told if isinstance(told, str) else ""


def read_count(body: object) -> int | None:
    """Return the count that `/tokenize` tells, None if it is something else."""
    told = body.get("count") if isinstance(body, dict) else None
    return told if isinstance(told, int) else None
