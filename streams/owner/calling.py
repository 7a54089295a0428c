"""Asks an owner over HTTP."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import httpx2 as httpx

from contracts.errors import TransientError
from contracts.requests import Begun, Passed
from streams.operations import NOBODY, A, Operation, Q, Watcher
from streams.owner import JSON_LINES, URL_PREFIX
from streams.owner.failures import Failure
from streams.owner.record import OwnerRecord

_CONNECT_S: Final = 5.0  # on this machine; an owner that takes longer does not answer at all
_ANSWER_S: Final = 120.0  # for an answer, or between two signs of progress


class OwnerGone(TransientError):  # noqa: N818 - what happened, as a person would say it
    """The owner ended, or does not answer."""


@dataclass(frozen=True, slots=True)
class There:
    """Asks the owner of a home: `streams.operations.Caller` over HTTP."""

    client: httpx.AsyncClient
    pid: int

    async def call(self, operation: Operation[Q, A], request: Q, watcher: Watcher = NOBODY) -> A:
        """See `Caller.call`.

        Raises:
            OwnerGone: the owner ended in the middle, or does not answer.
        """
        try:
            if operation.is_watched:
                return await self._watched(operation, request, watcher)
            response = await self.client.post(
                URL_PREFIX + operation.name, content=request.to_json()
            )
        except httpx.TransportError as error:
            raise self._gone(error) from error
        if response.is_error:
            raise _failure(response).error()
        return operation.answer.model_validate_json(response.content)

    async def stop(self) -> None:
        """Tell the owner to end."""
        try:
            (await self.client.post(URL_PREFIX + "stop")).raise_for_status()
        except httpx.HTTPError as error:
            raise self._gone(error) from error

    def _gone(self, error: httpx.HTTPError) -> OwnerGone:
        return OwnerGone(
            f"The owner of the home, process {self.pid}, does not answer ({type(error).__name__}): "
            "it may be busy, so try again later, or end it with `storygraft serve --stop`."
        )

    async def _watched(self, operation: Operation[Q, A], request: Q, watcher: Watcher) -> A:
        asking = self.client.stream(
            "POST",
            URL_PREFIX + operation.name,
            content=request.to_json(),
            headers={"accept": JSON_LINES},
        )
        async with asking as response:
            if response.is_error:
                await response.aread()
                raise _failure(response).error()
            async for line in response.aiter_lines():
                told = json.loads(line)
                if "answer" in told:
                    return operation.answer.model_validate(told["answer"])
                if "error" in told:
                    raise Failure.model_validate(told["error"]).error()
                _tell(watcher, told)
        raise OwnerGone(
            f"The owner of the home, process {self.pid}, ended in the middle: run it again."
        )


@asynccontextmanager
async def calling(record: OwnerRecord) -> AsyncIterator[There]:
    """Open a connection to the owner of `record`."""
    headers = {"authorization": f"Bearer {record.token}", "content-type": "application/json"}
    limits = httpx.Timeout(_ANSWER_S, connect=_CONNECT_S)
    async with httpx.AsyncClient(
        base_url=record.url, headers=headers, timeout=limits, trust_env=False
    ) as client:
        yield There(client, record.pid)


def _tell(watcher: Watcher, told: dict[str, object]) -> None:
    if "begun" in told:
        watcher.begin(Begun.model_validate(told).begun)
    else:
        passed = Passed.model_validate(told)
        watcher.passed(passed.stage, passed.words)


def _failure(response: httpx.Response) -> Failure:
    try:
        return Failure.model_validate_json(response.content)
    except ValueError:
        text = f"The owner of the home answers with status {response.status_code}."
        return Failure(kind="defect", message=text)
