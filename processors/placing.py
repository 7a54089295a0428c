"""Asks a model where the scenes of a chapter belong that the scores are undecided about.

And who somebody proves to be whom the story has only described. Threads, new threads and persons
go by short names in prompt and answer (t1, n1, c1), so that equal stories ask
equal questions in every build, whatever their storylines' ids.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import structlog

from contracts.advice import Advised
from contracts.chat import Chat, ChatRequest, Sampling
from contracts.memo import Asked
from contracts.placement import MAX_SYNOPSES_SHOWN, PlacementCase
from processors.asking import asked_by, call_of, prompt_version, readable, request_tokens_at_most
from processors.placement_text import answer_schema, read_advice, shown
from processors.prompts import prompt
from processors.remembering import Payer, first_valid

_PURPOSE: Final = "placement"
_ATTEMPTS: Final = 2
_TOKENS_A_SCENE: Final = 96  # twice what the answer on one scene takes, laid out in lines
_TOKENS_A_PERSON: Final = 16
_TOKENS_AROUND: Final = 64

_log: Final = structlog.stdlib.get_logger()


@dataclass(frozen=True, slots=True)
class ChatPlacementAdviser:
    """Implements `PlacementAdviser`. `context` is how many tokens the model takes, with answer."""

    chat: Chat
    payer: Payer
    sampling: Sampling
    context: int

    @property
    def version(self) -> str:
        """See `PlacementAdviser.version`."""
        told = prompt_version(_PURPOSE, prompt(_PURPOSE))
        return f"{told} {self.chat.model} {self.sampling.canonical()}"

    def asked(self, case: PlacementCase) -> Asked | None:
        """See `PlacementAdviser.asked`."""
        request = self._request(case)
        return None if request is None else asked_by(request, self.chat.model)

    async def advise(self, case: PlacementCase) -> Advised:
        """See `PlacementAdviser.advise`."""
        request = self._request(case)
        if request is None:
            return Advised(None)
        tried = await first_valid(
            self.payer,
            asked_by(request, self.chat.model),
            case.sources,
            call_of(self.chat, request),
            lambda kept: read_advice(readable(kept), case),
            _ATTEMPTS,
        )
        _log.info(
            "placement_advised",
            chapter_id=case.chapter_id,
            scenes=len(case.close_calls),
            placed=len(tried.value.scenes) if tried.value else 0,
            hidden=len(case.hidden),
            revealed=len(tried.value.persons) if tried.value else 0,
            dropped=tried.value.dropped if tried.value else 0,
            attempts=tried.attempts,
            calls=tried.calls,
            input_tokens=tried.input_tokens,
            output_tokens=tried.output_tokens,
        )
        return Advised(
            tried.value, tried.attempts, tried.input_tokens, tried.output_tokens, tried.calls
        )

    def _request(self, case: PlacementCase) -> ChatRequest | None:
        if not case.close_calls and not case.hidden:
            return None
        answer = _TOKENS_AROUND + _TOKENS_A_SCENE * len(case.close_calls)
        answer += _TOKENS_A_PERSON * len(case.hidden)
        limit = min(answer, self.sampling.max_output_tokens)
        for synopses in range(MAX_SYNOPSES_SHOWN, -1, -1):  # an old one can be spared first
            request = ChatRequest(
                purpose=_PURPOSE,
                system=prompt(_PURPOSE),
                user=shown(case, synopses),
                schema=answer_schema(case),
                sampling=self.sampling.model_copy(update={"max_output_tokens": limit}),
            )
            if request_tokens_at_most(request) + limit <= self.context:
                return request
        return None
