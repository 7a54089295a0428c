from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.scenes import Repairs, Segment, Segmentation
from processors.coverage import Covered, repair
from tests.unit.processors.handmade import numbered


def _segmentation(*ranges: tuple[int, int]) -> Segmentation:
    segments = tuple(
        Segment(from_idx=first, to_idx=last, title=f"{first}-{last}", threads=(f"{first}-{last}",))
        for first, last in ranges
    )
    return Segmentation(segments=segments, segmenter="test")


def _homes(covered: Covered) -> list[tuple[int, int]]:
    return [(segment.home_first, segment.home_last) for segment in covered.segments]


def test_a_sound_segmentation_is_left_as_it_is() -> None:
    covered = repair(numbered(10), _segmentation((1, 4), (5, 10)))
    assert _homes(covered) == [(1, 4), (5, 10)]
    assert [s.segment.title for s in covered.segments] == ["1-4", "5-10"]
    assert covered.repairs == Repairs()


def test_the_first_segment_that_covers_a_sentence_is_its_home() -> None:
    covered = repair(numbered(10), _segmentation((3, 10), (1, 5)))
    assert _homes(covered) == [(1, 5), (6, 10)]
    assert covered.segments[1].extra == ((3, 5),)
    assert covered.repairs == Repairs()


def test_of_segments_that_start_together_the_shorter_is_the_first() -> None:
    covered = repair(numbered(10), _segmentation((1, 10), (1, 3)))
    assert _homes(covered) == [(1, 3), (4, 10)]
    assert covered.segments[1].extra == ((1, 3),)


def test_a_segment_without_home_is_dropped_and_counted() -> None:
    covered = repair(numbered(10), _segmentation((1, 8), (3, 5), (9, 10)))
    assert _homes(covered) == [(1, 8), (9, 10)]
    assert covered.repairs.dropped_segments == 1


def test_impossible_ranges_are_dropped_and_not_clamped() -> None:
    covered = repair(numbered(10), _segmentation((0, 3), (5, 4), (1, 6), (7, 11)))
    assert _homes(covered) == [(1, 10)]
    assert covered.repairs == Repairs(dropped_segments=3, missing_sentences=4)


def test_missing_sentences_join_their_left_or_else_their_right() -> None:
    covered = repair(numbered(12), _segmentation((3, 4), (8, 9)))
    assert _homes(covered) == [(1, 7), (8, 12)]
    assert covered.repairs.missing_sentences == 8


def test_missing_sentences_do_not_cross_into_another_stretch() -> None:
    covered = repair(numbered(12, (1, 6, 11)), _segmentation((1, 4), (8, 10)))
    assert _homes(covered) == [(1, 5), (6, 10), (11, 12)]
    assert [s.segment.title for s in covered.segments] == ["1-4", "8-10", ""]
    assert covered.repairs == Repairs(missing_sentences=5)


def test_without_a_usable_segment_the_chapter_is_one_cut_at_its_stretches() -> None:
    covered = repair(numbered(9, (1, 4)), _segmentation((0, 0), (20, 30)))
    assert _homes(covered) == [(1, 3), (4, 9)]
    assert covered.repairs == Repairs(dropped_segments=2, whole_chunk=1, cut_at_paratext=1)


def test_a_home_is_cut_at_paratext_and_its_longest_piece_keeps_what_was_told() -> None:
    whole = Segment(
        from_idx=1,
        to_idx=10,
        title="title",
        synopsis="synopsis",
        significance="significance",
        turning_point="turn",
        context=(11,),
        characters=("Ann",),
        threads=("plot",),
    )
    rest = Segment(from_idx=11, to_idx=12)
    covered = repair(
        numbered(12, (1, 3, 9)), Segmentation(segments=(whole, rest), segmenter="test")
    )
    assert _homes(covered) == [(1, 2), (3, 8), (9, 10), (11, 12)]
    first, longest, last, _ = (piece.segment for piece in covered.segments)
    assert (longest.title, longest.synopsis, longest.context) == ("title", "synopsis", (11,))
    assert (first.title, first.context, last.title) == ("", (), "")
    assert [s.turning_point for s in (first, longest, last)] == ["", "", "turn"]
    assert all(s.threads == ("plot",) and s.characters == ("Ann",) for s in (first, longest, last))
    assert covered.repairs == Repairs(cut_at_paratext=2)


def test_extra_is_cut_at_paratext_and_stays_with_the_first_piece() -> None:
    covered = repair(numbered(10, (1, 4, 8)), _segmentation((1, 5), (2, 10)))
    assert _homes(covered) == [(1, 3), (4, 5), (6, 7), (8, 10)]
    assert [s.extra for s in covered.segments] == [(), (), ((2, 3), (4, 5)), ()]


def test_context_outside_the_chapter_is_dropped_and_counted() -> None:
    segment = Segment(from_idx=1, to_idx=5, context=(0, 6, 10, 11))
    covered = repair(
        numbered(10),
        Segmentation(
            segments=(segment,), segmenter="test", repairs=Repairs(attempts=3, dropped_context=1)
        ),
    )
    assert covered.segments[0].segment.context == (6, 10)
    assert covered.repairs == Repairs(attempts=3, dropped_context=3, missing_sentences=5)


def test_a_chapter_without_sentences_has_no_segments() -> None:
    assert repair(numbered(0, ()), _segmentation((1, 3))).segments == ()


_INDEX = st.integers(-1, 20)


@st.composite
def _cases(draw: st.DrawFn) -> tuple[int, list[int], list[tuple[int, int]]]:
    count = draw(st.integers(1, 18))
    stretches = draw(st.sets(st.integers(1, count), max_size=4))
    ranges = draw(st.lists(st.tuples(_INDEX, _INDEX), max_size=6))
    return count, sorted({1, *stretches}), ranges


@settings(max_examples=1000, deadline=None)
@given(_cases())
def test_every_sentence_has_one_home_whatever_was_proposed(
    case: tuple[int, list[int], list[tuple[int, int]]],
) -> None:
    count, stretches, ranges = case
    chapter = numbered(count, stretches)
    covered = repair(chapter, _segmentation(*ranges))
    homes = _homes(covered)
    assert [n for first, last in homes for n in range(first, last + 1)] == [*range(1, count + 1)]
    opened = {first for first, _ in homes}
    assert set(stretches) <= opened
    valid = [(first, last) for first, last in ranges if 1 <= first <= last <= count]
    assert covered.repairs.whole_chunk == int(not valid)
    told = {n for first, last in valid for n in range(first, last + 1)}
    assert covered.repairs.missing_sentences == (count - len(told) if valid else 0)
    for piece in covered.segments:
        for number in range(piece.home_first, piece.home_last + 1):
            first_to_cover = [r for r in sorted(valid) if r[0] <= number <= r[1]][:1]
            assert not first_to_cover or piece.segment.threads == (
                "{}-{}".format(*first_to_cover[0]),
            )


@settings(max_examples=200, deadline=None)
@given(_cases())
def test_repairing_twice_changes_nothing(
    case: tuple[int, list[int], list[tuple[int, int]]],
) -> None:
    count, stretches, ranges = case
    chapter = numbered(count, stretches)
    homes = _homes(repair(chapter, _segmentation(*ranges)))
    again = repair(chapter, _segmentation(*homes))
    assert _homes(again) == homes
    assert again.repairs == Repairs()
    assert all(left[1] + 1 == right[0] for left, right in pairwise(homes))
