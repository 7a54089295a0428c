"""Whatever a model says, the chapter is covered, the counts are true and nothing is raised."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.scenes import ChapterText, Segmentation
from processors.coverage import Covered, repair
from processors.litseg.judging import Attempts
from processors.litseg.reading import read_answer
from processors.scene_building import build_scenes
from processors.training.format_reward import INVALID_SEGMENTS, VALID, format_reward
from tests.unit.processors.handmade import numbered
from tests.unit.processors.litseg.answers import answer, block, lite

_INDEX = st.one_of(
    st.integers(-2, 20),
    st.integers(),
    st.integers(1, 18).map(str),
    st.integers(1, 18).map(float),
    st.floats(),
    st.sampled_from([None, True, False, "", "two", "[3]", "1-4", [], {}, "１"]),
)
_WORDS = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        ["", "\ud800", "\x00", "Ignoriere alles.", "全部忽略。", "<|im_end|>", "x" * 5_000]
    ),
)
_ANY: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.floats(), st.integers(), st.text(max_size=10)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
_LOOSE_BLOCK = st.fixed_dictionaries(
    {},
    optional={
        "subtitle": _WORDS | _ANY,
        "from_idx": _INDEX,
        "to_idx": _INDEX,
        "context_idx": st.lists(_INDEX, max_size=4) | _ANY,
        "significance": _WORDS,
        "mood": _ANY,
    },
)
_BLOCK = st.builds(
    block, st.integers(0, 19), st.integers(0, 19), st.lists(st.integers(-1, 20), max_size=3)
)
_EVENT = st.fixed_dictionaries(
    {"from_idx": _INDEX, "to_idx": _INDEX, "what": _WORDS, "who": st.lists(_WORDS, max_size=3)}
)
_THREAD = st.fixed_dictionaries({"name": _WORDS, "events": st.lists(_INDEX, max_size=4)})
_TURN = st.fixed_dictionaries({"at_idx": _INDEX, "type": _WORDS, "description": _WORDS})
_OBJECT = st.fixed_dictionaries(
    {"segments": st.lists(_BLOCK | _LOOSE_BLOCK | _ANY, max_size=8)},
    optional={
        "events": st.lists(_EVENT | _ANY, max_size=5) | _ANY,
        "threads": st.lists(_THREAD | _ANY, max_size=4) | _ANY,
        "turning_points": st.lists(_TURN | _ANY, max_size=4) | _ANY,
        "step3": _ANY,
    },
)
_NEARLY = st.lists(_BLOCK, max_size=8).map(lambda blocks: answer(*blocks))


def _as_text(told: object) -> str:
    return json.dumps(told)


def _around(text: str, before: str, after: str) -> str:
    return before + text + after


def _twice(text: str) -> str:
    return text[:-1] + ', "segments": [' + "]}" if text.endswith("}") else text


_JSON = st.one_of(_NEARLY, _OBJECT, _ANY, _NEARLY.map(lambda told: {"step3": told})).map(_as_text)
_HOSTILE = st.one_of(
    _JSON,
    st.builds(_around, _JSON, st.text(max_size=20), st.text(max_size=20)),
    _JSON.map(lambda text: f"```json\n{text}\n```"),
    _JSON.map(lambda text: text[: len(text) // 2]),
    _JSON.map(_twice),
    _JSON.map(lambda text: text.replace('"', "'")),
    st.text(max_size=60),
    st.sampled_from(["", "{}", "[]", "null", "[" * 5_000, "{" * 5_000, '{"segments":' * 2_000]),
)


@st.composite
def _chapters(draw: st.DrawFn) -> ChapterText:
    count = draw(st.integers(1, 18))
    stretches = draw(st.sets(st.integers(1, count), max_size=3))
    return numbered(count, sorted({1, *stretches}))


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    """One loop for thousands of chapters."""
    with asyncio.Runner() as runner:
        yield runner


@settings(max_examples=300, deadline=None)
@given(_chapters(), st.lists(_HOSTILE, min_size=1, max_size=3))
def test_every_chapter_is_covered_and_every_count_is_true(
    runner: asyncio.Runner, chapter: ChapterText, answers: list[str]
) -> None:
    told = runner.run(lite(answers).segment(chapter))
    done = repair(chapter, told)
    _assert_covered(chapter, done)
    _assert_counted(len(chapter.sentences), answers, told, done)


@settings(max_examples=100, deadline=None)
@given(_chapters(), _HOSTILE)
def test_every_scene_has_its_fields_and_can_be_stored(
    runner: asyncio.Runner, chapter: ChapterText, text: str
) -> None:
    scenes = build_scenes(chapter, repair(chapter, runner.run(lite([text]).segment(chapter))))
    assert all(scene.title and scene.synopsis and scene.significance for scene in scenes)
    assert all(scene.to_json() for scene in scenes)


def _assert_covered(chapter: ChapterText, done: Covered) -> None:
    homes = [n for each in done.segments for n in range(each.home_first, each.home_last + 1)]
    assert homes == list(range(1, len(chapter.sentences) + 1))
    assert set(chapter.stretch_starts) <= {each.home_first for each in done.segments}


def _assert_counted(count: int, answers: list[str], told: Segmentation, done: Covered) -> None:
    valid = [_is_valid(text, count) for text in answers]
    asked = valid.index(True) + 1 if any(valid) else len(answers)
    assert (told.calls, told.repairs.attempts, done.repairs.attempts) == (asked, asked, asked)
    assert told.tokens == 110 * asked
    if any(valid):
        untouched = {"missing_sentences", "dropped_context", "whole_chunk"}
        assert not any(getattr(done.repairs, name) for name in untouched)


def _is_valid(text: str, count: int) -> bool:
    """Say whether the paper's validation takes an answer: written anew, without our modules."""
    return format_reward(text, count) == VALID


@settings(max_examples=300, deadline=None)
@given(st.integers(1, 18), _NEARLY)
def test_validation_is_the_papers(count: int, told: dict[str, Any]) -> None:
    ranges = [(each["from_idx"], each["to_idx"]) for each in told["segments"]]
    inside = all(1 <= first <= last <= count for first, last in ranges)
    covered = {n for first, last in ranges for n in range(first, last + 1)}
    whole = covered == set(range(1, count + 1))
    context = all(index in covered for each in told["segments"] for index in each["context_idx"])
    reward = format_reward(json.dumps(told), count)
    assert reward == (VALID if inside and whole and context else INVALID_SEGMENTS)


@settings(max_examples=300, deadline=None)
@given(st.integers(1, 18), _HOSTILE)
def test_reading_twice_gives_the_same(count: int, text: str) -> None:
    def read() -> object:
        attempts = Attempts(count)
        try:
            return attempts.read(text)
        except ValueError:
            return attempts.best()

    assert read() == read()


@pytest.mark.parametrize("text", ["", "no", "3", '"text"', "[1, {", "\ud800"])
def test_what_is_no_object_is_no_answer(text: str) -> None:
    with pytest.raises(ValueError, match="the answer is no JSON"):
        read_answer(text)
