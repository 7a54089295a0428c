"""Segmentation by a model through the whole path: sick, slow, dead or killed in the middle."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from contracts.events import ChapterPublished
from contracts.ids import ChapterId, WorkId
from contracts.messages import ChapterSegmented, scenes_message
from contracts.ordinals import Ordinal
from contracts.ports import EventLog, Memo, NewRecord
from contracts.scenes import Repairs
from contracts.topics import CHAPTERS, SCENES
from graph.memory import MemoryMemo, MemoryTreeStore, MemoryVectorStore
from processors.lexicon import Lexicon
from processors.litseg import Limits, LitSegLite
from processors.openai_chat import Endpoint, OpenAIChat
from processors.remembering import Payer
from processors.sif import SifEmbedder
from streams.gaps import Gaps
from streams.inprocess import InProcessRunner
from streams.logs.sqlite_log import SqliteEventLog
from streams.logs.sqlite_memo import SqliteMemo
from streams.settings import Settings
from streams.topology import Ports, chapter_path
from tests.corpus import WHOLE
from tests.e2e.misbehaving import Misbehaving, halves
from tests.model_server import Fails, ModelServer, Says
from tests.model_server.gold import GoldScript, gold_chapters

PURPOSE = "segmentation"
W = WorkId("w")
MANY = 500 if WHOLE else 200


@pytest.fixture
def server(model_server: ModelServer) -> Iterator[ModelServer]:
    with model_server.anew() as server:
        yield server


def _published(number: int, sentences: int = 7) -> ChapterPublished:
    body = "\n\n".join(
        f"Hedda number {number} took the ledger to house {place}. She hid it there."
        for place in range(1, sentences // 2 + 2)
    )
    return ChapterPublished(
        work_id=W,
        chapter_id=ChapterId(str(number)),
        ordinal=Ordinal.parse(number),
        body=body,
        language="en",
    )


class _Path:
    """The stages of a chapter over stores in memory; `segmented` are the messages of the first."""

    def __init__(self, server: ModelServer, log: EventLog, memo: Memo) -> None:
        self.chat = OpenAIChat(Endpoint(server.url, server.model, first_wait_s=0.01))
        self.tree, self.log = MemoryTreeStore(), log
        ports = Ports(
            log=log,
            segmenter=LitSegLite(self.chat, Payer(memo), Settings().sampling, Limits(32_768, 3)),
            embedder=SifEmbedder(),
            lexicon=Lexicon(),
            vectors=MemoryVectorStore(),
            tree=self.tree,
            gaps=Gaps(log, self.tree),
            max_body_bytes=10**6,
        )
        self.runner = InProcessRunner(log, chapter_path(ports))

    async def publish(self, *chapters: ChapterPublished) -> None:
        records = [NewRecord(CHAPTERS, c.work_id.encode(), c.to_json()) for c in chapters]
        await self.log.append(records)

    async def segmented(self) -> list[ChapterSegmented]:
        records = await self.log.read(f"{SCENES}.g1", 0, 10**6, 10**9)
        told = [scenes_message.validate_json(record.value or b"") for record in records]
        return [each for each in told if isinstance(each, ChapterSegmented)]


@asynccontextmanager
async def _path(
    server: ModelServer, folder: Path, memo: Memo | None = None
) -> AsyncIterator[_Path]:
    log = SqliteEventLog(folder / "log.sqlite")
    path = _Path(server, log, memo or MemoryMemo())
    try:
        yield path
    finally:
        await path.chat.close()
        await log.close()


@pytest.mark.corpus
async def test_with_a_sick_model_every_chapter_is_indexed_and_every_count_is_true(
    server: ModelServer, tmp_path: Path
) -> None:
    sick = server.script = Misbehaving()
    async with _path(server, tmp_path) as path:
        await path.publish(*map(_published, range(MANY)))
        report = await path.runner.run_until_idle()
        while report.held:  # all retries of one request met with no answer
            report = await path.runner.run_until_idle()
        told = await path.segmented()
        work = await path.tree.load(W)
    assert work is not None
    assert len(work.live_chapters()) == len(told) == MANY
    assert report.dead == ()
    assert server.paid_twice == 0
    for message in told:
        homes = [n for s in message.scenes for n in range(s.first_sentence, s.last_sentence + 1)]
        assert homes == list(range(1, len(message.sentences) + 1))
        _assert_true(message, sick)
    account = server.account(PURPOSE)
    assert sum(each.repairs.attempts for each in told) == sum(each.calls for each in told)
    assert sum(each.calls for each in told) == account.answered
    assert sum(each.tokens for each in told) == account.input_tokens + account.output_tokens
    assert {each.server for each in told} == {server.version}
    assert {each.model for each in told} == {server.model}
    assert len(sick.kinds) > 24
    assert 0.25 < 1 - sick.kinds["good"] / sum(sick.kinds.values()) < 0.35


def _assert_true(message: ChapterSegmented, sick: Misbehaving) -> None:
    """Compare what a chapter's message counts with what the server said of it."""
    named = f"Hedda number {message.head.chapter_id} "
    (valid,) = (answers for user, answers in sick.told.items() if named in user)
    assert message.repairs.attempts == len(valid)
    assert not any(valid[:-1])
    if valid[-1]:
        assert message.repairs == Repairs(attempts=len(valid))
    else:
        assert len(valid) == 3


async def test_a_server_that_is_down_holds_the_event_and_burns_no_attempt(
    server: ModelServer, tmp_path: Path
) -> None:
    server.script = lambda _: Fails(503)
    async with _path(server, tmp_path) as path:
        await path.publish(_published(1))
        held = (await path.runner.run_until_idle()).held
        assert [hold.stage for hold in held] == ["segment"]
        assert "503" in held[0].reason
        server.script = lambda heard: Says(halves(8))
        assert not (await path.runner.run_until_idle()).held
        (told,) = await path.segmented()
    assert (told.repairs.attempts, told.calls, server.account(PURPOSE).answered) == (1, 1, 1)


_KILLED = """
import asyncio, os, pathlib, signal, sys
from contracts.crash_points import CrashPoint
from streams.settings import Settings
from streams.wiring import open_home

def kill(point):
    if point is CrashPoint.BEFORE_ACK and pathlib.Path(sys.argv[2]).exists():
        os.kill(os.getpid(), signal.SIGKILL)

async def main():
    async with open_home(Settings.model_validate_json(sys.argv[1]), reached=kill) as home:
        await home.runner().run_until_idle()

asyncio.run(main())
"""


async def test_killed_between_answer_and_commit_it_pays_nothing_twice_and_cuts_the_same(
    server: ModelServer, tmp_path: Path
) -> None:
    server.script = Misbehaving()
    told = {
        "home": str(tmp_path / "home"),
        "vectors": "memory:",
        "graph": "memory:",
        "memo": f"sqlite:{tmp_path / 'memo.sqlite'}",
        "log": f"sqlite:{tmp_path / 'log.sqlite'}",
        "model": server.url,
        "model_name": server.model,
    }
    log = SqliteEventLog(tmp_path / "log.sqlite")
    chapter = _published(1)
    await log.append([NewRecord(CHAPTERS, W.encode(), chapter.to_json())])
    await log.close()
    ended = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", _KILLED, json.dumps(told), str(tmp_path / "memo.sqlite")],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()
    answered = server.account(PURPOSE).answered
    assert answered > 0
    memo = SqliteMemo(tmp_path / "memo.sqlite")
    async with _path(server, tmp_path, memo) as path:
        assert not (await path.runner.run_until_idle()).held
        (message,) = await path.segmented()
    await memo.close()
    assert server.account(PURPOSE).answered == answered == message.calls
    assert server.paid_twice == 0
    (tmp_path / "other").mkdir()
    async with _path(server, tmp_path / "other") as path:
        server.heard.clear()  # the script's choices go by the call's number too
        server.script = Misbehaving()
        await path.publish(chapter)
        await path.runner.run_until_idle()
        (unharmed,) = await path.segmented()
    assert message.scenes == unharmed.scenes
    assert message.repairs == unharmed.repairs


@pytest.mark.corpus
async def test_with_gold_answers_the_scenes_are_the_annotators(
    server: ModelServer, tmp_path: Path
) -> None:
    book = "alice-in-wonderland"
    server.script = GoldScript(book)
    chapters = gold_chapters(book)
    async with _path(server, tmp_path) as path:
        await path.publish(*chapters)
        assert not (await path.runner.run_until_idle()).held
        told = await path.segmented()
    assert len(told) == len(chapters) == server.account(PURPOSE).answered
    filled = Counter(
        field for message in told for scene in message.scenes for field in scene.filled
    )
    scenes = sum(len(message.scenes) for message in told)
    assert 60 <= scenes <= 66
    assert all(count <= 3 for count in filled.values())  # of pieces beside the author's breaks
