"""A withdrawn chapter is out of sight at once, and after a purge out of the home altogether.

Chapter 13 has a made-up word in its title and in each of its sentences, and two persons whom no
other chapter knows; an earlier version of it, a version that became a dead letter, a model's
answer and a reader's question have words of their own.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import signal
import sys
from collections.abc import Awaitable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from contracts.events import ChapterPublished, ChapterWithdrawn, QuestionAsked
from contracts.ids import ChapterId, WorkId
from contracts.memo import Asked, MemoEntry, Source
from contracts.ordinals import Ordinal
from contracts.ports import NewRecord
from contracts.requests import (
    HEAD,
    OneCharacter,
    OneThread,
    Page,
    Story,
    Timeline,
    TwoCharacters,
)
from contracts.topics import ANSWERS, CHAPTERS, QUESTIONS
from contracts.works import WorkRecord
from graph.exporting import export
from streams import operating
from streams.doctor import checking
from streams.indexing import index
from streams.inputs.values import EventInput
from streams.not_found import NotFound
from streams.operations import (
    CHARACTER,
    CHARACTERS,
    NOBODY,
    PATH,
    THREAD,
    THREADS,
    TIMELINE,
    TREE,
    A,
)
from streams.performing import Here
from streams.purge import purge_journal
from streams.purge.purge_ordering import PurgeRefused
from streams.purge.purging import PurgePoint, finish, purge
from streams.session import Home
from streams.settings import Settings
from streams.wiring import open_home
from tests.e2e.homes import asked, embedded, exported, in_memory, publish, searched
from tests.e2e.residue import Found, scan

W: Final = WorkId("harbour")
GONE: Final = ChapterId("c13")
PERSONS: Final = ("Zquorvella", "Zquorvin")
SENTENCES: Final = tuple(f"zquorv{a}{b}" for a in "abdefg" for b in ("ax", "ix", "ox"))
TITLE: Final = "Zquorvtitle"
OLD: Final = "zquorvold"
DEAD: Final = "zquorvdead"
SAID: Final = "zquorvsaid"
TEXT: Final = (*PERSONS, *SENTENCES, TITLE)
ALL: Final = (*TEXT, OLD, DEAD, SAID)

_NAMES = ("Hedda", "Bettina", "Clemency", "Morrow", "Ottoline")
_DEEDS = ("weighs the herring", "winds the clock", "tunes the piano", "reads the ledger",
          "locks the customs house", "rows to the island")  # fmt: skip
_PLACES = ("harbour", "station", "pass", "island", "chapel", "market")


def _body(n: int) -> str:
    told = []
    for k in range(8):
        name, other = _NAMES[(n + k) % 5], _NAMES[(n * 3 + k + 1) % 5]
        deed, place = _DEEDS[(n * 7 + k) % 6], _PLACES[(n // 5 + k) % 6]
        told.append(f"{name} {deed} in the {place} on day {n * 10 + k}. {other} said nothing.")
    return "\n\n".join(told)


def _secret_body() -> str:
    first, second = PERSONS
    return "\n\n".join(
        f"{first} hid the {word} from {second} in the cellar. {second} looked for it."
        for word in SENTENCES
    )


def _published(chapter: str, n: int, body: str, **more: object) -> ChapterPublished:
    fields = {"title": f"Day {n}", "language": "en", **more}
    return ChapterPublished.model_validate(
        {"work_id": W, "chapter_id": chapter, "ordinal": n, "body": body, **fields}
    )


def _lines() -> list[bytes]:
    lines = [
        _published(f"c{n}", n, _body(n)).to_json()
        for n in range(1, 31)
        if f"c{n}" != GONE
    ]  # fmt: skip
    unread = {"kind": "chapter.published", "work_id": W, "chapter_id": GONE, "ordinal": "far",
              "title": DEAD, "body": f"{DEAD} {DEAD}"}  # fmt: skip
    secret = _published(GONE, 13, _secret_body(), title=TITLE, metadata={"note": TITLE})
    lines[20:20] = [
        _published(GONE, 13, f"{OLD} was here. {OLD} is gone. " * 9).to_json(),
        json.dumps(unread).encode(),
        secret.to_json(),
    ]
    return lines


async def _fill(home: Home, events: Path) -> None:
    """Index the story; ask of the chapter what its words are, and a model as well."""
    await index(home, EventInput(events), NOBODY)
    question = QuestionAsked(
        question_id="q1",
        work_id=W,
        question=f"Who hid the {SENTENCES[0]} from {PERSONS[1]} in the cellar?",
        as_of=Ordinal.parse(30),
    )
    value = question.model_dump_json(exclude_none=True).encode()
    await home.log.append([NewRecord(QUESTIONS, W.encode(), value)])
    await home.runner().run_until_idle()
    call = Asked(purpose="segmentation", prompt="1", model="m", sampling="{}", input_hash="13")
    source = Source(work_id=W, chapter_id=GONE)
    answer = f"{SAID} " * 200 + " ".join(TEXT)
    await home.memo.put_if_absent(MemoEntry(asked=call, answer=answer, sources=(source,)))


async def _outputs(home: Home) -> bytes:
    """Return all that anybody can be told of the work, as one text."""
    view = await home.view(W, None)
    whole = await export(view, with_text=True)
    here = Here(home)
    threads = await here.call(THREADS, Page(work_id=W, as_of=HEAD, limit=1_000))
    ask = f"What did {PERSONS[0]} hide from {PERSONS[1]}, the {SENTENCES[0]}?"
    told = [
        whole.to_json(),
        (await export(await home.view(W, Ordinal.parse(13)), with_text=True)).to_json(),
        await searched(home, W, f"{SENTENCES[0]} {TITLE}", "30"),
        await asked(home, W, ask, "30"),
        (await here.call(TREE, Story(work_id=W, as_of=HEAD))).to_json(),
        threads.to_json(),
        (await here.call(CHARACTERS, Page(work_id=W, as_of=HEAD, limit=1_000))).to_json(),
        (await here.call(TIMELINE, Timeline(work_id=W, as_of=HEAD, limit=1_000))).to_json(),
        (await operating.status(home)).to_json(),
        (await checking.check(home)).to_json(),
    ]
    for line in threads.threads:
        thread = OneThread(work_id=W, as_of=HEAD, thread=line.id, limit=1_000)
        told.append((await here.call(THREAD, thread)).to_json())
    for person in PERSONS:
        one = OneCharacter(work_id=W, as_of=HEAD, character=person)
        linked = TwoCharacters(work_id=W, as_of=HEAD, one=person, other=PERSONS[0])
        told.append(await _or_error(here.call(CHARACTER, one)))
        told.append(await _or_error(here.call(PATH, linked)))
    return b"\n".join(told)


async def _or_error(answer: Awaitable[A]) -> bytes:
    """Return the answer, or the error without the names that were asked for."""
    try:
        return (await answer).to_json()
    except NotFound as error:
        return re.sub("|".join(PERSONS), "", str(error)).encode()


def _said(outputs: bytes) -> list[str]:
    return [word for word in ALL if word.lower().encode() in outputs.lower()]


async def _sound(home: Home) -> bool:
    return all(not work.findings for work in (await checking.check(home)).works)


async def _work(home: Home) -> WorkRecord:
    work = await home.tree.load(W)
    assert work is not None
    return work


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The story as a file of events."""
    path = tmp_path_factory.mktemp("story") / "harbour.jsonl"
    path.write_bytes(b"\n".join(_lines()) + b"\n")
    return path


@pytest.fixture(scope="module")
def filled(story: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the story; chapter 13 is there, and said."""
    folder = tmp_path_factory.mktemp("filled") / "home"
    asyncio.run(_make_filled(folder, story))
    return folder


async def _make_filled(folder: Path, story: Path) -> None:
    async with open_home(embedded(folder)) as home:
        await _fill(home, story)
        outputs = await _outputs(home)
        answers = await home.log.read(ANSWERS, 0, 9, 2**20)
        assert answers[0].value
        assert SENTENCES[0].encode() in answers[0].value
    assert set(_said(outputs)) == set(TEXT)


@dataclass(frozen=True)
class Withdrawn:
    """The home after the chapter was withdrawn, and what it says then."""

    folder: Path
    export: bytes
    work: WorkRecord


@pytest.fixture(scope="module")
def withdrawn(filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Withdrawn:
    folder = tmp_path_factory.mktemp("withdrawn") / "home"
    shutil.copytree(filled, folder)
    return asyncio.run(_withdraw(folder))


async def _withdraw(folder: Path) -> Withdrawn:
    async with open_home(embedded(folder)) as home:
        await publish(home, [ChapterWithdrawn(work_id=W, chapter_id=GONE)])
        assert _said(await _outputs(home)) == []
        assert await _sound(home)
        return Withdrawn(folder, await exported(home, W), await _work(home))


def _found(home: Path, *, ask_graph: bool = True) -> Found:
    return scan(home, (*ALL, "zquorv"), ask_graph=ask_graph)


@pytest.mark.real
async def test_before_the_purge_every_word_is_in_every_store(filled: Path) -> None:
    found = _found(filled)
    there = {place: set(ALL) - set(found.missing(place)) for place in found.places}
    assert there["events.sqlite: cells"] == {*TEXT, OLD, DEAD}
    assert there["vectors.db: columns"] >= {*PERSONS, *SENTENCES}
    assert there["graph: properties"] >= set(TEXT)
    assert there["graph: bytes"] | there["graph: zlib"] >= set(TEXT)
    assert there["memo.sqlite: cells"] == {*TEXT, SAID}


@pytest.mark.real
async def test_after_the_purge_no_word_is_left_and_all_else_is_as_before(
    withdrawn: Withdrawn, story: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "home"
    shutil.copytree(withdrawn.folder, folder)
    hidden = set(_found(folder, ask_graph=False).places)  # out of sight, and still there
    assert hidden >= {"events.sqlite: cells", "memo.sqlite: cells", "vectors.db: columns"}
    settings = embedded(folder)
    report = await purge(settings, W, [GONE])
    assert [chapter.chapter_id for chapter in report.chapters] == [GONE]
    assert (report.dead_letters, report.memo_entries, report.answers) == (1, 1, 1)
    assert (report.works, report.remains) == (1, ())
    assert _found(folder).places == {}
    async with open_home(settings) as home:
        assert await exported(home, W) == withdrawn.export
        assert await _work(home) == withdrawn.work
        assert _said(await _outputs(home)) == []
        await _replayed(home, tmp_path / "replayed")
        again = await index(home, EventInput(story), NOBODY)
        assert (again.new, again.unchanged) == (0, len(_lines()))
        await publish(home, [_published("c31", 31, _body(31))])
        assert (await _work(home)).commit_seq == withdrawn.work.commit_seq + 1
        assert b"on day 310" in await exported(home, W)
        assert await _sound(home)
    assert _found(folder, ask_graph=False).places == {}


async def _replayed(home: Home, folder: Path) -> None:
    """Replay the purged log from its start: the same registers, the same tree."""
    records = await home.log.read(CHAPTERS, 0, 1_000, 2**30)
    async with open_home(in_memory(folder)) as fresh:
        for record in records:
            await fresh.log.append([NewRecord(CHAPTERS, record.key, record.value, record.headers)])
        await fresh.runner().run_until_idle()
        assert await exported(fresh, W) == await exported(home, W)
        replayed, live = await _work(fresh), await _work(home)
        assert _plain(replayed) == _plain(live)


def _plain(work: WorkRecord) -> WorkRecord:
    """Return the work less what depends on how events were batched."""
    chapters = tuple(c.model_copy(update={"unlinked_positions": ()}) for c in work.chapters)
    return work.model_copy(update={"commit_seq": 0, "chapters": chapters})


class _Died(BaseException):
    """The process ends here."""


@pytest.mark.real
async def test_dying_again_and_again_while_stores_are_made_and_swapped_it_ends_all_the_same(
    withdrawn: Withdrawn, tmp_path: Path
) -> None:
    folder = tmp_path / "home"
    shutil.copytree(withdrawn.folder, folder)
    settings = embedded(folder)
    for point in (PurgePoint.TREE_BUILT, PurgePoint.SWAPPING, PurgePoint.SWAPPED):

        def reached(at: PurgePoint, here: PurgePoint = point) -> None:
            if at is here:
                raise _Died

        begun = purge_journal.unfinished_purge(settings)
        run = finish(settings, reached) if begun else purge(settings, W, None, reached)
        with pytest.raises(_Died):
            await run
    await _ended(settings, withdrawn)


async def _ended(settings: Settings, withdrawn: Withdrawn) -> None:
    """Open the home: that ends the purge, with the result that it has when nobody dies."""
    assert purge_journal.unfinished_purge(settings)
    async with open_home(settings) as home:
        assert await exported(home, W) == withdrawn.export
        assert await _work(home) == withdrawn.work
        assert await _sound(home)
    assert not purge_journal.unfinished_purge(settings)
    assert not [path.name for path in _inside(settings.home) if path.suffix in (".new", ".old")]
    assert _found(settings.home, ask_graph=False).places == {}


def _inside(folder: Path) -> list[Path]:
    return list(folder.iterdir())


_PURGE_AND_DIE: Final = """
import asyncio, os, signal, sys
from pathlib import Path
from contracts.ids import ChapterId, WorkId
from streams.purge.purging import PurgePoint, finish, purge
from streams.settings import Settings
def reached(point: PurgePoint) -> None:
    if point == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(purge(Settings(home=Path(sys.argv[1])), WorkId("harbour"), None, reached))
"""


@pytest.mark.real
async def test_a_purge_that_was_killed_is_ended_by_who_opens_the_home_next(
    withdrawn: Withdrawn, tmp_path: Path
) -> None:
    folder = tmp_path / "home"
    shutil.copytree(withdrawn.folder, folder)
    command = [sys.executable, "-c", _PURGE_AND_DIE, str(folder), PurgePoint.BUILT.value]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
    assert await process.wait() == -signal.SIGKILL
    await _ended(embedded(folder), withdrawn)


@pytest.mark.real
async def test_a_live_chapter_is_not_purged(filled: Path) -> None:
    before = (filled / "events.sqlite").read_bytes()
    with pytest.raises(PurgeRefused, match=r"c12.*not withdrawn.*storygraft withdraw harbour c12"):
        await purge(embedded(filled), W, [ChapterId("c12")])
    assert (filled / "events.sqlite").read_bytes() == before
    assert not purge_journal.unfinished_purge(embedded(filled))
