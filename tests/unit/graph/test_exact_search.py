from __future__ import annotations

import pytest

from contracts.ids import RowKey, row_key
from contracts.vectors import Hit
from graph import vector_rules
from graph.exact_search import exact_best


def a_hit(item: int, score: float) -> Hit:
    key = row_key("g1", str(item), 0)
    return Hit(RowKey(key), f"item {item:05}", "scene", "chapter", 0, 0, 1, score)


class Engine:
    """Finds the best rows, breaks ties by the wrong end, and never gives more than `most`."""

    def __init__(self, hits: list[Hit], most: int) -> None:
        self.hits = sorted(hits, key=lambda hit: (hit.score, hit.item_id), reverse=True)
        self.most = most
        self.calls = 0

    def __call__(self, prefix: str, size: int) -> list[Hit]:
        assert size <= self.most
        self.calls += 1
        return [hit for hit in self.hits if hit.key.startswith(prefix)][:size]


def check(hits: list[Hit], limit: int, most: int, least: float = 1.0) -> Engine:
    engine = Engine(hits, most)
    good = [hit for hit in hits if hit.score >= least]
    assert exact_best(engine, limit, least, most) == vector_rules.ranked(good, limit)
    return engine


@pytest.mark.parametrize("limit", [0, 1, 2, 7, 10, 11, 50])
def test_scores_that_all_differ_take_one_request(limit: int) -> None:
    engine = check([a_hit(n, 1.0 + n) for n in range(10)], limit, most=100)
    assert engine.calls == min(limit, 1)


def test_nothing_there_finds_nothing() -> None:
    check([], 5, most=100)


def test_rows_below_the_least_do_not_count() -> None:
    check([a_hit(n, n - 5.0) for n in range(10)], 8, most=100)


@pytest.mark.parametrize("limit", [1, 3, 40, 90, 100])
def test_ties_are_fetched_until_the_last_one(limit: int) -> None:
    hits = [a_hit(n, 2.0 if n < 3 else 1.0) for n in range(100)]
    check(hits, limit, most=1_000)


@pytest.mark.parametrize("limit", [1, 40, 400])
def test_more_ties_than_one_answer_holds_are_searched_by_key(limit: int) -> None:
    engine = check([a_hit(n, 1.0 + n % 2) for n in range(400)], limit, most=40)
    assert engine.calls > 16


def test_a_limit_above_what_one_answer_holds() -> None:
    check([a_hit(n, 1.0 + n) for n in range(300)], 200, most=64)
