"""A verification fits 80 columns and says what changed, and what speaks against a swap."""

from __future__ import annotations

import io

from rich.console import Console

from contracts.ids import ChapterId, Generation, WorkId
from contracts.ordinals import Ordinal
from contracts.reports import (
    Breach,
    BreachKind,
    ChapterSize,
    ChapterState,
    ComparedChapter,
    ComparedGeneration,
    ComparedQuestion,
    ComparedWork,
    DeadLetterLine,
    Finding,
    FindingKind,
    FirstFound,
    Size,
    VerifyReport,
)
from streams.cli.verified_shown import verified_shown

W = WorkId("the-[long]-serial")
SEVEN = Ordinal.parse(7)


def shown(report: VerifyReport) -> str:
    console = Console(file=io.StringIO(), width=80, markup=False, highlight=False)
    console.print(verified_shown(report))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def chapter(state: ChapterState, reason: str = "", number: int = 7) -> ComparedChapter:
    size = ChapterSize(words=900, scenes=3)
    return ComparedChapter(
        chapter_id=ChapterId(str(number)),
        ordinal=Ordinal.parse(number),
        state=state,
        live=size,
        candidate=size,
        story_words=1_000,
        reason=reason,
    )


def question(overlap: float, found: tuple[bool, bool] | None = None) -> ComparedQuestion:
    return ComparedQuestion(
        work_id=W,
        as_of=SEVEN,
        question="Where did [Hedda] leave the ledger, " * 4,
        overlap=overlap,
        first_changed=overlap < 0.5,
        live=FirstFound(chapter_id=ChapterId("3"), ordinal=SEVEN, text="Under the anvil. " * 9),
        candidate=None,
        found=found,
    )


def report(*chapters: ComparedChapter, **changes: object) -> VerifyReport:
    size = Size(chapters=10, words=12_345, scenes=40)
    work = ComparedWork(
        work_id=W, live=size, candidate=size, story_words=12_345, recut=3, chapters=chapters
    )
    told = VerifyReport(
        live=ComparedGeneration(generation=Generation("g1"), version="8a1f" * 4),
        candidate=ComparedGeneration(generation=Generation("g2"), version="2f3a" * 4),
        changes=("segmentation: model small -> large",),
        works=(work,),
        lag=(),
        held=(),
        dead_letters=(
            DeadLetterLine(
                source="scenes.g2",
                offset=3,
                stage="embed",
                kind="unfit",
                reason="a row is too long",
                work_id=W,
                chapter_id="5",
                ordinal=None,
            ),
        ),
        questions=(question(1.0), question(0.25), question(0.0, (True, False))),
        breaches=(),
    )
    return told.model_copy(update=changes)


def test_what_passes_says_so_and_names_the_questions_that_changed() -> None:
    told = shown(report())

    assert max(map(len, told.splitlines())) <= 80
    assert "g2 (2f3a2f3a2f3a2f3a) beside the live g1" in told
    assert "segmentation: model small -> large" in told
    assert "100.00% of the story stands in scenes; 3 chapters are cut otherwise." in told
    assert "Dead letter of embed: the-[long]-serial 5: a row is too long" in told
    assert "3 questions: 41.7% of the evidence is the same; 2 changed." in told
    assert "Of 1 sentences 1 were found, and 0 now are." in told
    assert told.index("0% the same, no longer found") < told.index("25% the same")
    assert "- chapter 7: Under the anvil." in told
    assert "+ (nothing)" in told
    assert told.rstrip().endswith("Nothing speaks against a swap.")


def test_what_blocks_is_named_with_its_chapters() -> None:
    findings = (Finding(kind=FindingKind.TREE_WRONG, text="a storyline is nowhere"),)
    chapters = (
        chapter(ChapterState.MISSING, "the body is too large"),
        chapter(ChapterState.UNCOVERED, number=8),
        chapter(ChapterState.RECUT, number=9),
    )
    whole = report(*chapters)
    told = shown(
        whole.model_copy(
            update={
                "works": (whole.works[0].model_copy(update={"findings": findings}),),
                "breaches": (Breach(kind=BreachKind.MISSING, text="1 chapter would be gone."),),
                "unchecked": ("Some things were not looked at.",),
            }
        )
    )

    assert W in told
    assert "chapter 7 at 7 is missing: the body is too large" in told
    assert "chapter 8 at 8 is not all in scenes: 900 of 1,000 words" in told
    assert "chapter 9" not in told
    assert "a storyline is nowhere" in told
    assert "Some things were not looked at." in told
    assert told.index("Against a swap:") < told.index("1 chapter would be gone.")
    assert "Nothing speaks" not in told


def test_of_much_that_is_wrong_the_first_is_shown() -> None:
    told = shown(report(*(chapter(ChapterState.MISSING, number=at) for at in range(1, 31))))

    assert "chapter 10 at 10 is missing" in told
    assert "chapter 11" not in told
    assert "… and 20 more (--json has all)" in told
