"""The contract of `Chat`, one test a sentence; an adapter adds a class with one fixture."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
import structlog

from contracts.chat import Chat, ChatAnswer, ChatRequest, Finish, Sampling
from contracts.errors import PermanentError, TransientError
from graph.loopback import free_port
from tests.model_server import (
    Body,
    Breaks,
    Fails,
    Hangs,
    Heard,
    Later,
    ModelServer,
    Rambles,
    Reply,
    Says,
    Text,
    cut,
    in_prose,
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


class ChatContract:
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

    # --- an answer ----------------------------------------------------------------------------

    async def test_a_complete_answer_comes_as_it_was_said(
        self, chat: Chat, server: ModelServer
    ) -> None:
        answer = await chat.ask(question())
        assert answer == ChatAnswer('{"cities": ["Ys", "東京"]}', Finish.STOP, 4, 0, 4)
        assert chat.model == server.model

    async def test_the_server_hears_what_was_asked_and_how(
        self, chat: Chat, server: ModelServer
    ) -> None:
        await chat.ask(question("日本の都市は？", attempt=3))
        assert server.heard == [
            Heard(0, "cities", "Name cities.", "日本の都市は？", dict(SCHEMA), 0.25, 0.5, 100, 3)
        ]

    async def test_what_the_server_had_read_before_is_counted_as_cached(self, chat: Chat) -> None:
        long = "the same beginning " * 200
        first = await chat.ask(question(long + "one"))
        second = await chat.ask(question(long + "two"))
        assert first.cached_tokens == 0
        assert 500 < second.cached_tokens < second.input_tokens

    async def test_a_server_that_does_not_count_costs_nothing(
        self, chat: Chat, server: ModelServer
    ) -> None:
        body = b'{"choices": [{"message": {"content": "{}"}, "finish_reason": "stop"}]}'
        server.script = always(Body(body, "application/json"))
        assert await chat.ask(question()) == ChatAnswer("{}", Finish.STOP)

    @pytest.mark.parametrize(
        ("reply", "text"),
        [
            (Text(""), ""),
            (Text(None), ""),
            (in_prose(ANSWER), None),
            (Text("Je ne parle pas JSON."), "Je ne parle pas JSON."),
            (Text("a\ud800b"), "a\ufffdb"),
        ],
        ids=["empty", "null", "prose", "language", "half a surrogate pair"],
    )
    async def test_an_answer_is_an_answer_whatever_it_says(
        self, chat: Chat, server: ModelServer, reply: Text, text: str | None
    ) -> None:
        server.script = always(reply)
        answer = await chat.ask(question())
        assert (answer.text, answer.finish) == (reply.text if text is None else text, Finish.STOP)
        assert server.calls == 1

    @pytest.mark.parametrize(
        ("reply", "finish"),
        [
            (cut(ANSWER), Finish.LENGTH),
            (Text('{"cities": []}', finish="length"), Finish.LENGTH),
            (Rambles(), Finish.LENGTH),
            (Text("", finish="content_filter"), Finish.FILTERED),
            (Text(None, refusal="I would rather not."), Finish.REFUSED),
            (Text("{}", finish="tool_calls"), Finish.OTHER),
            (Fails(400, "filtered", code="content_filter"), Finish.FILTERED),
        ],
    )
    async def test_why_it_ended_is_told_and_an_unfit_answer_is_not_asked_for_again(
        self, chat: Chat, server: ModelServer, reply: Reply, finish: Finish
    ) -> None:
        server.script = always(reply)
        assert (await chat.ask(question())).finish is finish
        assert server.calls == 1

    async def test_an_endless_answer_ends_at_the_limit(
        self, chat: Chat, server: ModelServer
    ) -> None:
        server.script = always(Rambles())
        assert (await chat.ask(question(limit=37))).output_tokens == 37

    # --- no answer ----------------------------------------------------------------------------

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

    # --- what must not be seen ----------------------------------------------------------------

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

    # --- many at once -------------------------------------------------------------------------

    async def test_no_more_than_so_many_are_under_way(
        self, opened: Callable[..., Chat], server: ModelServer
    ) -> None:
        server.script = always(Later(0.05, Says(ANSWER)))
        chat = opened(concurrency=3)
        await asyncio.gather(*(chat.ask(question(str(n))) for n in range(9)))
        assert server.most_at_once == 3
        assert server.calls == 9
        await chat.close()

    async def test_who_waits_for_a_turn_does_not_run_out_of_time(
        self, opened: Callable[..., Chat], server: ModelServer
    ) -> None:
        server.script = always(Later(0.2, Says(ANSWER)))
        chat = opened(concurrency=1, timeout_s=0.5)
        await asyncio.gather(*(chat.ask(question(str(n))) for n in range(4)))
        await chat.close()

    async def test_cancelling_ends_the_request_and_gives_the_turn_to_the_next(
        self, opened: Callable[..., Chat], server: ModelServer
    ) -> None:
        server.script = in_turn(Hangs(), Says(ANSWER))
        chat = opened(concurrency=1)
        task = asyncio.create_task(chat.ask(question()))
        await _until(lambda: server.calls == 1)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        assert task.cancelled()
        assert (await chat.ask(question())).finish is Finish.STOP
        await _until(lambda: server.left == 1)
        await chat.close()

    # --- the server ---------------------------------------------------------------------------

    async def test_the_servers_version_is_told_if_it_tells_it(
        self, chat: Chat, server: ModelServer
    ) -> None:
        assert await chat.server_version() == "0.32.0"
        server.version = ""
        assert await chat.server_version() == ""

    async def test_a_second_close_does_nothing(self, chat: Chat) -> None:
        await chat.ask(question())
        await chat.close()
        await chat.close()


async def _until(came: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not came():  # noqa: ASYNC110 - it happens in another thread
            await asyncio.sleep(0.01)
