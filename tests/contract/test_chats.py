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


@pytest.mark.parametrize(("counts", "told"), [(True, 4), (False, None)])
async def test_the_server_is_asked_to_count_tokens_if_it_can(
    model_server: ModelServer, counts: bool, told: int | None
) -> None:
    with model_server.anew(counts=counts) as server:
        chat = OpenAIChat(Endpoint(server.url, server.model))
        assert await chat.count_tokens("One fish, two fish.") == told
        assert await chat.count_tokens("half a pair: \ud800") is None
        assert server.calls == 0
        await chat.close()


async def test_a_server_that_is_down_does_not_count() -> None:
    chat = OpenAIChat(Endpoint("http://127.0.0.1:9/v1", "m"))
    assert await chat.count_tokens("One fish.") is None
    await chat.close()
