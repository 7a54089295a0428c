"""How long an answer takes: in one process, of an owner over HTTP, and as a command, cold."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from contracts.requests import Question
from replay.evaluation.bench.figures import percentile
from replay.evaluation.bench.texts import AskedNovel
from streams import indexing
from streams.operations import ASK, NOBODY
from streams.owner.connecting import connected, stop_owner
from streams.session import Home
from streams.settings import Settings
from streams.wiring import open_home

WORDS: Final = 1_000
_ROUNDS: Final = 2  # of all questions, after one that warms up


@dataclass(frozen=True, slots=True)
class Asked:
    """Seconds an answer: the first of all, and those of a process that has answered before."""

    questions: int
    first: float
    p50: float
    p95: float
    most: float


@asynccontextmanager
async def indexed_home(novel: AskedNovel) -> AsyncIterator[Settings]:
    """Index the novel into a home that nobody has open then."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(home=Path(folder))
        async with open_home(settings) as home:
            await indexing.index(home, novel.given, NOBODY)
        yield settings


async def in_process(settings: Settings, novel: AskedNovel) -> Asked:
    """Ask as an owner does for its callers, without the way to it."""
    work = novel.given.described.work_id

    async with open_home(settings) as home:
        return await _timed(novel, lambda question: _answered(home, work, question))


async def _answered(home: Home, work: str, question: str) -> object:
    view = await home.view(work, None)
    gaps = await home.gaps.as_of(view)
    return await home.answerer.answer(view, question, WORDS, gaps)


async def over_http(settings: Settings, novel: AskedNovel) -> Asked:
    """Ask the owner of the home, which is started for it and ended afterwards."""
    work = novel.given.described.work_id
    try:
        async with connected(settings, ("--home", str(settings.home))) as owner:

            async def ask(question: str) -> object:
                asked = Question(work_id=work, question=question, as_of="head", words=WORDS)
                return await owner.call(ASK, asked)

            return await _timed(novel, ask)
    finally:
        await stop_owner(settings)


async def cold(settings: Settings, novel: AskedNovel, nth: int) -> float:
    """Return how long `storygraft ask` takes as a command while nothing of it runs."""
    script = Path(sys.executable).parent / "storygraft"
    command = [
        str(script),
        "ask",
        novel.given.described.work_id,
        novel.questions[nth],
        "--home",
        str(settings.home),
        "--json",
    ]
    await stop_owner(settings)
    try:
        started = time.perf_counter()
        await asyncio.to_thread(subprocess.run, command, check=True, capture_output=True)
        return time.perf_counter() - started
    finally:
        await stop_owner(settings)


async def _timed(novel: AskedNovel, ask: Callable[[str], Awaitable[object]]) -> Asked:
    seconds: list[float] = []
    for question in novel.questions * (1 + _ROUNDS):
        started = time.perf_counter()
        await ask(question)
        seconds.append(time.perf_counter() - started)
    warm = seconds[len(novel.questions) :]
    return Asked(
        questions=len(novel.questions),
        first=seconds[0],
        p50=percentile(warm, 0.5),
        p95=percentile(warm, 0.95),
        most=max(warm),
    )
