"""The teacher: three calls, each validated; its result is an answer in LitSeg-Lite's schema."""

from __future__ import annotations

import json
from collections.abc import Sequence

from contracts.chat import Sampling
from graph.memory import MemoryMemo
from processors.coverage import repair
from processors.litseg import Limits, LitSeg
from processors.litseg.teacher import SAMPLING
from processors.litseg.wire import Answer
from processors.remembering import Payer
from processors.training.format_reward import VALID, format_reward
from processors.training.pairs import TrainingPair, training_pairs
from tests.unit.processors.handmade import chapter_of
from tests.unit.processors.litseg.answers import CONTEXT, answer, lite, said
from tests.unit.processors.talker import Talker

_CHAPTER = chapter_of("Ann left. It rained. Bob came. He found the letter. He wept. The end.")
_EVENTS = {
    "events": [
        {"from_idx": 1, "to_idx": 1, "what": "Ann leaves", "who": ["Ann"]},
        {"from_idx": 4, "to_idx": 5, "what": "Bob reads", "who": ["Bob"]},
    ]
}
_THREADS = {"threads": [{"name": "the letter", "events": [2]}]}
_LAST = {
    "turning_points": [{"at_idx": 5, "type": "recognition", "description": "Bob understands"}],
    "segments": answer((1, 2), (3, 6))["segments"],
}
_LOST = {"events": [{"from_idx": 5, "to_idx": 9, "what": "x", "who": []}, _EVENTS["events"][0]]}


def _teacher(answers: Sequence[object], attempts: int = 2) -> tuple[LitSeg, Talker]:
    talker = Talker([said(each) for each in answers])
    return LitSeg(talker, Payer(MemoryMemo()), SAMPLING, Limits(CONTEXT, attempts)), talker


async def test_three_calls_each_seeing_what_was_found_before() -> None:
    teacher, talker = _teacher([_EVENTS, _THREADS, _LAST])
    told = await teacher.segment(_CHAPTER)
    assert [request.purpose for request in talker.heard] == [
        "segmentation_events", "segmentation_threads", "segmentation",
    ]  # fmt: skip
    first, second, third = (request.user for request in talker.heard)
    assert len({request.system for request in talker.heard}) == 1
    assert "Ann leaves" not in first
    assert "Ann leaves" in second
    assert "Ann leaves" in third
    assert "the letter" in third.split("Threads:")[1]
    shared = first.split("Take step")[0]
    assert second.startswith(shared)
    assert third.startswith(shared)
    assert (told.calls, told.repairs.attempts, told.tokens) == (3, 3, 330)
    assert [(s.from_idx, s.to_idx, s.synopsis) for s in told.segments] == [
        (1, 2, "Ann leaves."), (3, 6, "Bob reads."),
    ]  # fmt: skip
    assert told.segments[1].threads == ("the letter",)
    assert told.segments[1].turning_point == "Bob understands"


async def test_each_step_is_asked_again_until_it_is_valid() -> None:
    answers = ["", _EVENTS, {"threads": [{"name": "x", "events": [3]}]}, _THREADS, {}, _LAST]
    teacher, talker = _teacher(answers)
    told = await teacher.segment(_CHAPTER)
    assert [request.attempt for request in talker.heard] == [0, 1] * 3
    assert (told.calls, len(told.segments)) == (6, 2)


async def test_a_step_that_fails_hands_on_what_can_be_used() -> None:
    broken = {"threads": [{"name": "the rain", "events": [1, 7]}]}
    gap = {**_LAST, "segments": answer((1, 2), (4, 6))["segments"]}
    teacher, _ = _teacher([_LOST, "", broken, broken, gap, ""])
    told = await teacher.segment(_CHAPTER)
    assert [s.synopsis for s in told.segments] == ["Ann leaves.", ""]
    assert told.segments[0].threads == ("the rain",)
    done = repair(_CHAPTER, told)
    assert (done.repairs.attempts, done.repairs.missing_sentences) == (6, 1)


async def test_a_teacher_that_says_nothing_leaves_the_whole_chunk() -> None:
    teacher, _ = _teacher([""] * 6)
    done = repair(_CHAPTER, await teacher.segment(_CHAPTER))
    assert [(s.home_first, s.home_last) for s in done.segments] == [(1, 6)]
    assert (done.repairs.whole_chunk, done.repairs.attempts) == (1, 6)


async def _pairs(answers: Sequence[object]) -> list[TrainingPair]:
    teacher, _ = _teacher(answers)
    return [pair async for pair in training_pairs(_CHAPTER, teacher, lite([""]))]


async def test_its_result_is_a_training_pair_in_the_schema_of_lite() -> None:
    (pair,) = await _pairs([_EVENTS, _THREADS, _LAST])
    assert (pair.reward, pair.valid) == (VALID, True)
    system, user, told = pair.messages
    assert [each.role for each in pair.messages] == ["system", "user", "assistant"]
    assert user.content.endswith("The last sentence is [6].")
    assert "three steps" in system.content
    assert json.loads(told.content) == {**_EVENTS, "identities": [], **_THREADS, **_LAST}
    assert Answer.model_validate_json(told.content)
    student = lite([told.content])
    assert len((await student.segment(_CHAPTER)).segments) == 2


async def test_a_result_that_had_to_be_mended_is_marked() -> None:
    gap = {**_LAST, "segments": answer((1, 2), (4, 6))["segments"]}
    (pair,) = await _pairs([_EVENTS, _THREADS, gap, gap])
    assert (pair.reward, pair.valid) == (-0.6, False)
    assert await _pairs([""] * 6) == []


def test_the_reward_is_the_papers() -> None:
    good = json.dumps(answer((1, 2), (3, 6)))
    assert format_reward(good, 6) == 0.0
    assert format_reward(f"```json\n{good}\n```", 6) == 0.0
    for unparsable in ("", "no", good[:-4], "[]"):
        assert format_reward(unparsable, 6) == -1.0
    for step in ("events", "threads", "turning_points", "segments"):
        told = {name: value for name, value in json.loads(good).items() if name != step}
        assert format_reward(json.dumps(told), 6) == -0.8
    for segments in ([(1, 5)], [(1, 7)], [(6, 1)], [(1, 6, [7])], []):
        assert format_reward(json.dumps(answer(*segments)), 6) == -0.6


def test_its_sampling_is_the_papers() -> None:
    assert (SAMPLING.temperature, SAMPLING.top_p) == (1.0, 0.95)
    assert (Sampling().temperature, Sampling().top_p) == (0.7, 0.8)
