"""Puts one question of a walk to a model: within the budget, and once more if it is not read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import structlog

from contracts.chat import Chat, ChatAnswer, Finish, Sampling
from contracts.errors import PermanentError, TransientError
from contracts.explanations import ModelCall
from processors.walking.meter import Meter
from processors.walking.prompting import Prompt

T = TypeVar("T")

ATTEMPTS: Final = 2
READ: Final = "read"
TOO_DEAR: Final = "the budget does not allow the call"
UNREAD: Final = "the model's answers could not be read"
_UNREACHED: Final = "the model cannot be asked now"
_REFUSED: Final = "the model refused the question"
_LATE: Final = "the time was over"

_log: Final = structlog.stdlib.get_logger()


@dataclass(frozen=True, slots=True)
class CallMade:
    """A call, and what of it depends on the hour."""

    call: ModelCall
    seconds: float
    cached_tokens: int


@dataclass(frozen=True, slots=True)
class Told(Generic[T]):
    """What a model said, None where `failure` says why it did not; and every call it took."""

    value: T | None
    calls: tuple[CallMade, ...]
    failure: str = ""


@dataclass(frozen=True, slots=True)
class ModelReader:
    """A model that reads maps and passages. `context` is how many tokens it takes, with answer."""

    chat: Chat
    sampling: Sampling
    context: int

    def affords(self, prompt: Prompt, meter: Meter, spare_calls: int = 0) -> bool:
        """Say whether the budget allows to ask, with so many calls left for after it."""
        return meter.affords_call(prompt.most_tokens(self.sampling), spare_calls)

    async def ask(self, prompt: Prompt, parse: Callable[[str], T], meter: Meter) -> Told[T]:
        """Ask until an answer can be read, twice at most.

        Whatever goes wrong is told, not raised: a reader gets what there is without a model.
        """
        calls: list[CallMade] = []
        for attempt in range(ATTEMPTS):
            if not self.affords(prompt, meter):
                return Told(None, tuple(calls), TOO_DEAR)
            before = meter.seconds
            answer, outcome = await self._answered(prompt, attempt, meter)
            value = None
            if answer is not None:
                value, outcome = _read(answer, parse)
            calls.append(_made(prompt, answer, outcome, meter.seconds - before))
            if answer is None:
                return Told(None, tuple(calls), outcome)
            if value is not None:
                return Told(value, tuple(calls))
        return Told(None, tuple(calls), UNREAD)

    async def _answered(
        self, prompt: Prompt, attempt: int, meter: Meter
    ) -> tuple[ChatAnswer | None, str]:
        meter.begin_call()
        answer, outcome = None, READ
        try:
            async with asyncio.timeout(meter.seconds_left):
                answer = await self.chat.ask(prompt.request(self.sampling, attempt))
        except TimeoutError:
            outcome = _LATE
        except TransientError as error:
            outcome = _UNREACHED
            _log.warning("model_not_reached", purpose=prompt.purpose, reason=str(error))
        except PermanentError as error:
            outcome = _REFUSED
            _log.warning("model_refused", purpose=prompt.purpose, reason=str(error))
        if answer is not None or outcome == _LATE:
            meter.charge(answer, prompt.map_tokens + prompt.rest_tokens)
        return answer, outcome


def _read(answer: ChatAnswer, parse: Callable[[str], T]) -> tuple[T | None, str]:
    if answer.finish is not Finish.STOP:
        return None, f"it ended with {answer.finish}"
    try:
        return parse(answer.text), READ
    except ValueError:
        return None, "it is not of the form that was asked for"


def _made(prompt: Prompt, answer: ChatAnswer | None, outcome: str, seconds: float) -> CallMade:
    return CallMade(
        ModelCall(
            purpose=prompt.purpose,
            map_tokens=prompt.map_tokens,
            other_tokens=prompt.rest_tokens,
            input_tokens=answer.input_tokens if answer else 0,
            output_tokens=answer.output_tokens if answer else 0,
            outcome=outcome,
        ),
        seconds,
        answer.cached_tokens if answer else 0,
    )
