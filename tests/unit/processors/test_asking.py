"""What a question is remembered by, and how an unfit answer is kept."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from contracts.chat import ChatAnswer, ChatRequest, Finish, Sampling
from contracts.ids import ChapterId, WorkId
from contracts.memo import Source
from graph.memory import MemoryMemo
from processors.asking import asked_by, call_of, readable, request_tokens_at_most
from processors.remembering import Payer, Tried, first_valid
from tests.unit.processors.talker import Talker

REQUEST = ChatRequest("titles", "Give a title.", "第一章", {"type": "object"}, Sampling())
SOURCES = (Source(work_id=WorkId("w"), chapter_id=ChapterId("c1")),)


def test_a_question_is_known_by_all_that_it_was_filled_with() -> None:
    changes: tuple[dict[str, Any], ...] = (
        {"purpose": "names"},
        {"system": "Give one title."},
        {"user": "第二章"},
        {"schema": {"type": "array"}},
        {"sampling": Sampling(temperature=0)},
        {"attempt": 1},
    )
    keys = {asked_by(replace(REQUEST, **change), "m").key for change in changes}
    keys |= {asked_by(REQUEST, "m").key, asked_by(REQUEST, "n").key}
    assert len(keys) == 8


def test_the_order_of_a_schemas_keys_is_no_difference() -> None:
    one = replace(REQUEST, schema={"type": "object", "required": []})
    other = replace(REQUEST, schema={"required": [], "type": "object"})
    assert asked_by(one, "m") == asked_by(other, "m")


def test_a_person_can_read_what_was_asked() -> None:
    asked = asked_by(REQUEST, "m")
    assert asked.prompt.startswith("titles-")
    assert asked.sampling == '{"max_output_tokens":8192,"temperature":0.7,"top_p":0.8}'


async def _tried(*answers: ChatAnswer) -> tuple[Tried[object], Talker]:
    talker = Talker(list(answers))
    asked = asked_by(REQUEST, talker.model)

    def parse(kept: str) -> object:
        return json.loads(readable(kept))

    call = call_of(talker, REQUEST)
    return await first_valid(Payer(MemoryMemo()), asked, SOURCES, call, parse, attempts=2), talker


@pytest.mark.parametrize("finish", [finish for finish in Finish if finish is not Finish.STOP])
async def test_an_unfit_answer_stands_as_an_attempt_even_if_its_text_is_valid(
    finish: Finish,
) -> None:
    unfit = ChatAnswer("[1]", finish, input_tokens=5, output_tokens=7)
    tried, talker = await _tried(unfit, ChatAnswer("[2]", Finish.STOP, 5, 5, 1))
    assert (tried.value, tried.attempts) == ([2], 2)
    assert (tried.input_tokens, tried.output_tokens) == (10, 8)
    assert [request.attempt for request in talker.heard] == [0, 1]


async def test_a_fit_answer_is_kept_as_it_came() -> None:
    tried, _ = await _tried(ChatAnswer(' {"a": 1}\n', Finish.STOP))
    assert (tried.value, tried.attempts) == ({"a": 1}, 1)


def test_the_reason_of_an_unfit_answer_is_told() -> None:
    with pytest.raises(ValueError, match="length"):
        readable("<length>\n[1]")


def test_tokens_are_not_underestimated() -> None:
    english = "It was a dark and stormy night; the rain fell in torrents."  # 14 tokens
    assert (
        request_tokens_at_most(replace(REQUEST, user=english)) - request_tokens_at_most(REQUEST)
        >= 11
    )
    assert request_tokens_at_most(REQUEST) >= 3 + 4
