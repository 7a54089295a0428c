"""Evidence is compared by the characters of the text that both searches found."""

from __future__ import annotations

import pytest

from contracts.answers import FoundPassage
from contracts.frozen import Span
from contracts.ids import ChapterId, SceneId
from contracts.ordinals import Ordinal
from streams.generations.evidence import compare_evidence
from streams.generations.questions import Place, SampledQuestion
from tests.unit.streams.generations.builds import W

TEXT = "The ledger lay under the anvil. Nobody had looked there."
ONE = Ordinal.parse(1)
ASKED = SampledQuestion(W, ONE, "Where was the ledger?")


def passage(start: int, end: int, chapter: str = "1", text: str = TEXT) -> FoundPassage:
    return FoundPassage(
        chapter_id=ChapterId(chapter),
        ordinal=ONE,
        scene_id=SceneId("s"),
        start=start,
        end=end,
        text=text[start:end],
        score=1.0,
        channel="words",
    )


def made(start: int, end: int) -> SampledQuestion:
    place = Place(ChapterId("1"), Span(start=start, end=end), TEXT[start:end])
    return SampledQuestion(W, ONE, TEXT[start:end], place)


@pytest.mark.parametrize(
    ("live", "candidate", "overlap"),
    [
        ([passage(0, 31)], [passage(0, 31)], 1.0),
        ([passage(0, 20), passage(20, 31)], [passage(0, 31)], 1.0),  # cut otherwise, as much found
        ([passage(0, 20)], [passage(10, 30)], 10 / 30),
        ([passage(0, 31)], [passage(32, 56)], 0.0),
        ([passage(0, 31)], [passage(0, 31, "2")], 0.0),
        ([passage(0, 31)], [passage(0, 31, text=TEXT.upper())], 2 / 31),  # T and the full stop
        ([passage(0, 31)], [], 0.0),
        ([], [], 1.0),
    ],
)
def test_overlap_is_the_share_of_all_evidence_that_both_found(
    live: list[FoundPassage], candidate: list[FoundPassage], overlap: float
) -> None:
    told = compare_evidence(ASKED, live, candidate).overlap
    if overlap == 2 / 31:
        overlap = sum(a == b for a, b in zip(TEXT[:31], TEXT[:31].upper(), strict=True))
        overlap /= 2 * 31 - overlap
    assert told == pytest.approx(overlap, abs=1e-6)


def test_the_first_passage_has_changed_where_it_has_nothing_in_common() -> None:
    first, second = passage(0, 31), passage(32, 56)

    assert not compare_evidence(ASKED, [first, second], [passage(5, 31), second]).first_changed
    assert compare_evidence(ASKED, [first, second], [second, first]).first_changed
    assert compare_evidence(ASKED, [first], []).first_changed
    assert not compare_evidence(ASKED, [], []).first_changed


def test_a_sentence_is_found_where_half_of_it_is_shown() -> None:
    sought = made(0, 31)

    assert compare_evidence(sought, [passage(0, 31)], [passage(0, 15)]).found == (True, False)
    assert compare_evidence(sought, [passage(0, 16)], [passage(0, 31, "2")]).found == (True, False)
    assert compare_evidence(ASKED, [passage(0, 31)], [passage(0, 31)]).found is None


def test_what_stands_first_is_told_in_short() -> None:
    long = "word " * 100

    told = compare_evidence(ASKED, [passage(0, 500, text=long)], [])

    assert told.live is not None
    assert len(told.live.text) < 170
    assert told.live.text.endswith(" …")
    assert told.candidate is None
