"""As of N on the whole work equals, byte for byte, a work that holds only the chapters up to N."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
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
from contracts.explanations import ExplainedAnswer, Timing
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from contracts.ports import NewRecord
from contracts.requests import (
    OneCharacter,
    OneThread,
    Page,
    Question,
    Story,
    Timeline,
    TwoCharacters,
    WholeStory,
)
from contracts.topics import CHAPTERS
from streams.not_found import NotFound
from streams.operations import (
    ASK,
    CHARACTER,
    CHARACTERS,
    EXPLAIN,
    EXPORT,
    PATH,
    SEARCH,
    THREAD,
    THREADS,
    TIMELINE,
    TREE,
    A,
    Operation,
    Q,
)
from streams.performing import Here
from streams.session import Home
from streams.settings import Settings
from streams.wiring import open_home
from tests.corpus import WHOLE, enough
from tests.e2e.homes import chapters_of, embedded, in_memory, publish

_STEP: Final = 1 if WHOLE else 6
"""Every sixth character and thread is asked for, and each in `make corpus`."""

QUESTIONS: Final = {
    "alice-in-wonderland": ["What did the bottle do to Alice?", "Who stole the tarts?"],
    "sign-of-the-four": ["Who is Jonathan Small?", "What is in the Agra treasure box?"],
    "journey-to-the-west": ["悟空的金箍棒从哪里来？", "唐僧是谁？"],
}
NAMES: Final = {
    "alice-in-wonderland": ["Mock Turtle", "Mock Turtel", "the Knave", "Dutchess", "e"],
    "sign-of-the-four": ["Jonathan Small", "Jonathon Smal", "Tonga", "Sholto", "e"],
    "journey-to-the-west": ["八戒", "猪八戒", "玄奘", "悟空", "王"],
}
"""Of persons who come early, late or never, misspelt ones too: whom they find, or the error."""


async def told(home: Home, work: str, as_of: str) -> dict[str, bytes]:
    """Return what a reader of `work` up to an ordinal can ask for, as it is sent."""
    reader = Reader(home, work, Ordinal.parse(as_of))
    threads = await reader.pages(THREADS, Page)
    characters = await reader.pages(CHARACTERS, Page)
    found = {
        "export": await reader.ask(EXPORT, WholeStory, text=True),
        "tree": await reader.ask(TREE, Story),
        "threads": b"".join(page.to_json() for page in threads),
        "characters": b"".join(page.to_json() for page in characters),
        "timeline": b"".join(
            page.to_json() for page in await reader.pages(TIMELINE, Timeline, limit=40)
        ),
        "early": await reader.ask(TIMELINE, Timeline, first="2", last="3", limit=3),
    }
    ids = [line.id for page in characters for line in page.characters][::_STEP]
    for line in [line for page in threads for line in page.threads][::_STEP]:
        found[f"thread {line.id}"] = await reader.ask(THREAD, OneThread, thread=line.id, limit=9)
    for name in (*ids, *NAMES[work]):
        found[f"character {name}"] = await reader.ask(
            CHARACTER, OneCharacter, character=name, limit=9
        )
    for one, other in (*pairwise((*ids[:6], *NAMES[work])), (ids[0], ids[-1])):
        found[f"path {one} {other}"] = await reader.ask(PATH, TwoCharacters, one=one, other=other)
    for name in (ids[-1], *NAMES[work]):
        found[f"timeline of {name}"] = await reader.ask(TIMELINE, Timeline, character=name)
    for prefix in ("", "0", "none such"):
        found[f"thread {prefix}"] = await reader.ask(THREAD, OneThread, thread=prefix)
        found[f"timeline of {prefix}"] = await reader.ask(TIMELINE, Timeline, thread=prefix)
    for words in QUESTIONS[work]:
        found[f"search {words}"] = await reader.ask(SEARCH, Question, question=words, words=400)
        found[f"ask {words}"] = await reader.ask(ASK, Question, question=words, words=400)
        explained = ExplainedAnswer.model_validate_json(
            await reader.ask(EXPLAIN, Question, question=words, words=400)
        )
        timeless = explained.explanation.model_copy(update={"timing": Timing()})
        found[f"explain {words}"] = timeless.to_json()
    return found


@dataclass(frozen=True)
class Reader:
    """Asks a home of one work as of one ordinal."""

    home: Home
    work: str
    as_of: Ordinal

    async def ask(self, operation: Operation[Q, A], request: type[Q], **asked: object) -> bytes:
        """Return the answer as it is sent, or what an error says."""
        try:
            answer = await Here(self.home).call(operation, self._request(request, asked))
        except NotFound as error:
            return str(error).encode()
        return answer.to_json()

    async def pages(
        self, operation: Operation[Q, A], request: type[Q], *, limit: int = 20
    ) -> list[A]:
        """Return every page of a list; each is asked for with what the one before it says."""
        found: list[A] = []
        after: str | None = None
        while not found or after is not None:
            asked = self._request(request, {"limit": limit, "after": after})
            found.append(await Here(self.home).call(operation, asked))
            after = getattr(found[-1], "next", None)
        return found

    def _request(self, request: type[Q], asked: dict[str, object]) -> Q:
        fields = {"work_id": self.work, "as_of": self.as_of, **asked}
        return request.model_validate(fields)


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
        for name in ("export", "tree", "threads", "characters", "timeline"):
            assert len({outputs[name] for outputs in seen.values()}) == len(published)
        for as_of, outputs in seen.items():
            assert await told(home, book, as_of) == outputs, f"{book} as of {as_of} knows more"


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("folder", "book", "chapters"),
    enough(
        [
            ("books", "alice-in-wonderland", 12),
            ("books", "sign-of-the-four", 12),
            ("cjk", "journey-to-the-west", 8),
        ],
        [("books", "sign-of-the-four", 6), ("cjk", "journey-to-the-west", 4)],
    ),
)
async def test_no_later_chapter_shows(
    tmp_path: Path, folder: str, book: str, chapters: int
) -> None:
    await assert_no_later_chapter_shows(in_memory(tmp_path), folder, book, chapters)


@pytest.mark.corpus
@pytest.mark.real
async def test_no_later_chapter_shows_in_the_stores_that_users_have(tmp_path: Path) -> None:
    chapters = 5 if WHOLE else 3
    await assert_no_later_chapter_shows(
        embedded(tmp_path), "books", "alice-in-wonderland", chapters
    )


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


def nine_chapters() -> list[ChapterPublished]:
    return [
        placed(each, number, body=each.body[:_LETTERS])
        for number, each in enumerate(chapters_of("books", W)[:9], start=1)
    ]


@pytest.fixture(scope="module")
def growing(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Mapping[str, bytes]]:
    """What works tell that hold the chapters up to 1, 2 … 8, and nothing else, by the last one."""
    return asyncio.run(_growing(tmp_path_factory.mktemp("growing")))


async def _growing(folder: Path) -> Mapping[str, Mapping[str, bytes]]:
    chapters, found = nine_chapters(), {}
    for last in range(1, 9):
        async with open_home(in_memory(folder / str(last))) as only:
            for name, place in _UNREADABLE.items():
                if Ordinal.parse(place) <= Ordinal.parse(last):
                    await publish_unreadable(only, name)
            await publish(only, chapters[:last])
            found[str(last)] = await told(only, W, str(last))
    return found


@pytest.mark.corpus
@pytest.mark.parametrize("make", [in_memory, pytest.param(embedded, marks=pytest.mark.real)])
async def test_insertions_edits_and_withdrawals_before_n_do_not_show_either(
    tmp_path: Path, growing: Mapping[str, Mapping[str, bytes]], make: Callable[[Path], Settings]
) -> None:
    chapters = nine_chapters()
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
    for last, expected in growing.items():
        for name, output in seen[last].items():
            assert output == expected.get(name), f"{name} as of {last} shows more than it may"
