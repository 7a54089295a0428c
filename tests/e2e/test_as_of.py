"""As of N on the whole work equals, byte for byte, a work that holds only the chapters up to N."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import pytest

from contracts.events import (
    ChapterEvent,
    ChapterMoved,
    ChapterPublished,
    ChapterWithdrawn,
    NewPlace,
    WorkReordered,
)
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from contracts.ports import NewRecord
from contracts.requests import OneCharacter, OneThread, Question, Story, WholeStory
from contracts.topics import CHAPTERS
from streams.operations import (
    ASK,
    CHARACTER,
    CHARACTERS,
    EXPORT,
    SEARCH,
    THREAD,
    THREADS,
    TREE,
)
from streams.performing import Here
from streams.session import Home
from streams.settings import Settings
from streams.wiring import open_home
from tests.e2e.homes import chapters_of, embedded, in_memory, publish

QUESTIONS: Final = {
    "alice-in-wonderland": ["What did the bottle do to Alice?", "Who stole the tarts?"],
    "sign-of-the-four": ["Who is Jonathan Small?", "What is in the Agra treasure box?"],
    "journey-to-the-west": ["悟空的金箍棒从哪里来？", "唐僧是谁？"],
}
_FOLLOWED: Final = 4  # threads and characters, the first of each list: all are cut from one export


async def told(home: Home, work: str, as_of: str) -> dict[str, bytes]:
    """Return all that a reader of `work` up to an ordinal can ask for, as it is sent."""
    here, at = Here(home), Ordinal.parse(as_of)
    story = Story(work_id=work, as_of=at)
    threads, characters = await here.call(THREADS, story), await here.call(CHARACTERS, story)
    whole = await here.call(EXPORT, WholeStory(work_id=work, as_of=at, text=True))
    found = {
        "export": whole.to_json(),
        "tree": (await here.call(TREE, story)).to_json(),
        "threads": threads.to_json(),
        "characters": characters.to_json(),
    }
    for line in threads.threads[-_FOLLOWED:]:
        thread = await here.call(THREAD, OneThread(work_id=work, as_of=at, thread=line.id))
        found[f"thread {line.id}"] = thread.to_json()
    for each in characters.characters[:_FOLLOWED]:
        one = OneCharacter(work_id=work, as_of=at, character=each.id)
        found[f"character {each.id}"] = (await here.call(CHARACTER, one)).to_json()
    for words in QUESTIONS[work]:
        question = Question(work_id=work, question=words, as_of=at, words=400)
        found[f"search {words}"] = (await here.call(SEARCH, question)).to_json()
        found[f"ask {words}"] = (await here.call(ASK, question)).to_json()
    return found


async def assert_no_later_chapter_shows(
    settings: Settings, folder: str, book: str, chapters: int
) -> None:
    """Read the work as it grows, chapter by chapter; then read it again as of each of them."""
    published = chapters_of(folder, book)[:chapters]
    seen: dict[str, dict[str, bytes]] = {}
    async with open_home(settings) as home:
        for event in published:
            report = await publish(home, [event])
            assert not report.dead
            assert not report.held
            seen[str(event.ordinal)] = await told(home, book, str(event.ordinal))
        for name in ("export", "tree", "threads", "characters"):
            assert len({outputs[name] for outputs in seen.values()}) == len(published)
        for as_of, outputs in seen.items():
            assert await told(home, book, as_of) == outputs, f"{book} as of {as_of} knows more"


@pytest.mark.parametrize(
    ("folder", "book", "chapters"),
    [
        ("books", "alice-in-wonderland", 12),
        ("books", "sign-of-the-four", 12),
        ("cjk", "journey-to-the-west", 8),
    ],
)
async def test_no_later_chapter_shows(
    tmp_path: Path, folder: str, book: str, chapters: int
) -> None:
    await assert_no_later_chapter_shows(in_memory(tmp_path), folder, book, chapters)


@pytest.mark.real
async def test_no_later_chapter_shows_in_the_stores_that_users_have(tmp_path: Path) -> None:
    await assert_no_later_chapter_shows(embedded(tmp_path), "books", "alice-in-wonderland", 7)


# --- a work with a past ---------------------------------------------------------------------------

W: Final = WorkId("alice-in-wonderland")
_LETTERS: Final = 6_000  # of each chapter: a few scenes
_UNREADABLE: Final = {"unreadable": "2.5", "unreadable, later": "5.5"}


async def publish_unreadable(home: Home, name: str) -> None:
    """Publish a chapter that nobody can read: it is a gap from its ordinal on."""
    fields = {"kind": "chapter.published", "work_id": W, "chapter_id": name, "body": " "}
    value = json.dumps(fields | {"ordinal": _UNREADABLE[name]}).encode()
    await home.log.append([NewRecord(CHAPTERS, W.encode(), value)])
    await home.runner().run_until_idle()


def placed(chapter: ChapterPublished, ordinal: object, **changes: object) -> ChapterPublished:
    return chapter.model_copy(update={"ordinal": Ordinal.parse(ordinal), **changes})


def withdrawn(name: str) -> ChapterWithdrawn:
    return ChapterWithdrawn(work_id=W, chapter_id=ChapterId(name))


def past(chapters: Sequence[ChapterPublished]) -> list[Sequence[ChapterEvent] | str]:
    """Return portions of events after which `chapters` stand at 1 to 8; texts name gaps."""
    one, two, three, four, five, six, seven, eight, ninth = chapters
    extra = placed(ninth, "1.5", chapter_id=ChapterId("extra"))
    return [
        [two, four, placed(three, 3, body=ninth.body)],  # with a text that is not its own
        "unreadable",
        [one],  # inserted below all
        [extra, placed(six, 5), placed(five, 6)],
        [three, placed(seven, 9)],  # the edit
        "unreadable, later",
        [withdrawn("extra"), withdrawn(two.chapter_id)],
        [eight, ChapterMoved(work_id=W, chapter_id=seven.chapter_id, ordinal=Ordinal.parse(7))],
        [
            WorkReordered(
                work_id=W,
                chapters=tuple(
                    NewPlace(chapter_id=each.chapter_id, ordinal=each.ordinal)
                    for each in (five, six)
                ),
            ),
            two,
        ],
    ]


@pytest.mark.parametrize("make", [in_memory, pytest.param(embedded, marks=pytest.mark.real)])
async def test_insertions_edits_and_withdrawals_before_n_do_not_show_either(
    tmp_path: Path, make: Callable[[Path], Settings]
) -> None:
    chapters = [
        placed(each, number, body=each.body[:_LETTERS])
        for number, each in enumerate(chapters_of("books", W)[:9], start=1)
    ]
    async with open_home(make(tmp_path / "home")) as home:
        for portion in past(chapters):
            if isinstance(portion, str):
                await publish_unreadable(home, portion)
            else:
                await publish(home, portion)
        seen = {str(each.ordinal): await told(home, W, str(each.ordinal)) for each in chapters[:8]}
    assert b"unreadable" not in seen["2"]["ask Who stole the tarts?"]
    assert b'"2.5"' in seen["3"]["ask Who stole the tarts?"]
    assert b"unreadable, later" not in seen["5"]["search Who stole the tarts?"]
    assert b"unreadable, later" in seen["6"]["search Who stole the tarts?"]
    for last in range(1, 9):
        async with open_home(in_memory(tmp_path / str(last))) as only:
            for name, place in _UNREADABLE.items():
                if Ordinal.parse(place) <= Ordinal.parse(last):
                    await publish_unreadable(only, name)
            await publish(only, chapters[:last])
            expected = await told(only, W, str(last))
        for name, output in seen[str(last)].items():
            assert output == expected.get(name), f"{name} as of {last} shows more than it may"
