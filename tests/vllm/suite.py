"""The chat and the segmenter on a real vLLM: `make test-vllm`. No other run collects this file."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable

import pytest
from pydantic import SecretStr

from contracts.chat import ChatRequest, Finish, Sampling
from contracts.errors import PermanentError, TransientError
from contracts.ids import ChapterId, WorkId
from contracts.messages import ChapterSegmented
from contracts.ordinals import Ordinal
from deploy.vllm_server import CONTEXT, MODEL
from graph.memory import MemoryMemo
from processors.litseg import Limits, LitSegLite
from processors.openai_chat import Endpoint, OpenAIChat
from processors.remembering import Payer
from processors.segmenting import SegmentStage
from streams.settings import Settings
from tests.contract.chat_server import SCHEMA
from tests.unit.processors.chapters import published
from tests.vllm.conftest import KEY

pytestmark = pytest.mark.timeout(1_500)  # two cores, other people's work beside it

_BODY = "\n\n".join(
    f"Hedda took ledger number {n} to the house at the quay. Ilse saw her and said nothing."
    for n in range(1, 11)
)


def _question(user: str = "Name two cities.", limit: int = 120) -> ChatRequest:
    sampling = Sampling(temperature=0.0, top_p=1.0, max_output_tokens=limit)
    return ChatRequest("cities", "You answer in JSON.", user, SCHEMA, sampling)


@pytest.fixture
async def opened(vllm_url: str) -> AsyncIterator[Callable[..., OpenAIChat]]:
    chats: list[OpenAIChat] = []

    def opened(model: str = MODEL, key: str = KEY) -> OpenAIChat:
        endpoint = Endpoint(vllm_url, model, SecretStr(key), timeout_s=900.0, first_wait_s=0.1)
        chats.append(OpenAIChat(endpoint))
        return chats[-1]

    yield opened
    for chat in chats:
        await chat.close()


@pytest.fixture
def chat(opened: Callable[..., OpenAIChat]) -> OpenAIChat:
    return opened()


async def test_the_schema_is_enforced_and_what_it_cost_is_told(chat: OpenAIChat) -> None:
    answer = await chat.ask(_question(limit=400))
    assert answer.input_tokens > 10
    assert answer.output_tokens > 1
    if answer.finish is Finish.STOP:
        assert list(json.loads(answer.text)) == ["cities"]
    else:
        assert answer.finish is Finish.LENGTH  # so small a model may list cities for ever


async def test_an_answer_that_is_cut_says_so(chat: OpenAIChat) -> None:
    answer = await chat.ask(_question(limit=3))
    assert (answer.finish, answer.output_tokens) == (Finish.LENGTH, 3)


async def test_the_server_tells_its_version_and_counts_tokens(chat: OpenAIChat) -> None:
    assert (await chat.server_version()).startswith("0.")
    few, many = await chat.count_tokens("one two"), await chat.count_tokens("one two " * 100)
    assert few is not None
    assert many is not None
    assert 2 <= few <= 6
    assert many > 150


async def test_questions_at_once_are_all_answered(chat: OpenAIChat) -> None:
    asked = [chat.ask(_question(f"Name {n} cities.", limit=5)) for n in range(6)]
    assert len(await asyncio.gather(*asked)) == 6


async def test_a_wrong_name_or_key_holds_the_event(opened: Callable[..., OpenAIChat]) -> None:
    with pytest.raises(TransientError, match="model_name"):
        await opened(model="another").ask(_question())
    with pytest.raises(TransientError, match="model_key") as caught:
        await opened(key="sk-wrong-9876543210").ask(_question())
    assert "sk-wrong" not in str(caught.value)


async def test_an_input_beyond_the_context_is_unfit(chat: OpenAIChat) -> None:
    with pytest.raises(PermanentError, match="model_context"):
        await chat.ask(_question("word " * 2 * CONTEXT))


async def test_a_whole_chapter_goes_through_the_segment_stage(chat: OpenAIChat) -> None:
    sampling = Settings().sampling.model_copy(update={"max_output_tokens": 700})
    memo = MemoryMemo()
    stage = SegmentStage(LitSegLite(chat, Payer(memo), sampling, Limits(CONTEXT, 2)))
    event = published(_BODY).model_copy(
        update={
            "work_id": WorkId("w"),
            "chapter_id": ChapterId("1"),
            "ordinal": Ordinal.parse(1),
        }
    )
    done = await stage(event, 1)
    assert isinstance(done, ChapterSegmented)
    homes = [n for s in done.scenes for n in range(s.first_sentence, s.last_sentence + 1)]
    assert homes == list(range(1, len(done.sentences) + 1))
    assert 1 <= done.repairs.attempts == done.calls <= 2
    assert done.tokens > 1_000
    assert (done.model, done.server[:2]) == (MODEL, "0.")
    again = await stage(event, 1)
    assert isinstance(again, ChapterSegmented)
    assert again.scenes == done.scenes
    print(done.repairs, done.tokens, [scene.title for scene in done.scenes])
