"""What counts as an answer, and who else may ask meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

import pytest

from contracts.chat import Chat, ChatAnswer, Finish
from tests.contract.chat_server import (
    ANSWER,
    SCHEMA,
    ChatOfServer,
    always,
    in_turn,
    question,
)
from tests.model_server import (
    Body,
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


class AnswerContract(ChatOfServer):
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

    async def test_no_more_than_so_many_are_under_way(
        self, opened: Callable[..., Chat], server: ModelServer
    ) -> None:
        server.script = always(Later(0.4, Says(ANSWER)))
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
