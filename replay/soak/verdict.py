"""What is left of an index that was disturbed, compared with one process that nobody disturbed.

Every work's export is that process's, byte for byte; each chapter's registers are those that the
log gives; no row, text or record is there that nothing links, or missing; nothing is a dead letter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from contracts.events import ChapterEvent
from contracts.ids import FIRST_GENERATION, Generation, WorkId
from graph.exporting import export
from streams import dead_letters
from streams.doctor.checking import check
from streams.logs.logged import logged_work
from streams.publishing import record_of
from streams.session import Home
from streams.settings import Settings
from streams.wiring import opened

IN_MEMORY: Final = {"log": "memory:", "vectors": "memory:", "graph": "memory:", "memo": "memory:"}
"""Settings of an index that one process has to itself."""


@dataclass(slots=True)
class Verdict:
    """What is not as it should be, in sentences: all of it should be empty."""

    lost: list[str] = field(default_factory=list)
    unlike: list[str] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    dead: list[str] = field(default_factory=list)

    @property
    def sentences(self) -> Sequence[str]:
        """Everything."""
        return [*self.lost, *self.unlike, *self.findings, *self.dead]

    @property
    def figures(self) -> dict[str, int]:
        """Return how many of each."""
        return {
            "chapters of which an event is lost": len(self.lost),
            "works unlike an undisturbed run's": len(self.unlike),
            "rows, records or texts that are stray, lost or wrong": len(self.findings),
            "dead letters": len(self.dead),
        }


async def judged(
    home: Home, events: Sequence[ChapterEvent], works: Sequence[WorkId], calm: Path
) -> Verdict:
    """Compare what `home` made of `events` with what one process makes in `calm`, a new folder."""
    expected = await undisturbed(home.settings, calm, events, works)
    live = await home.tree.live()
    verdict = Verdict()
    for work_id in works:
        if await exported(home, work_id) != expected[work_id]:
            verdict.unlike.append(f"{work_id} is not as one process makes it")
        verdict.lost += await _lost(home, work_id)
    report = await check(home)
    verdict.findings += [f"{w.work_id}: {each.text}" for w in report.works for each in w.findings]
    verdict.dead += [
        f"dead letter of {letter.source} {letter.offset}: {letter.failure.reason}"
        for letter in await dead_letters.everyone(home.log, live)
    ]
    return verdict


async def _lost(home: Home, work_id: WorkId) -> list[str]:
    logged, known = await logged_work(home.log, work_id), await home.tree.load(work_id)
    wanted = {each.chapter_id: each.registers for each in logged.chapters}
    found = {each.chapter_id: each.registers for each in known.chapters} if known else {}
    return [
        f"{work_id}, chapter {name}: what the log says of it is not all there"
        for name in wanted
        if wanted[name] != found.get(name)
    ]


async def undisturbed(
    settings: Settings, folder: Path, events: Sequence[ChapterEvent], works: Sequence[WorkId]
) -> dict[WorkId, bytes]:
    """Return every work as one process with `settings` makes it of the same events."""
    async with opened(settings.model_copy(update={**IN_MEMORY, "home": folder})) as home:
        await home.log.append([record_of(event) for event in events])
        await home.runner().run_until_idle()
        return {work_id: await exported(home, work_id) for work_id in works}


async def exported(home: Home, work_id: WorkId, generation: Generation | None = None) -> bytes:
    """Return a work's export, of the live generation or another, but for the generation's name."""
    view = await home.tree.view(work_id, None, generation)
    if view is None:
        return b""
    told = await export(view, with_text=True)
    return told.model_copy(update={"generation": FIRST_GENERATION}).to_json()
