"""Every chat, under one suite."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pydantic import SecretStr

from contracts.chat import Chat
from processors.openai_chat import Endpoint, OpenAIChat
from tests.contract.chat import ChatContract
from tests.contract.chat_server import KEY, question
from tests.model_server import ModelServer, Text


class TestOpenAIChat(ChatContract):
    @pytest.fixture
    def opened(self, server: ModelServer) -> Callable[..., Chat]:
        def opened(
            url: str = "",
            model: str = "small-model",
            key: str = KEY,
            timeout_s: float = 5.0,
            concurrency: int = 8,
        ) -> Chat:
            secret, url = SecretStr(key), url or server.url
            return OpenAIChat(
                Endpoint(url, model, secret, timeout_s, concurrency, first_wait_s=0.01)
            )

        return opened


async def test_a_server_without_keys_needs_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "another-program's")
    monkeypatch.setenv("OPENAI_ORG_ID", "another-program's")
    with ModelServer(lambda _: Text("{}"), key="none") as server:
        chat = OpenAIChat(Endpoint(server.url, server.model))
        assert (await chat.ask(question())).text == "{}"
        assert "openai-organization" not in server.headers
        await chat.close()
