"""What is wrong with a generation is told before readers see it, and blocks the swap or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from contracts.errors import PermanentError
from contracts.events import ChapterWithdrawn, QuestionAsked
from contracts.ids import FIRST_GENERATION, ChapterId
from contracts.ordinals import Ordinal
from contracts.ports import NewRecord
from contracts.reports import BreachKind, ChapterState, FindingKind
from contracts.scenes import ChapterText, Segment, Segmentation
from contracts.topics import QUESTIONS
from contracts.verifying import Sample, Thresholds, Verification
from graph.grafting_plan import linked_keys
from processors.cohesion import CohesionSegmenter
from processors.sif import SifEmbedder
from streams.generations.home import verify
from streams.operations import NOBODY
from tests.e2e.verifying import CANDIDATE, CHAPTERS_TOLD, STORY, Beside, W, beside, kinds

OTHER_WEIGHTS = Path(__file__).parents[1] / "unit" / "streams" / "weights.json"
THIRD = CHAPTERS_TOLD[2]


class Sliver:
    """Cuts after every sentence."""

    version = "sliver"

    async def segment(self, chapter: ChapterText) -> Segmentation:
        count = len(chapter.sentences)
        segments = tuple(Segment(from_idx=at, to_idx=at) for at in range(1, count + 1))
        return Segmentation(segments=segments, segmenter=self.version)


async def test_a_generation_built_alike_passes_and_is_told_twice_alike(tmp_path: Path) -> None:
    async with beside(tmp_path) as found:
        report = await found.verified()

        assert report.passed
        assert report.changes == report.unchecked == ()
        (work,) = report.works
        assert work.live == work.candidate
        assert (work.candidate.chapters, work.coverage, work.recut) == (3, 1.0, 0)
        assert len(report.questions) == 6  # two a chapter
        assert {each.overlap for each in report.questions} == {1.0}
        assert {each.found for each in report.questions} == {(True, True)}
        assert await found.verified() == report
        assert await found.verified(sample=Sample(questions=2, seed="b")) != report
        told = found.home.generations.require(CANDIDATE).verified
        assert told is not None
        assert (told.beside, told.breaches) == ("g1", ())


async def test_other_weights_are_told_and_block_nothing(tmp_path: Path) -> None:
    async with beside(tmp_path, weights_file=OTHER_WEIGHTS) as found:
        report = await found.verified()

        trees = [await found.home.tree.records(W, each) for each in (FIRST_GENERATION, CANDIDATE)]
        assert trees[0] != trees[1]
        assert report.passed, report.breaches
        assert all(change.startswith("tree: weight_") for change in report.changes)
        assert len(report.changes) == 2


async def test_a_tree_of_other_weights_than_its_version_says_is_wrong(tmp_path: Path) -> None:
    async with beside(tmp_path, weights_file=OTHER_WEIGHTS) as found:
        mixed = replace(found, weights=found.home.ports.weights)
        await mixed.publish(*STORY.given.chapters[3:5])
        await mixed.build_live()
        await mixed.build()

        report = await mixed.verified()

        assert {each.kind for each in report.works[0].findings} >= {FindingKind.RECORD_WRONG}
        assert kinds(report) == {BreachKind.FINDINGS}


async def test_other_scenes_are_counted_and_may_pass(tmp_path: Path) -> None:
    longer = CohesionSegmenter(SifEmbedder(), scene_words=900)
    async with beside(tmp_path, segmenter=longer) as found:
        report = await found.verified()

        (work,) = report.works
        assert work.recut > 0
        assert work.candidate.scenes < work.live.scenes
        assert work.candidate.words == work.live.words
        assert {each.state for each in work.chapters} == {ChapterState.RECUT}
        assert report.passed, report.breaches


async def test_a_segmentation_that_fell_apart_blocks(tmp_path: Path) -> None:
    async with beside(tmp_path, segmenter=Sliver()) as found:
        report = await found.verified()

        assert BreachKind.SCENES in kinds(report)
        assert report.works[0].findings == ()


async def test_a_chapter_that_waits_is_no_missing_one(tmp_path: Path) -> None:
    async with beside(tmp_path) as found:
        await found.publish(*STORY.given.chapters[3:5])
        await found.build_live()
        await found.build(["segment"])

        report = await found.verified()

        assert report.passed
        waits = report.works[0].in_state(ChapterState.WAITING)
        assert [each.chapter_id for each in waits] == [
            each.chapter_id for each in STORY.given.chapters[3:5]
        ]
        assert sum(lag.waiting for lag in report.lag) > 0
        assert kinds(await found.verified(Thresholds(waiting=1))) == {BreachKind.WAITING}
        await found.build()
        assert (await found.verified(Thresholds(waiting=0))).passed


async def test_a_chapter_that_is_gone_blocks_and_is_named(tmp_path: Path) -> None:
    async with beside(tmp_path) as found:
        chapters = dict(found.state().chapters)
        del chapters[THIRD.chapter_id]
        found.in_memory(chapters=chapters)

        report = await found.verified()

        (missing,) = report.works[0].in_state(ChapterState.MISSING)
        assert missing.chapter_id == THIRD.chapter_id
        assert BreachKind.MISSING in kinds(report)
        assert any(THIRD.chapter_id in breach.text for breach in report.breaches)


async def test_a_dead_letter_of_the_candidate_alone_blocks_with_its_reason(tmp_path: Path) -> None:
    async with beside(tmp_path) as found:
        narrow = replace(found, max_body_bytes=100)
        await narrow.publish(STORY.given.chapters[3])
        await narrow.build_live()
        await narrow.build()

        report = await narrow.verified()

        (missing,) = report.works[0].in_state(ChapterState.MISSING)
        assert "the limit is 100" in missing.reason
        assert kinds(report) == {BreachKind.MISSING}
        (letter,) = report.dead_letters
        assert (letter.stage, letter.chapter_id) == ("segment", STORY.given.chapters[3].chapter_id)
        assert (await narrow.verified(Thresholds(missing=1))).passed


async def test_a_chapter_that_is_damaged_blocks_and_is_named(tmp_path: Path) -> None:
    async with beside(tmp_path) as found:
        work = await found.work()
        (chapter,) = [each for each in work.chapters if each.chapter_id == THIRD.chapter_id]
        await found.home.vectors.delete(W, CANDIDATE, linked_keys(work, [chapter]))

        report = await found.verified()

        (finding, *_) = report.works[0].findings
        assert (finding.kind, finding.chapter_id) == (FindingKind.ROW_LOST, THIRD.chapter_id)
        assert kinds(report) >= {BreachKind.FINDINGS, BreachKind.LOST}
        lost = [each for each in report.questions if each.found == (True, False)]
        assert len(lost) == 2


async def test_a_tree_that_is_damaged_blocks(tmp_path: Path) -> None:
    async with beside(tmp_path) as found:
        rows = dict(found.state().rows)
        del rows[next(key for key in rows if key.startswith("home:"))]
        found.in_memory(rows=rows)

        report = await found.verified()

        assert FindingKind.TREE_WRONG in {each.kind for each in report.works[0].findings}
        assert BreachKind.FINDINGS in kinds(report)


async def test_words_that_are_in_no_scene_block(tmp_path: Path) -> None:
    async with beside(tmp_path) as found:
        contents = dict(found.state().contents)
        third = contents[ChapterId(THIRD.chapter_id)]
        contents[ChapterId(THIRD.chapter_id)] = replace(third, scenes=third.scenes[:-1])
        found.in_memory(contents=contents)

        report = await found.verified()

        (uncovered,) = report.works[0].in_state(ChapterState.UNCOVERED)
        assert uncovered.chapter_id == THIRD.chapter_id
        assert kinds(report) >= {BreachKind.COVERAGE, BreachKind.WORDS}


async def test_what_was_withdrawn_is_not_brought_back_by_a_swap(tmp_path: Path) -> None:
    async with beside(tmp_path) as found:
        await found.publish(ChapterWithdrawn(work_id=W, chapter_id=THIRD.chapter_id))
        await found.build_live()

        report = await found.verified()

        assert kinds(report) == {BreachKind.WITHDRAWN}
        await found.build()
        assert (await found.verified()).passed


async def test_a_chapter_out_of_date_is_missing_unless_its_event_waits(tmp_path: Path) -> None:
    async with beside(tmp_path) as found:
        await found.publish(THIRD.model_copy(update={"body": THIRD.body + "\n\nShe went home."}))
        await found.build_live()

        report = await found.verified()

        assert report.passed
        (waits,) = report.works[0].in_state(ChapterState.WAITING)
        assert waits.chapter_id == THIRD.chapter_id


async def test_questions_that_were_asked_are_asked_again(tmp_path: Path) -> None:
    async with beside(tmp_path) as found:
        await _ask(found, [each.question for each in STORY.questions])

        report = await found.verified(sample=Sample(questions=6))

        asked = [each for each in report.questions if each.found is None]
        assert len(asked) == min(3, len(STORY.questions))
        assert {each.question for each in asked} <= {each.question for each in STORY.questions}
        assert all(each.live == each.candidate for each in asked)


async def test_how_far_it_is_is_told(tmp_path: Path) -> None:
    class Counting:
        def __init__(self) -> None:
            self.total = self.done = 0

        def begin(self, total: int) -> None:
            self.total += total

        def passed(self, stage: str, words: int) -> None:
            self.done += 1

    watcher = Counting()
    async with beside(tmp_path) as found:
        await found.verified(sample=Sample(questions=3), watcher=watcher)

    assert (watcher.total, watcher.done) == (4, 4)


async def test_the_live_one_is_not_compared_with_itself(tmp_path: Path) -> None:
    async with beside(tmp_path) as found:
        with pytest.raises(PermanentError, match="g1 is live"):
            await verify(found.home, Verification(generation="g1"), NOBODY)
        with pytest.raises(PermanentError, match="g9 does not exist"):
            await verify(found.home, Verification(generation="g9"), NOBODY)


async def _ask(found: Beside, questions: Sequence[str]) -> None:
    asked = [
        QuestionAsked(question_id=str(n), work_id=W, question=text, as_of=Ordinal.parse(3))
        for n, text in enumerate(questions)
    ]
    await found.home.log.append(
        [NewRecord(QUESTIONS, W.encode(), each.model_dump_json().encode()) for each in asked]
    )
