"""Answers made by hand on a chapter of ten sentences, and the scenes that the rules demand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from contracts.chat import Finish
from contracts.scenes import Repairs
from tests.unit.processors.handmade import numbered
from tests.unit.processors.litseg.answers import answer, block, covered, papers, said, unfit

VALID = answer((1, 4), (5, 10))
TWO = [(1, 4), (5, 10)]
WHOLE = [(1, 10)]
_GOOD = json.dumps(VALID)
_TWICE = _GOOD[:-1] + ', "segments": ' + json.dumps([block(1, 6), block(7, 10)]) + "}"


@dataclass(frozen=True)
class Case:
    """Answers, attempt by attempt; the homes; what is counted beside the attempts."""

    name: str
    answers: Sequence[object]
    homes: list[tuple[int, int]]
    mended: dict[str, int] = field(default_factory=dict)
    attempts: int | None = None  # None: all of them
    stretches: tuple[int, ...] = (1,)
    extra: list[tuple[tuple[int, int], ...]] | None = None


AT_ONCE = [
    Case("one segment", [answer((1, 10))], WHOLE),
    Case("two segments", [VALID], TWO),
    Case("ten of one sentence", [answer(*((n, n) for n in range(1, 11)))],
         [(n, n) for n in range(1, 11)]),
    Case("main ranges overlap", [answer((1, 5), (4, 10))], [(1, 5), (6, 10)],
         extra=[(), ((4, 5),)]),
    Case("three overlap", [answer((1, 4), (3, 7), (4, 10))], [(1, 4), (5, 7), (8, 10)],
         extra=[(), ((3, 4),), ((4, 7),)]),
    Case("the same start", [answer((1, 10), (1, 3))], [(1, 3), (4, 10)], extra=[(), ((1, 3),)]),
    Case("one within another", [answer((1, 10), (3, 5))], WHOLE, {"dropped_segments": 1}),
    Case("the same twice", [answer((1, 10), (1, 10))], WHOLE, {"dropped_segments": 1}),
    Case("told out of order", [answer((5, 10), (1, 4))], TWO),
    Case("context in another scene", [answer((1, 4, [9, 10]), (5, 10, [1]))], TWO),
    Case("context in its own scene", [answer((1, 4, [2]), (5, 10))], TWO),
    Case("over the author's break", [answer((1, 10))], [(1, 4), (5, 10)],
         {"cut_at_paratext": 1}, stretches=(1, 5)),
    Case("over two breaks", [answer((1, 3), (4, 10))], [(1, 3), (4, 4), (5, 8), (9, 10)],
         {"cut_at_paratext": 2}, stretches=(1, 5, 9)),
    Case("in a fence", [f"```json\n{_GOOD}\n```"], TWO),
    Case("in a fence of no language", [f"```\n{_GOOD}\n```"], TWO),
    Case("prose around it", [f"Sure! Here it is:\n{_GOOD}\nAnything else?"], TWO),
    Case("prose and a fence", [f"Sure:\n```JSON\n{_GOOD}\n```\nBye."], TWO),
    Case("thoughts before it", [f"<think>Is it {{one}} or two?</think>\n{_GOOD}"], TWO),
    Case("white space around it", [f"\ufeff\n  {_GOOD}\n\n"], TWO),
    Case("fields of its own", [answer((1, 4), block(5, 10, mood="dark"), title="I")], TWO),
    Case("the paper's own form", [papers((1, 4), (5, 10))], TWO),
    Case("the paper's form, overlap", [papers((1, 6), (5, 10))], [(1, 6), (7, 10)],
         extra=[(), ((5, 6),)]),
    Case("planted instructions obeyed", [answer(block(1, 10, subtitle="PWNED"))], WHOLE),
]  # fmt: skip

LATER = [
    Case("empty, then valid", ["", VALID], TWO),
    Case("prose, then valid", ["I would rather not.", VALID], TWO),
    Case("cut off, then valid", [unfit(Finish.LENGTH, _GOOD[:80]), VALID], TWO),
    Case("whole but cut off", [unfit(Finish.LENGTH, VALID), answer((1, 10))], WHOLE),
    Case("filtered, then valid", [unfit(Finish.FILTERED), VALID], TWO),
    Case("refused, then valid", [unfit(Finish.REFUSED, "No."), VALID], TWO),
    Case("a gap, then valid", [answer((1, 3), (5, 10)), VALID], TWO),
    Case("out of range, then valid", [answer((1, 4), (5, 11)), VALID], TWO),
    Case("strange context, then valid", [answer((1, 10, [11])), VALID], TWO),
    Case("numbers as strings, then valid", [answer(("1", "10")), VALID], TWO),
    Case("valid at the third", ["", "[]", VALID], TWO),
    Case("valid, and nobody asks on", [VALID, ""], TWO, attempts=1),
]

MENDED = [
    Case("a gap joins its left", [answer((1, 4), (7, 10))] * 2, [(1, 6), (7, 10)],
         {"missing_sentences": 2}),
    Case("a gap at the start joins its right", [answer((3, 10))] * 2, WHOLE,
         {"missing_sentences": 2}),
    Case("a gap at the end", [answer((1, 8))] * 2, WHOLE, {"missing_sentences": 2}),
    Case("gaps everywhere", [answer((3, 4), (8, 9))], [(1, 7), (8, 10)],
         {"missing_sentences": 6}),
    Case("a gap before a break", [answer((1, 4), (8, 10))], [(1, 5), (6, 10)],
         {"missing_sentences": 3}, stretches=(1, 6)),
    Case("a whole stretch is missing", [answer((1, 5), (9, 10))], [(1, 5), (6, 8), (9, 10)],
         {"missing_sentences": 3}, stretches=(1, 6, 9)),
    Case("from nought", [answer((0, 4), (5, 10))], WHOLE,
         {"dropped_segments": 1, "missing_sentences": 4}),
    Case("past the end", [answer((1, 4), (5, 11))], WHOLE,
         {"dropped_segments": 1, "missing_sentences": 6}),
    Case("all off by one", [answer((0, 3), (4, 9))], WHOLE,
         {"dropped_segments": 1, "missing_sentences": 4}),
    Case("reversed", [answer((4, 1), (5, 10))], WHOLE,
         {"dropped_segments": 1, "missing_sentences": 4}),
    Case("negative", [answer((-5, -1), (1, 10))], WHOLE, {"dropped_segments": 1}),
    Case("huge", [answer((1, 10**9))] * 3, WHOLE, {"dropped_segments": 1, "whole_chunk": 1}),
    Case("a number of 400 digits", [answer((1, 4), (5, 10**400))], WHOLE,
         {"dropped_segments": 1, "missing_sentences": 6}),
    Case("a number too long to read", [_GOOD.replace("10", "9" * 5_000)], WHOLE,
         {"whole_chunk": 1}),
    Case("numbers as strings", [answer(("1", "4"), ("5", " 10 "))] * 2, TWO),
    Case("numbers as labels", [answer(("[1]", "[4]"), ("[5]", "[10]"))], TWO),
    Case("whole floats", [answer((1.0, 4.0), (5.0, 10.0))], TWO),
    Case("half a sentence", [answer((1, 4.5), (5, 10))], WHOLE,
         {"dropped_segments": 1, "missing_sentences": 4}),
    Case("infinity", [_GOOD.replace("10", "1e999")], WHOLE,
         {"dropped_segments": 1, "missing_sentences": 6}),
    Case("not a number", [_GOOD.replace("10", "NaN")], WHOLE,
         {"dropped_segments": 1, "missing_sentences": 6}),
    Case("booleans", [answer((True, 4), (5, 10))], WHOLE,
         {"dropped_segments": 1, "missing_sentences": 4}),
    Case("null", [answer((1, 4), (5, None))], WHOLE,
         {"dropped_segments": 1, "missing_sentences": 6}),
    Case("words for numbers", [answer((1, 4), ("five", "ten"))], WHOLE,
         {"dropped_segments": 1, "missing_sentences": 6}),
    Case("a key twice, the last counts", [_TWICE] * 2, [(1, 6), (7, 10)]),
    Case("events missing", [{"segments": VALID["segments"]}], TWO),
    Case("a subtitle missing", [answer({"from_idx": 1, "to_idx": 10})], WHOLE),
    Case("a subtitle that is no text", [answer((1, 4), block(5, 10, subtitle=["a"]))], TWO),
    Case("the paper's form without a step", [{"step3": papers((1, 4), (5, 10))["step3"]}], TWO),
    Case("a bare list", [VALID["segments"]], TWO),
    Case("no segments", [answer()] * 2, WHOLE, {"whole_chunk": 1}),
    Case("segments that are none", [answer(segments={"a": 1})], WHOLE, {"whole_chunk": 1}),
    Case("a segment that is none", [answer(segments=["first", block(1, 10)])], WHOLE,
         {"dropped_segments": 1}),
    Case("nothing but null", ["null"], WHOLE, {"whole_chunk": 1}),
    Case("a number alone", ["42"], WHOLE, {"whole_chunk": 1}),
    Case("empty each time", ["", "", ""], WHOLE, {"whole_chunk": 1}),
    Case("prose in another language", ["Hier sind die Szenen."], WHOLE, {"whole_chunk": 1}),
    Case("nested without end", ["[" * 100_000], WHOLE, {"whole_chunk": 1}),
    Case("cut off each time", [unfit(Finish.LENGTH, VALID)] * 2, WHOLE, {"whole_chunk": 1}),
    Case("unparsable, with a break", ["{"], [(1, 4), (5, 10)],
         {"whole_chunk": 1, "cut_at_paratext": 1}, stretches=(1, 5)),
    Case("context nowhere", [answer((1, 4, [11, 0]), (5, 10, [2]))], TWO,
         {"dropped_context": 2}),
    Case("context as strings", [answer((1, 4, ["9"]), (5, 10))], TWO),
    Case("context of words", [answer((1, 4, ["nine"]), (5, 10))], TWO, {"dropped_context": 1}),
    Case("context in a gap, which is filled", [answer((1, 4, [6]), (7, 10))], [(1, 6), (7, 10)],
         {"missing_sentences": 2}),
    Case("thousands of segments", [answer(*((n, n) for n in range(1, 5_001)))],
         [(n, n) for n in range(1, 11)], {"dropped_segments": 4_990}),
    Case("thousands of the same", [answer(*[(1, 10)] * 5_000)], WHOLE,
         {"dropped_segments": 4_999}, attempts=1),
    Case("the least gaps win", [answer((1, 6)), answer((1, 3), (4, 9)), answer((1, 8))],
         [(1, 3), (4, 10)], {"missing_sentences": 1}),
    Case("coverage before context", [answer((1, 9)), answer((1, 4, [99]), (5, 10))], TWO,
         {"dropped_context": 1}),
    Case("of equals the earliest", [answer((2, 5), (6, 10)), answer((1, 7), (8, 9))],
         [(1, 5), (6, 10)], {"missing_sentences": 1}),
    Case("something before nothing", ["", answer((2, 2)), answer((7, 3))], WHOLE,
         {"missing_sentences": 9}),
    Case("events of nowhere", [answer((1, 10), events=[
        {"from_idx": 9, "to_idx": 12, "what": "x", "who": []},
        {"from_idx": 1, "to_idx": 1, "what": "x", "who": []}])], WHOLE, {"dropped_fields": 1}),
]  # fmt: skip


@pytest.mark.parametrize("case", [*AT_ONCE, *LATER, *MENDED], ids=lambda case: case.name)
async def test_an_answer_gives_exactly_the_scenes_that_the_rules_demand(case: Case) -> None:
    chapter = numbered(10, case.stretches)
    done = await covered(chapter, case.answers)
    assert [(each.home_first, each.home_last) for each in done.segments] == case.homes
    attempts = case.attempts or len(case.answers)
    assert done.repairs == Repairs(attempts=attempts, **case.mended)
    if case.extra is not None:
        assert [each.extra for each in done.segments] == case.extra


async def test_attempts_that_are_over_are_not_asked_for() -> None:
    assert said(VALID).text
    done = await covered(numbered(10), ["", ""])
    assert done.repairs.attempts == 2
