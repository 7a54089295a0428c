"""The owner's HTTP interface, on a home in memory."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import httpx2 as httpx
import pytest

from contracts.ids import WorkId
from contracts.ordinals import Ordinal
from contracts.requests import (
    Chapters,
    OneCharacter,
    OneThread,
    Page,
    Question,
    Standing,
    Story,
    Timeline,
    TwoCharacters,
    WholeStory,
)
from streams import operations
from streams.not_found import NotFound
from streams.operations import OPERATIONS
from streams.owner import JSON_LINES
from streams.owner.application import application
from streams.owner.calling import OwnerGone, There
from streams.owner.service import Service
from streams.performing import Here
from streams.session import Home
from streams.wiring import open_home
from tests.unit.streams.homes import IN_MEMORY, story
from tests.unit.streams.stand_ins import published

TOKEN = "a-token"
ONE = published("1", "Mrs. Brandt came down to the sea. “You are late,” said Mrs. Brandt to him.")
TWO = published("2", "Marrow kept the brass key. Ilse asked him for it twice.")
GIVEN = story(ONE, TWO)
BOTH = Chapters(described=GIVEN.described, chapters=GIVEN.chapters)


@dataclass
class Running:
    home: Home
    service: Service
    client: httpx.AsyncClient
    stopped: asyncio.Event

    @property
    def there(self) -> There:
        return There(self.client, pid=1)

    async def post(self, path: str, body: Any, **headers: str) -> httpx.Response:
        return await self.client.post(f"/v1/{path}", content=json.dumps(body), headers=headers)


@pytest.fixture
async def running() -> AsyncIterator[Running]:
    stopped = asyncio.Event()
    async with open_home(IN_MEMORY) as home:
        service = Service(home)
        transport = httpx.ASGITransport(app=application(service, TOKEN, stopped.set))
        async with httpx.AsyncClient(
            transport=transport,
            base_url="http://owner",
            headers={"authorization": f"Bearer {TOKEN}"},
        ) as client:
            yield Running(home, service, client, stopped)
        await service.close()


class Seen:
    """A watcher that remembers."""

    def __init__(self) -> None:
        self.totals: list[int] = []
        self.stages: list[str] = []

    def begin(self, total: int) -> None:
        self.totals.append(total)

    def passed(self, stage: str, words: int) -> None:
        self.stages.append(stage)


async def test_every_operation_answers_there_as_it_does_here(running: Running) -> None:
    here = Here(running.home)
    await running.there.call(operations.INDEX, BOTH)
    at = Ordinal.parse("1")
    asked: list[tuple[Any, Any]] = [
        (operations.ASK, Question(work_id="w", question="Who kept the key?", as_of="head")),
        (operations.SEARCH, Question(work_id="w", question="the sea", as_of=at, words=50)),
        (operations.TREE, Story(work_id="w", as_of=at)),
        (operations.THREADS, Page(work_id="w", as_of="head")),
        (operations.CHARACTERS, Page(work_id="w", as_of="head", limit=1)),
        (
            operations.PATH,
            TwoCharacters(work_id="w", as_of="head", one="brandt", other="Mrs. Brandt"),
        ),
        (operations.TIMELINE, Timeline(work_id="w", as_of="head", last=at)),
        (operations.CHARACTER, OneCharacter(work_id="w", as_of="head", character="mrs. brandt")),
        (operations.EXPORT, WholeStory(work_id="w", as_of=at, text=True)),
        (operations.STATUS, Standing()),
        (operations.DOCTOR, Standing()),
        (operations.INDEX, BOTH),
    ]
    thread = (await here.call(operations.THREADS, Page(work_id="w", as_of=at))).threads[0].id
    asked.append((operations.THREAD, OneThread(work_id="w", as_of=at, thread=thread[:6])))
    for operation, request in asked:
        there = await running.there.call(operation, request)
        assert there == await here.call(operation, request), operation.name
        assert type(there) is operation.answer


async def test_indexing_tells_how_far_it_is(running: Running) -> None:
    seen = Seen()
    report = await running.there.call(operations.INDEX, BOTH, seen)
    assert report.new == 2
    assert sum(seen.totals) >= 3
    assert seen.stages.count("graft") == 3  # the work's name, and two chapters


async def test_whoever_does_not_know_the_token_gets_nothing(running: Running) -> None:
    for wrong in ("", "Bearer ", "Bearer another", f"Basic {TOKEN}", f"Bearer {TOKEN}x"):
        answer = await running.post("status", {}, authorization=wrong)
        assert answer.status_code == 401
        assert answer.json()["kind"] == "unauthorized"
    assert (await running.client.post("/v1/stop", headers={"authorization": ""})).status_code == 401
    assert not running.stopped.is_set()


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        "text",
        {"work_id": "w", "question": "Who?"},  # an as-of that nobody said is refused
        {"work_id": "w", "question": "Who?", "as_of": "seven"},
        {"work_id": "w", "question": "Who?", "as_of": "1", "words": 0},
        {"work_id": "w", "question": "Who?", "as_of": "1", "word": 10},
    ],
)
async def test_a_request_that_cannot_be_used_is_explained(running: Running, body: Any) -> None:
    answer = await running.post("ask", body)
    assert answer.status_code == 422
    assert answer.json()["kind"] == "unusable_input"
    assert "cannot be used" in answer.json()["message"]


async def test_an_error_is_the_same_there(running: Running) -> None:
    await running.there.call(operations.INDEX, BOTH)
    asked = Story(work_id="v", as_of="head")
    with pytest.raises(NotFound, match="there is w"):
        await running.there.call(operations.TREE, asked)
    assert (await running.post("tree", {"work_id": "v", "as_of": "head"})).status_code == 404


async def test_an_error_amid_progress_is_the_same_there(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Standing(work_id="v")
    with pytest.raises(NotFound):
        await running.there.call(operations.DOCTOR, asked)
    answer = await running.post("doctor", {"work_id": "v"}, accept=JSON_LINES)
    assert answer.status_code == 200  # it had begun
    assert json.loads(answer.text.splitlines()[-1])["error"]["kind"] == "not_found"


async def test_a_defect_is_told_without_a_word_of_the_text(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise ValueError("Marrow kept the brass key")

    monkeypatch.setattr("streams.performing.Home.view", broken)
    answer = await running.post("tree", {"work_id": "w", "as_of": "head"})
    assert answer.status_code == 500
    assert "brass" not in answer.text


async def test_the_description_names_every_operation_with_its_shapes(running: Running) -> None:
    described = (await running.client.get("/openapi.json", headers={"authorization": ""})).json()
    for operation in OPERATIONS:
        post = described["paths"][f"/v1/{operation.name}"]["post"]
        body = post["requestBody"]["content"]["application/json"]["schema"]
        answer = post["responses"]["200"]["content"]["application/json"]["schema"]
        assert body["$ref"].endswith(f"/{operation.request.__name__}")
        assert answer["$ref"].endswith(f"/{operation.answer.__name__}")
    shapes = described["components"]["schemas"]
    assert {told.rpartition("/")[2] for told in _references(described)} <= set(shapes)
    assert "as_of" in shapes["Question"]["required"]


def _references(described: Any) -> Iterator[str]:
    if isinstance(described, dict):
        if isinstance(described.get("$ref"), str):
            yield described["$ref"]
        for value in described.values():
            yield from _references(value)
    elif isinstance(described, list):
        for value in described:
            yield from _references(value)


async def test_it_stops_when_told(running: Running) -> None:
    await running.there.stop()
    assert running.stopped.is_set()


async def test_an_owner_that_ends_in_the_middle_is_named() -> None:
    def half(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=b'{"begun":3}\n')

    def gone(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    for handler in (half, gone):
        transport = httpx.MockTransport(handler)
        async with httpx.AsyncClient(transport=transport, base_url="http://owner") as client:
            with pytest.raises(OwnerGone, match="process 71"):
                await There(client, pid=71).call(operations.INDEX, BOTH)


async def test_the_work_asked_for_is_the_work_indexed(running: Running) -> None:
    await running.there.call(operations.INDEX, BOTH)
    works = (await running.there.call(operations.STATUS, Standing())).works
    assert [work.work_id for work in works] == [WorkId("w")]
