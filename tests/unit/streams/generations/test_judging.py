"""Each threshold blocks a swap where it is not kept, and only there; in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from contracts.ids import ChapterId
from contracts.ordinals import Ordinal
from contracts.reports import (
    ChapterSize,
    ChapterState,
    ComparedChapter,
    ComparedQuestion,
    ComparedWork,
    Finding,
    FindingKind,
    Hold,
    Size,
    StageLag,
)
from contracts.verifying import USUAL_THRESHOLDS, Thresholds
from streams.generations.judging import Seen, breaches
from tests.unit.streams.generations.builds import W

FALLBACKS = (
    "fallbacks: In more than 5.0% of the chapters no answer of the model was of use: w (2 of 10)."
)
SIZE = Size(chapters=10, words=10_000, scenes=40)


def work(
    candidate: Size = SIZE,
    *chapters: ComparedChapter,
    live: Size = SIZE,
    story_words: int = 10_000,
    findings: Sequence[Finding] = (),
) -> ComparedWork:
    return ComparedWork(
        work_id=W,
        live=live,
        candidate=candidate,
        story_words=story_words,
        recut=0,
        chapters=chapters,
        findings=tuple(findings),
    )


def chapter(state: ChapterState, reason: str = "", words: int = 1_000) -> ComparedChapter:
    return ComparedChapter(
        chapter_id=ChapterId("7"),
        ordinal=Ordinal.parse(7),
        state=state,
        live=ChapterSize(words=words, scenes=4),
        candidate=None,
        reason=reason,
    )


def question(overlap: float = 1.0, found: tuple[bool, bool] | None = None) -> ComparedQuestion:
    return ComparedQuestion(
        work_id=W,
        as_of=Ordinal.parse(1),
        question="Who?",
        overlap=overlap,
        first_changed=False,
        live=None,
        candidate=None,
        found=found,
    )


def told(
    *works: ComparedWork,
    questions: Sequence[ComparedQuestion] = (),
    lag: int = 0,
    held: Sequence[Hold] = (),
    limits: Thresholds = USUAL_THRESHOLDS,
) -> list[str]:
    lags = [StageLag(stage="embed", source="scenes.g2", waiting=lag)]
    found = breaches(Seen(works, questions, lags, held), limits)
    return [f"{each.kind}: {each.text}" for each in found]


def only(*parts: str) -> list[str]:
    return ["".join(parts)]


def test_a_build_that_is_the_same_passes() -> None:
    assert told(work(), questions=[question(1.0, (True, True))] * 10) == []


def test_a_hold_blocks() -> None:
    hold = Hold(
        stage="segment",
        source="chapters",
        offset=3,
        work_id="w",
        chapter_id="7",
        reason="it is down",
    )
    assert told(work(), held=[hold]) == ["held: Stage segment is held (work w): it is down."]


def test_a_few_events_on_their_way_do_not_block() -> None:
    assert told(work(), lag=20) == []
    assert told(work(), lag=21) == [
        "waiting: 21 events are not in it yet (21 before embed); 20 may be on their way."
    ]


def test_a_missing_chapter_blocks_and_one_that_waits_does_not() -> None:
    fewer = SIZE.model_copy(update={"chapters": 9, "words": 9_000, "scenes": 36})
    missing = chapter(ChapterState.MISSING, "too large")

    assert told(work(fewer, chapter(ChapterState.WAITING), story_words=9_000)) == []
    assert told(work(fewer, missing, story_words=9_000)) == only(
        "missing: 1 chapter that readers see now would be gone or out of date: ",
        "w, chapter 7 (too large).",
    )
    assert told(work(fewer, missing, story_words=9_000), limits=Thresholds(missing=1)) == []


def test_what_was_withdrawn_blocks_always() -> None:
    found = told(work(SIZE, chapter(ChapterState.WITHDRAWN)), limits=Thresholds(missing=99))
    assert found == ["withdrawn: 1 chapter withdrawn by now would be shown again: w, chapter 7."]


def test_findings_block_and_the_first_are_named() -> None:
    wrong = [Finding(kind=FindingKind.TREE_WRONG, text=f"fault {number}") for number in range(5)]
    assert told(work(findings=wrong)) == only(
        "findings: 5 faults in what is stored: w: fault 0; w: fault 1; w: fault 2 and 2 more."
    )


@pytest.mark.parametrize(
    ("candidate", "story_words", "begins"),
    [
        (SIZE, 10_102, "coverage: Less than 99.0% of the story stands in scenes: w (98.99%)."),
        (
            SIZE.model_copy(update={"words": 9_800}),
            9_800,
            "words: The story would have more than 1.0% fewer words: w (2.00%).",
        ),
        (
            SIZE.model_copy(update={"scenes": 9}),
            10_000,
            "scenes: Scenes are more than 4 times as many or as few as now: w (40 and then 9).",
        ),
        (
            SIZE.model_copy(update={"scenes": 161}),
            10_000,
            "scenes: Scenes are more than 4 times as many or as few as now: w (40 and then 161).",
        ),
        (
            SIZE.model_copy(update={"fallbacks": 2}),
            10_000,
            FALLBACKS,
        ),
    ],
)
def test_sizes_block(candidate: Size, story_words: int, begins: str) -> None:
    assert told(work(candidate, story_words=story_words)) == [begins]


def test_a_work_of_few_scenes_may_have_any_number_of_them() -> None:
    few = Size(chapters=3, words=10_000, scenes=19)
    assert told(work(few.model_copy(update={"scenes": 3}), live=few)) == []


def test_sentences_that_are_lost_block_less_those_that_are_won() -> None:
    kept = [question(1.0, (True, True))] * 95
    lost, won = question(1.0, (True, False)), question(1.0, (False, True))

    assert told(work(), questions=[*kept, *kept[:5], lost, lost, question()]) == []
    assert told(work(), questions=[*kept, *kept[:5], lost, lost, lost, won]) == []
    assert told(work(), questions=[*kept, *[lost] * 5]) == only(
        "lost: Of 100 sentences that were asked for 5 are no longer found and 0 only now: ",
        "more than 2.0% are lost.",
    )


def test_other_evidence_for_most_questions_blocks() -> None:
    assert told(work(), questions=[question(0.4), question(0.6)]) == []
    assert told(work(), questions=[question(0.4), question(0.5)]) == [
        "overlap: Only 45.0% of the evidence for 2 questions is the same; it should be 50.0%."
    ]
