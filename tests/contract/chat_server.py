"""A question to the test server, and the chat that a suite asks it through."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from contracts.chat import Chat, ChatRequest, Sampling
from tests.model_server import (
    Heard,
    ModelServer,
    Reply,
    Says,
)

KEY = "sk-swordfish-0123456789"
ANSWER = {"cities": ["Ys", "東京"]}
SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"cities": {"type": "array", "items": {"type": "string"}}},
    "required": ["cities"],
    "additionalProperties": False,
}
SECRET_TEXT = "Nobody on the quay had seen the fifty-seventh fish swim away."


def question(user: str = "Which cities?", attempt: int = 0, limit: int = 100) -> ChatRequest:
    sampling = Sampling(temperature=0.25, top_p=0.5, max_output_tokens=limit)
    return ChatRequest("cities", "Name cities.", user, SCHEMA, sampling, attempt)


def always(reply: Reply) -> Callable[[Heard], Reply]:
    return lambda _: reply


def in_turn(*replies: Reply) -> Callable[[Heard], Reply]:
    return lambda heard: replies[min(heard.number, len(replies) - 1)]


class ChatOfServer:
    """The fixtures of every part of the suite; an adapter gives `opened`."""

    """`opened` makes a chat to the server; see there for what it is told."""

    @pytest.fixture
    def server(self, model_server: ModelServer) -> Iterator[ModelServer]:
        with model_server.anew(script=always(Says(ANSWER)), key=KEY) as server:
            yield server

    @pytest.fixture
    def opened(self, server: ModelServer) -> Callable[..., Chat]:
        """Open a chat, to `server` unless told another `url`.

        It takes `model`, `key`, `timeout_s` and `concurrency` too.
        """
        raise NotImplementedError

    @pytest.fixture
    async def chat(self, opened: Callable[..., Chat]) -> AsyncIterator[Chat]:
        chat = opened()
        yield chat
        await chat.close()
