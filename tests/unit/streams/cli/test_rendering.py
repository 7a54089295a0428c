"""What is printed fits 80 columns, needs no colour, and takes no text for markup."""

from __future__ import annotations

import io

import pytest
from rich.console import Console, RenderableType

from contracts.answers import Answer, Citation, FoundPassage, Gap, SearchResult, Spent
from contracts.ids import ChapterId, SceneId, WorkId
from contracts.messages import Outcome
from contracts.ordinals import Ordinal
from contracts.reports import (
    ChapterOutcome,
    ChapterWarnings,
    DeadLetterLine,
    DoctorReport,
    Finding,
    FindingKind,
    Hold,
    IndexReport,
    StageLag,
    StatusReport,
    ThreadState,
    Tie,
    WorkFindings,
    WorkStatus,
)
from contracts.requests import Timeline
from contracts.scenes import Warned
from contracts.story_graph import CastPlace, StoryPlace, ThreadPlace
from streams.cli.comparing_shown import compared_shown
from streams.cli.following_shown import path_shown, timeline_shown
from streams.cli.progress import Rate
from streams.cli.rendering import (
    answer_shown,
    chapter_shown,
    character_shown,
    characters_shown,
    search_shown,
    thread_shown,
    threads_shown,
    tree_shown,
)
from streams.cli.standing import doctor_shown, index_shown, status_shown
from streams.comparing_trees import compare
from streams.reading import linking, people, plots
from streams.reading.paging import turn_of
from streams.reading.timeline import timeline
from streams.reading.tree import tree
from tests.unit.streams.exports import EXPORT
from tests.unit.streams.reading.tale import INN, JIM, SEA, a_page, a_tale

SEVEN = Ordinal.parse(7)
GAP = Gap(chapter_id=ChapterId("c9"), ordinal=SEVEN, reason="the body is empty")


def shown(what: RenderableType) -> str:
    console = Console(file=io.StringIO(), width=80, markup=False, highlight=False)
    console.print(what)
    text = console.file.getvalue()  # type: ignore[attr-defined]  # it is the StringIO above
    assert "\x1b" not in text
    assert all(len(line) <= 80 for line in text.splitlines())
    return str(text)


def passage(scene: str, text: str) -> FoundPassage:
    return FoundPassage(
        chapter_id=ChapterId("c7"),
        ordinal=SEVEN,
        scene_id=SceneId(scene),
        start=0,
        end=len(text),
        text=text,
        score=1.5,
        channel="passage",
    )


def answer(text: str, *quotes: str) -> Answer:
    return Answer(
        answer=text,
        abstained=not text,
        as_of=SEVEN,
        indexed_to=SEVEN,
        gaps=(GAP,),
        citations=tuple(
            Citation(
                chapter_id=ChapterId("c7"),
                ordinal=SEVEN,
                scene_id=SceneId("s"),
                start=0,
                end=1,
                quote=quote,
            )
            for quote in quotes
        ),
        spent=Spent(),
        channels=(),
    )


def test_an_answer_with_its_citations_and_gaps() -> None:
    text = shown(answer_shown(answer("A [bold]ham[/bold].", "It was\na ham. " * 40)))
    assert text.startswith("A [bold]ham[/bold].\n")
    assert "chapter 7: “It was a ham." in text
    assert "…”" in text
    assert "Not read: chapter 7 (the body is empty)." in text


def test_an_abstention_says_as_of_when() -> None:
    assert "as of chapter 7 does not say" in shown(answer_shown(answer("")))


def test_passages_stand_by_scene() -> None:
    found = SearchResult(
        as_of=SEVEN,
        words=9,
        indexed_to=SEVEN,
        gaps=(),
        passages=(passage("a", "One."), passage("a", "Two."), passage("b", "Three.")),
    )
    assert shown(search_shown(found)).count("Chapter 7") == 2
    assert "Nothing found" in shown(search_shown(found.model_copy(update={"passages": ()})))


def test_a_tree_is_cut_at_its_depth() -> None:
    whole = shown(tree_shown(tree(EXPORT), 3))
    assert "arc of 1 scene from 2" in whole
    cut = shown(tree_shown(tree(EXPORT), 1))
    assert "arc of" not in cut
    assert "1 more" in cut
    long = tree(EXPORT.model_copy(update={"work_id": WorkId("w" * 200)}))
    shown(tree_shown(long, 3))


async def test_threads_and_characters() -> None:
    view = await (await a_tale()).as_of(4)
    page, scenes = turn_of(a_page(), CastPlace), turn_of(a_page(2), StoryPlace)
    told = shown(threads_shown(await plots.threads(view, turn_of(a_page(), ThreadPlace))))
    assert "1 +1" in told
    assert "sleeping" in told
    inn = await plots.thread(view, INN, scenes)
    assert "of another thread" in shown(thread_shown(inn))
    assert "sleeping since chapter 2" in shown(thread_shown(inn))
    for state, words in ((ThreadState.OPEN, "newest"), (ThreadState.ENDED, "ended: told last")):
        line = inn.thread.model_copy(update={"state": state})
        assert words in shown(thread_shown(inn.model_copy(update={"thread": line})))
    assert "Barbecue" in shown(characters_shown(await people.characters(view, page)))
    told = shown(character_shown(await people.character(view, "ben gunn", scenes)))
    assert "the stranger (from 4)" in told
    jim = await people.character(view, "jim hawkins", scenes)
    many = jim.model_copy(update={"companion_count": 30})
    assert "Long John Silver (2), the stranger (1), and 22 more" in shown(character_shown(many))
    assert "+ 1 scene  Title of sea-1" in shown(
        chapter_shown(EXPORT.model_copy(update={"chapters": EXPORT.chapters[:1]}), "One")
    )


async def test_paths() -> None:
    tale = await a_tale()
    view = await tale.as_of(4)
    told = shown(path_shown(await linking.path(view, "silver", "flint", 1)))
    assert "Long John Silver – Jim Hawkins – the stranger – Ben Gunn – Captain Flint" in told
    assert "Long John Silver and Jim Hawkins, from chapter 1 (2 scenes together)" in told
    assert "the stranger is Ben Gunn, revealed in chapter 4" in told
    early = await linking.path(await tale.as_of(3), "silver", "flint", 1)
    assert "are not linked as of chapter 3" in shown(path_shown(early))
    assert "are one character" in shown(path_shown(await linking.path(view, JIM, JIM, 1)))


async def test_timelines() -> None:
    view = await (await a_tale()).as_of(4)
    asked = Timeline(work_id="tale", as_of="head")
    told = shown(timeline_shown(await timeline(view, asked, turn_of(asked, StoryPlace))))
    assert "first seen: Jim Hawkins, Long John Silver" in told
    assert "    with Jim Hawkins  " in told
    assert f"in Title of {SEA}; Title of {INN}" in told
    assert told.rstrip().endswith("revealed: Ben Gunn is the stranger")
    none = asked.model_copy(update={"first": Ordinal.parse(5)})
    empty = await timeline(view, none, turn_of(none, StoryPlace))
    assert "no such scene" in shown(timeline_shown(empty))


LETTER = DeadLetterLine(
    source="chapters",
    offset=3,
    stage="segment",
    kind="unreadable",
    reason="the body is empty",
    work_id="w",
    chapter_id="c9",
    ordinal=SEVEN,
)
HOLD = Hold(
    stage="graft", source="embedded.g1", offset=3, work_id="w", chapter_id=None, reason="it is down"
)


def test_status_tells_everything_that_is_not_as_it_should_be() -> None:
    work = WorkStatus(
        work_id=WorkId("w"),
        title="",
        generation="g1",
        chapters=3,
        words=1234,
        scenes=5,
        storylines=2,
        indexed_to=SEVEN,
        gaps=(GAP,),
        warnings=(
            ChapterWarnings(
                chapter_id=ChapterId("c5"), ordinal=SEVEN, warnings=(Warned.LOOKS_LIKE_NOTICE,)
            ),
        ),
        ties=(Tie(ordinal=SEVEN, chapter_ids=(ChapterId("a"), ChapterId("b"))),),
        outcomes=(ChapterOutcome(chapter_id=ChapterId("c1"), outcome=Outcome.STALE),),
    )
    lag = (StageLag(stage="graft", source="embedded.g1", waiting=4),)
    text = shown(
        status_shown(StatusReport(works=(work,), lag=lag, held=(HOLD,), dead_letters=(LETTER,)))
    )
    for told in (
        "1,234",
        "chapter c9 at 7 is a gap",
        "looks like notice",
        "2 chapters stand at 7: a, b",
        "last event of chapter c1 was stale",
        "4 before graft",
        "held before graft: it is down",
        "w, chapter c9 (chapters 3, segment): the body is empty",
    ):
        assert told in text


def test_index_tells_what_was_done_and_what_failed() -> None:
    report = IndexReport(
        works=(WorkId("w"),),
        unit="chapters",
        new=2,
        unchanged=30,
        refused=1,
        missing=4,
        problems=("3.txt: it is no text; save it as UTF-8.",),
        dead_letters=(LETTER,),
        held=(HOLD,),
    )
    text = shown(index_shown(report, Rate(words=1000, seconds=2.0)))
    for told in (
        "w: 2 new, 0 changed, 30 unchanged chapters.",
        "1,000 words in 2.0 s (500 words/s)",
        "3.txt: it is no text",
        "1 could not be read before",
        "4 chapters that are indexed are not in the input",
        "the body is empty",
        "held before graft",
    ):
        assert told in text


def test_doctor_names_what_it_found() -> None:
    report = DoctorReport(
        works=(
            WorkFindings(work_id=WorkId("a"), findings=()),
            WorkFindings(
                work_id=WorkId("b"),
                findings=tuple(
                    Finding(kind=FindingKind.ROW_LOST, text=f"row {n} is lost") for n in range(30)
                ),
            ),
        ),
        log=(Finding(kind=FindingKind.LOG_DAMAGED, text="page 7 cannot be read"),),
    )
    text = shown(doctor_shown(report))
    assert "row 3 is lost" in text
    assert "The event log: 1 found" in text
    assert "page 7 cannot be read" in text
    assert "a: sound." in text
    assert "b: 30 found" in text
    assert "and 10 more" in text


@pytest.mark.parametrize("works", [(), None])
def test_nothing_to_show(works: tuple[()] | None) -> None:
    assert "Nothing waits" in shown(
        status_shown(StatusReport(works=(), lag=(), held=(), dead_letters=()))
    )
    assert "no work" in shown(doctor_shown(DoctorReport(works=())))


def test_a_comparison_tells_the_first_differences_of_each_part() -> None:
    assert "They are the same." in shown(compared_shown(compare(EXPORT, EXPORT)))
    cut = EXPORT.model_copy(update={"chapters": EXPORT.chapters[:1], "characters": ()})
    text = shown(compared_shown(compare(EXPORT, cut)))
    for told in (
        "A  w as of 3 (g1): 3 chapters",
        "chapter: 2 differ",
        "only in A",
        "Long John Silver",
    ):
        assert told in text
    many = EXPORT.model_copy(
        update={
            "storylines": tuple(
                each.model_copy(update={"id": f"{n:08x}" + "0" * 24, "title": "[bold]T " * 60})
                for n, each in enumerate(EXPORT.storylines * 9)
            )
        }
    )
    text = shown(compared_shown(compare(EXPORT, many)))
    assert "storyline: 40 differ" in text
    assert "… and 28 more" in text
    assert "[bold]T" in text
