"""The judge of the soak is not to be trusted before it was seen to find something."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from contracts.events import ChapterEvent, ChapterWithdrawn
from contracts.ids import FIRST_GENERATION, ChapterId, WorkId
from contracts.ports import NewRecord
from contracts.topics import CHAPTERS
from replay.soak.verdict import Verdict, judged
from streams.publishing import record_of
from streams.session import Home
from streams.settings import Settings
from streams.wiring import opened
from tests.unit.streams.stand_ins import published

_W = WorkId("w")
_TOLD = (
    published("1", "It rained. Hedda took the ledger.", "w"),
    published("2", "It snowed. Morrow looked for it.", "w"),
    ChapterWithdrawn(work_id=_W, chapter_id=ChapterId("1")),
)


async def test_what_nothing_happened_to_is_as_it_should_be(tmp_path: Path) -> None:
    async with _indexed(tmp_path, _TOLD) as home:
        verdict = await judged(home, _TOLD, [_W], tmp_path / "calm")
    assert verdict.sentences == []
    assert set(verdict.figures.values()) == {0}


async def test_an_event_that_did_not_get_through_is_lost_and_shows(tmp_path: Path) -> None:
    async with _indexed(tmp_path, _TOLD[:2]) as home:
        await home.log.append([record_of(_TOLD[2])])
        verdict = await judged(home, _TOLD, [_W], tmp_path / "calm")
    assert verdict.lost == ["w, chapter 1: what the log says of it is not all there"]
    assert verdict.unlike == ["w is not as one process makes it"]


async def test_an_event_told_twice_changes_nothing(tmp_path: Path) -> None:
    async with _indexed(tmp_path, [*_TOLD[:1], *_TOLD]) as home:
        verdict = await judged(home, _TOLD, [_W], tmp_path / "calm")
    assert verdict.sentences == []


async def test_rows_that_are_lost_are_found(tmp_path: Path) -> None:
    async with _indexed(tmp_path, _TOLD) as home:
        vectors = home.vectors
        await vectors.delete(_W, FIRST_GENERATION, await vectors.keys(_W, FIRST_GENERATION))
        verdict = await judged(home, _TOLD, [_W], tmp_path / "calm")
    assert verdict.findings
    assert _only(verdict, "findings")


async def test_a_dead_letter_is_told_of(tmp_path: Path) -> None:
    async with _indexed(tmp_path, _TOLD) as home:
        await home.log.append([NewRecord(CHAPTERS, b"w", b"no event")])
        await home.runner().run_until_idle()
        verdict = await judged(home, _TOLD, [_W], tmp_path / "calm")
    assert len(verdict.dead) == 1
    assert _only(verdict, "dead")


def _only(verdict: Verdict, kind: str) -> bool:
    kinds = {
        "lost": verdict.lost,
        "unlike": verdict.unlike,
        "findings": verdict.findings,
        "dead": verdict.dead,
    }
    return not any(found for name, found in kinds.items() if name != kind)


@asynccontextmanager
async def _indexed(folder: Path, events: Sequence[ChapterEvent]) -> AsyncIterator[Home]:
    settings = Settings(
        home=folder, log="memory:", vectors="memory:", graph="memory:", memo="memory:"
    )
    async with opened(settings) as home:
        await home.log.append([record_of(event) for event in events])
        await home.runner().run_until_idle()
        yield home
