from __future__ import annotations

import pytest

from replay.evaluation.bench.figures import (
    Floor,
    Spread,
    growth,
    percentile,
    shares,
    times_floor,
)


def test_a_spread_is_the_least_the_middle_and_the_most() -> None:
    assert Spread.of([3.0, 1.0, 10.0]) == Spread(1.0, 3.0, 10.0)
    assert Spread.of([2.0, 4.0]) == Spread(2.0, 3.0, 4.0)


def test_the_floor_is_embedding_and_writing_together() -> None:
    assert Floor(embed_s=0.5, write_s=0.75).seconds == 1.25


def test_each_run_is_measured_against_the_floor_beside_it() -> None:
    floors = [Floor(0.5, 0.5), Floor(1.0, 1.0), Floor(0.25, 0.25)]
    assert times_floor([4.0, 12.0, 3.0], floors) == Spread(4.0, 6.0, 6.0)


def test_a_run_without_a_floor_is_an_error() -> None:
    with pytest.raises(ValueError, match="zip"):
        times_floor([1.0, 2.0], [Floor(1.0, 1.0)])


@pytest.mark.parametrize(
    ("share", "expected"), [(0.0, 1.0), (0.5, 10.0), (0.95, 19.0), (0.96, 20.0), (1.0, 20.0)]
)
def test_a_percentile_is_one_of_the_values_by_nearest_rank(share: float, expected: float) -> None:
    values = [float(n) for n in range(20, 0, -1)]
    assert percentile(values, share) == expected


def test_what_no_part_accounts_for_is_the_rest() -> None:
    assert shares({"segment": 2.0, "embed": 1.0}, 4.0) == {
        "segment": 0.5,
        "embed": 0.25,
        "the rest": 0.25,
    }


def test_parts_that_overlap_leave_no_negative_rest() -> None:
    assert shares({"segment": 3.0, "log": 2.0}, 4.0)["the rest"] == 0.0


def test_growth_is_one_where_time_is_in_proportion_and_two_where_it_is_squared() -> None:
    assert growth([100, 200, 400], [1.0, 2.0, 4.0]) == pytest.approx(1.0)
    assert growth([100, 400], [1.0, 16.0]) == pytest.approx(2.0)
