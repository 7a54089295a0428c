"""What is no answer: who must wait, who is unfit, and what must not be seen of it."""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable
from typing import Any

import pytest
import structlog

from contracts.chat import Chat, Finish
from contracts.errors import PermanentError, TransientError
from graph.loopback import free_port
from tests.contract.chat_server import (
    ANSWER,
    KEY,
    SECRET_TEXT,
    ChatOfServer,
    always,
    in_turn,
    question,
)
from tests.model_server import (
    Body,
    Breaks,
    Fails,
    Hangs,
    ModelServer,
    Reply,
    Says,
    Text,
)


class FailureContract(ChatOfServer):
    @pytest.mark.parametrize(
        "reply",
        [
            Breaks(),
            Fails(500),
            Fails(503, "The engine is dead"),
            Fails(408),
            Fails(429, "Too many requests"),
            Text("{", finish="abort"),
            Text("{", finish=None),
            Body(b"<html>502</html>"),
            Body(b'{"error": "overloaded"}', "application/json"),
            Body(b'{"choices": []}', "application/json"),
        ],
        ids=str,
    )
    async def test_what_may_pass_is_tried_again_and_then_transient(
        self, chat: Chat, server: ModelServer, reply: Reply
    ) -> None:
        server.script = in_turn(reply, reply, Says(ANSWER))
        assert (await chat.ask(question())).finish is Finish.STOP
        assert server.calls == 3
        server.script = always(reply)
        with pytest.raises(TransientError, match=r"127\.0\.0\.1"):
            await chat.ask(question())

    async def test_a_server_that_is_not_there_is_transient(
        self, opened: Callable[..., Chat]
    ) -> None:
        chat = opened(url=f"http://127.0.0.1:{free_port()}/v1")
        with pytest.raises(TransientError, match="out of reach"):
            await chat.ask(question())
        with pytest.raises(TransientError, match="out of reach"):
            await chat.server_version()
        await chat.close()

    async def test_a_server_that_hangs_is_transient_and_names_the_setting(
        self, opened: Callable[..., Chat], server: ModelServer
    ) -> None:
        server.script = always(Hangs())
        chat = opened(timeout_s=0.1)
        with pytest.raises(TransientError, match="model_timeout_s"):
            await chat.ask(question())
        await chat.close()

    async def test_it_waits_as_long_as_the_server_says(
        self, chat: Chat, server: ModelServer
    ) -> None:
        server.script = in_turn(Fails(429, retry_after="0.4"), Says(ANSWER))
        start = time.monotonic()
        await chat.ask(question())
        assert 0.4 <= time.monotonic() - start < 2
        assert server.calls == 2

    @pytest.mark.parametrize("told", ["3600", "Fri, 31 Dec 2999 23:59:59 GMT"])
    async def test_it_does_not_wait_for_an_hour(
        self, chat: Chat, server: ModelServer, told: str
    ) -> None:
        server.script = always(Fails(503, retry_after=told))
        with pytest.raises(TransientError):
            await chat.ask(question())
        assert server.calls == 1

    @pytest.mark.parametrize("told", ["soon", "-5", "Fri, 31 Dec 1999 23:59:59 GMT"])
    async def test_a_retry_after_that_says_nothing_does_no_harm(
        self, chat: Chat, server: ModelServer, told: str
    ) -> None:
        server.script = in_turn(Fails(503, retry_after=told), Says(ANSWER))
        assert (await chat.ask(question())).finish is Finish.STOP

    @pytest.mark.parametrize(
        ("reply", "says"),
        [
            (Fails(401), "model_key"),
            (Fails(402), "account"),
            (Fails(403), "model_key"),
            (Fails(404, "The model does not exist"), "model_name"),
            (Fails(405), "`model`"),
            (Fails(400, "response_format is not supported"), "JSON schema"),
            (Fails(400, "Unsupported parameter", param="temperature"), "temperature"),
            (Fails(400, "max_tokens is too large: 9. The context length is 8"), "model_context"),
        ],
        ids=str,
    )
    async def test_what_the_server_refuses_whatever_it_is_asked_waits_for_the_operator(
        self, chat: Chat, server: ModelServer, reply: Fails, says: str
    ) -> None:
        server.script = always(reply)
        with pytest.raises(TransientError, match=says):
            await chat.ask(question())
        assert server.calls == 1

    @pytest.mark.parametrize(
        ("reply", "says"),
        [
            (Fails(400, "This model's maximum context length is 8 tokens."), "model_context"),
            (Fails(400, code="context_length_exceeded"), "model_context"),
            (Fails(400, type="exceed_context_size_error"), "model_context"),
            (Fails(413), "model_context"),
            (Fails(422, "Unprocessable"), "this input"),
            (Fails(400, "Bad"), "this input"),
        ],
        ids=str,
    )
    async def test_what_it_refuses_of_this_input_is_permanent(
        self, chat: Chat, server: ModelServer, reply: Fails, says: str
    ) -> None:
        server.script = always(reply)
        with pytest.raises(PermanentError, match=says):
            await chat.ask(question())
        assert server.calls == 1

    async def test_an_input_that_is_too_long_is_permanent(
        self, chat: Chat, server: ModelServer
    ) -> None:
        server.context = 150
        with pytest.raises(PermanentError, match="set model_context"):
            await chat.ask(question("word " * 50))

    async def test_half_a_surrogate_pair_in_the_question_is_permanent(self, chat: Chat) -> None:
        with pytest.raises(PermanentError, match="surrogate"):
            await chat.ask(question("\ud800"))

    async def test_another_model_or_key_than_the_servers_is_transient(
        self, opened: Callable[..., Chat]
    ) -> None:
        for chat, says in ((opened(model="other"), "model_name"), (opened(key="x"), "model_key")):
            with pytest.raises(TransientError, match=says):
                await chat.ask(question())
            await chat.close()

    @pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
    async def test_neither_key_nor_text_is_in_errors_or_logs(
        self,
        opened: Callable[..., Chat],
        server: ModelServer,
        status: int,
        caplog: pytest.LogCaptureFixture,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        caplog.set_level(logging.DEBUG)
        server.script = always(Fails(status, f"no: {KEY} said: {SECRET_TEXT}"))
        chat = opened()
        logged: list[Any]
        with structlog.testing.capture_logs() as logged:
            with pytest.raises((TransientError, PermanentError)) as caught:
                await chat.ask(question(SECRET_TEXT))
            server.script = always(Says(ANSWER))
            await chat.ask(question(SECRET_TEXT))
        await chat.close()
        printed = "".join(traceback.format_exception(caught.value)) + "".join(capsys.readouterr())
        for shown in (printed, caplog.text, repr(logged), repr(chat), repr(vars(chat))):
            assert KEY not in shown
            assert "fifty-seventh" not in shown

    async def test_what_the_server_says_is_shown_where_it_quotes_nothing(
        self, chat: Chat, server: ModelServer
    ) -> None:
        server.script = always(Fails(400, f"The key {KEY} has no credit  left. " + "x" * 999))
        with pytest.raises(PermanentError, match=r"The key \*\*\* has no credit left\. x+\)") as it:
            await chat.ask(question())
        assert len(str(it.value)) < 400
