"""Questions to a home with a model: operations, the questions topic, limits, a withdrawal."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from contracts.answers import AnswerGiven
from contracts.budgets import Budget
from contracts.chat import Chat, ChatAnswer, ChatRequest
from contracts.events import ChapterWithdrawn, QuestionAsked
from contracts.ordinals import Ordinal
from contracts.ports import NewRecord
from contracts.requests import Question
from contracts.topics import ANSWERS, QUESTIONS
from streams.operations import ASK, EXPLAIN, SEARCH
from streams.performing import Here
from streams.session import Home
from streams.wiring import open_home
from tests.e2e.homes import in_memory, publish
from tests.model_server import Heard, ModelServer, Reply
from tests.unit.processors.indexed import WORK
from tests.unit.processors.walking.walkers import LEDGER, QUOTE, WHO, number_of, script

ANSWER = {"known": True, "answer": "A stranger.", "quotes": [QUOTE]}


def reads_well(heard: Heard) -> dict[str, object] | Reply:
    if heard.purpose != "walk_look":
        return ANSWER
    return {"scenes": [number_of(heard, "key of bone")]}


@pytest.fixture
def server(model_server: ModelServer) -> Iterator[ModelServer]:
    with model_server.anew(script=script(reads_well)) as server:
        yield server


@pytest.fixture
async def home(server: ModelServer, tmp_path: Path) -> AsyncIterator[Home]:
    told = {
        "model": server.url,
        "model_name": server.model,
        "placement_advice": "none",
        "segmenter": "cohesion",
    }
    async with open_home(in_memory(tmp_path).model_copy(update=told)) as home:
        await publish(home, LEDGER)
        yield home


def question(as_of: int = 3, **limits: float) -> Question:
    return Question(
        work_id=WORK,
        question=WHO,
        as_of=Ordinal.parse(as_of),
        words=200,
        budget=Budget.model_validate(limits),
    )


async def test_a_home_with_a_model_reads_the_map(home: Home, server: ModelServer) -> None:
    here = Here(home)
    answer = await here.call(ASK, question())
    assert (answer.answer, answer.channels) == ("A stranger.", ("map",))
    explained = await here.call(EXPLAIN, question())
    assert explained.answer == answer
    assert explained.explanation.model == server.model
    found = await here.call(SEARCH, question())
    assert found.passages[0].channel == "map"


async def test_a_question_limits_what_it_costs(home: Home, server: ModelServer) -> None:
    explained = await Here(home).call(EXPLAIN, question(model_calls=0))
    assert server.calls == 0
    assert explained.explanation.fell_back
    assert explained.answer.channels == ("passage", "scene")


async def test_a_question_on_the_topic_is_answered_by_the_model(home: Home) -> None:
    asked = QuestionAsked(
        question_id="q1",
        work_id=WORK,
        question=WHO,
        as_of=Ordinal.parse(3),
        budget=Budget(rounds=3),
    )
    record = NewRecord(QUESTIONS, WORK.encode(), asked.model_dump_json().encode())
    await home.log.append([record])
    await home.runner().run_until_idle()
    (given,) = await home.log.read(ANSWERS, 0, 10, 10**6)
    answer = AnswerGiven.model_validate_json(given.value or b"").answer
    assert answer.citations[0].quote == QUOTE


class WithdrawsFirst:
    """A chat that has a chapter withdrawn before its first answer comes."""

    def __init__(self, home: Home, chat: Chat) -> None:
        self._home, self._chat, self._done = home, chat, False
        self.model = chat.model

    async def ask(self, request: ChatRequest) -> ChatAnswer:
        answer = await self._chat.ask(request)
        if not self._done:
            self._done = True
            withdrawn = ChapterWithdrawn(work_id=WORK, chapter_id=LEDGER[1].chapter_id)
            await publish(self._home, [withdrawn])
        return answer

    async def server_version(self) -> str:
        return ""

    async def close(self) -> None:
        pass


async def test_what_is_withdrawn_while_the_model_thinks_is_not_told(
    home: Home, server: ModelServer
) -> None:
    server.script = script(lambda heard: reads_well(heard) if "key of bone" in heard.user else {})
    reader = home.answerer.reader
    assert reader is not None
    answerer = replace(
        home.answerer, reader=replace(reader, chat=WithdrawsFirst(home, reader.chat))
    )
    explained = await answerer.explained(await home.view(WORK, Ordinal.parse(3)), WHO, 200)
    assert explained.answer.abstained
    assert b"bone" not in explained.to_json()
