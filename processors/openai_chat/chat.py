"""The client: bounded, with a deadline a request, asked again where that helps."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

import stamina
from openai import APIError, APIStatusError, AsyncOpenAI, NotFoundError, Timeout
from openai.types.chat import ChatCompletionMessageParam
from openai.types.shared_params import ResponseFormatJSONSchema
from pydantic import SecretStr

from contracts.chat import ChatAnswer, ChatRequest, Finish
from processors.openai_chat.refusal import is_filtered, refused
from processors.openai_chat.reply import read_count, read_reply, read_version
from processors.openai_chat.translation import may_help, translated

_Result = TypeVar("_Result")

_ATTEMPTS: Final = 4
_NEW_ATTEMPTS_S: Final = 120.0  # no attempt begins later than this after the first
_LONGEST_WAIT_S: Final = 20.0
_CONNECT_S: Final = 5.0
_NO_KEY: Final = "none"  # the client insists on one; a server without keys ignores it


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model on a server. `url` ends with the API's version, as in `http://HOST:8000/v1`.

    `timeout_s` is for one request, from sending it to the end of its answer; `first_wait_s` is
    about how long it takes until the first retry.
    """

    url: str
    model: str
    key: SecretStr | None = None
    timeout_s: float = 300.0
    concurrency: int = 8
    first_wait_s: float = 0.5


class OpenAIChat:
    """Implements `Chat`; it belongs to the event loop that first uses it."""

    def __init__(self, endpoint: Endpoint) -> None:
        logging.getLogger("openai").setLevel(logging.WARNING)  # it would log every prompt
        self._endpoint = endpoint
        self._slots = asyncio.Semaphore(endpoint.concurrency)
        self._client = AsyncOpenAI(
            base_url=endpoint.url,
            api_key=endpoint.key.get_secret_value() if endpoint.key else _NO_KEY,
            timeout=Timeout(endpoint.timeout_s, connect=_CONNECT_S),
            max_retries=0,  # we retry: one layer, and it knows what our errors mean
        )
        # Read from the environment, where another program's may stand.
        self._client.organization = self._client.project = None

    @property
    def model(self) -> str:
        """See `Chat.model`."""
        return self._endpoint.model

    async def ask(self, request: ChatRequest) -> ChatAnswer:
        """See `Chat.ask`. A request that waits to be sent again keeps its slot."""
        async with self._slots:
            return await self._retried(lambda: self._answered(request), request.user)

    async def server_version(self) -> str:
        """See `Chat.server_version`."""
        return await self._retried(self._version, "")

    async def count_tokens(self, text: str) -> int | None:
        """Return how many tokens the model makes of `text`, None where the server cannot say.

        vLLM can. It is asked once and no more: whoever estimates can do without.
        """
        asked = {"model": self.model, "prompt": text, "add_special_tokens": False}
        try:
            async with self._slots, asyncio.timeout(self._endpoint.timeout_s):
                told = await self._client.post(f"{self._root}/tokenize", body=asked, cast_to=object)
        except (APIError, TimeoutError, UnicodeEncodeError):
            return None
        return read_count(told)

    async def close(self) -> None:
        """See `Chat.close`."""
        await self._client.close()

    async def _retried(self, once: Callable[[], Awaitable[_Result]], private: str) -> _Result:
        """Run `once` until it returns, waiting cannot help or the attempts are over.

        `private` is the text that no error may quote.
        """
        with translated(self._endpoint.url):
            async for attempt in stamina.retry_context(
                on=may_help,
                attempts=_ATTEMPTS,
                timeout=_NEW_ATTEMPTS_S,
                wait_initial=self._endpoint.first_wait_s,
                wait_max=_LONGEST_WAIT_S,
                wait_jitter=self._endpoint.first_wait_s,
            ):
                with attempt:
                    return await self._once(once, private)
        raise AssertionError("the last attempt returns or raises")

    async def _once(self, once: Callable[[], Awaitable[_Result]], private: str) -> _Result:
        try:
            async with asyncio.timeout(self._endpoint.timeout_s):
                return await once()
        except APIStatusError as error:  # before a retry is logged, its cause with it
            raise refused(error, self._endpoint.key, private) from None

    async def _answered(self, request: ChatRequest) -> ChatAnswer:
        try:
            raw = await self._client.chat.completions.with_raw_response.create(
                model=self._endpoint.model,
                messages=_messages(request),
                response_format=_format(request),
                temperature=request.sampling.temperature,
                top_p=request.sampling.top_p,
                # Its successor is unknown to some servers, which would then never stop.
                max_tokens=request.sampling.max_output_tokens,
                seed=request.attempt,
            )
        except APIStatusError as error:
            if is_filtered(error):
                return ChatAnswer("", Finish.FILTERED)
            raise
        return read_reply(raw.content)

    async def _version(self) -> str:
        try:
            return read_version(await self._client.get(f"{self._root}/version", cast_to=object))
        except NotFoundError:
            return ""

    @property
    def _root(self) -> str:
        """The server's URL: not all that it answers belongs to OpenAI's interface."""
        return self._endpoint.url.rstrip("/").removesuffix("/v1")


def _messages(request: ChatRequest) -> list[ChatCompletionMessageParam]:
    return [
        {"role": "system", "content": request.system},
        {"role": "user", "content": request.user},
    ]


def _format(request: ChatRequest) -> ResponseFormatJSONSchema:
    return {
        "type": "json_schema",
        "json_schema": {
            "name": request.purpose,
            "schema": dict(request.schema),
            "strict": True,
        },
    }
