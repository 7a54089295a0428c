from __future__ import annotations

import json

import pytest

from processors.walking.moves import Move, Said, read_move, read_said

SHOWN = frozenset({1, 2, 3, 4})
STORYLINES = {"g1", "t1", "t2", "t3"}


def _move(most: int = 8, **told: object) -> Move:
    return read_move(json.dumps(told), SHOWN, STORYLINES, most)


def test_scenes_are_taken_in_their_order_once_and_no_more_than_may_be() -> None:
    assert _move(scenes=[3, 1, 3, 2], most=2).scenes == (3, 1)


@pytest.mark.parametrize("told", [["3"], [" 3 "], 3, [3.0, 3]])
def test_numbers_are_read_however_they_are_written(told: object) -> None:
    assert _move(scenes=told).scenes == (3,)


def test_what_was_not_shown_is_dropped_and_counted() -> None:
    move = _move(scenes=[9, 9, True, None, "x", 2], open=["t1", "zz", 7], query="")
    assert move == Move((2,), ("t1",), "", dropped=1 + 1 + 2)


def test_a_query_is_one_line_of_bounded_length() -> None:
    assert _move(query="the\n<ledger>").query == "the ‹ledger›"
    assert len(_move(query="x" * 9_000).query) == 300


@pytest.mark.parametrize("text", ["", "no", "[1]", '"x"', "{", '{"query": 3}'])
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_move(text, SHOWN, STORYLINES, 8)


def test_an_answer_has_words_and_is_known() -> None:
    told = {"known": True, "answer": " The\nledger. ", "quotes": ["a", 3, "b"], "scenes": []}
    assert read_said(json.dumps(told)) == Said("The ledger.", ("a", "b"))
    assert read_said(json.dumps({**told, "known": False})) == Said()
    assert read_said(json.dumps({**told, "answer": "  "})) == Said()
    assert read_said("{}") == Said()
