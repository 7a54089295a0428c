"""Readers who ask all the while, and know beforehand what each generation answers.

They ask of settled chapters, as of the last of these: so an answer is that of one generation, byte
for byte, or it is none. At the head they look that no chapter comes back which was gone.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Final

from contracts.errors import StorygraftError
from contracts.events import ChapterPublished
from contracts.frozen import Frozen
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from contracts.requests import Question, Story
from processors.walking.answering import WalkingAnswerer
from replay.soak.generations.serials import Serial
from replay.soak.verdict import IN_MEMORY
from streams.operations import ASK, SEARCH, TREE
from streams.performing import Here
from streams.publishing import record_of
from streams.session import Home
from streams.settings import Settings
from streams.wiring import opened

_WORDS: Final = 80  # of evidence: some passages, so that answers of two generations differ
_QUESTION_WORDS: Final = 9


class Way(StrEnum):
    """How something is asked."""

    SEARCH = "search"
    ASK = "ask"
    TREE = "tree"


class Asked(Frozen):
    """Something asked of settled chapters."""

    way: Way
    work_id: WorkId
    as_of: Ordinal
    text: str = ""


Known = Mapping[Asked, bytes]
"""What one generation answers, by what is asked."""


async def answered(home: Home, asked: Asked) -> bytes:
    """Ask as any program does; return the answer without the name of its generation."""
    index = Here(home)
    if asked.way is Way.TREE:
        story = Story(work_id=asked.work_id, as_of=asked.as_of)
        report = await index.call(TREE, story)
        return report.model_copy(update={"generation": ""}).to_json()
    question = Question(work_id=asked.work_id, question=asked.text, as_of=asked.as_of, words=_WORDS)
    if asked.way is Way.ASK:
        return (await index.call(ASK, question)).to_json()
    return (await index.call(SEARCH, question)).to_json()


async def known(
    settings: Mapping[str, str], works: Sequence[Serial], asked: Sequence[Asked], folder: Path
) -> Known:
    """Return what an index of the settled chapters alone answers, built with `settings`.

    Answers are those of who has no model, as the readers have none.
    """
    told = Settings.model_validate({**settings, **IN_MEMORY, "home": str(folder)})
    async with opened(told) as home:
        await home.log.append([record_of(each) for work in works for each in work.settle()])
        await home.runner().run_until_idle()
        reading = replace(home, answerer=WalkingAnswerer(home.retriever, None))
        return {each: await answered(reading, each) for each in asked}


def questions(works: Sequence[Serial], each: int, seed: int) -> list[Asked]:
    """Return so many questions of each way a work, in words of the settled chapters."""
    random = Random(seed)  # noqa: S311 - no secret
    found: dict[Asked, None] = {}
    for work in works:
        texts = [e.body for e in work.settle() if isinstance(e, ChapterPublished)]
        for way in (Way.SEARCH, Way.ASK):
            for _ in range(each):
                words = random.choice(texts).split()
                at = random.randrange(max(1, len(words) - _QUESTION_WORDS))
                text = " ".join(words[at : at + _QUESTION_WORDS])
                found[Asked(way=way, work_id=work.work_id, as_of=work.settled_to, text=text)] = None
        found[Asked(way=Way.TREE, work_id=work.work_id, as_of=work.settled_to)] = None
    return list(found)


@dataclass(slots=True)
class Tally:
    """What became of the questions. `given` by the generations whose answer it was."""

    given: Counter[str] = field(default_factory=Counter)
    mixed: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    slowest_s: float = 0.0

    @property
    def asked(self) -> int:
        """How many."""
        return self.given.total() + len(self.mixed) + len(self.failed)


@dataclass(slots=True)
class Readers:
    """Asks without end. `answers` are what may be said now, by the name of who says it.

    `gone` are chapters that are withdrawn, of each work: once the head is without one of them, it
    must stay so.
    """

    home: Home
    works: Sequence[Serial]
    asked: Sequence[Asked]
    answers: Mapping[str, Known]
    tally: Tally
    random: Random
    _seen_gone: dict[WorkId, set[ChapterId]] = field(default_factory=dict)

    async def read(self, stop: asyncio.Event) -> None:
        """Ask, and look at a work's head, in turn, until `stop` is set."""
        for nth, each in enumerate(self._until(stop)):
            began = time.monotonic()
            await self._ask(each)
            self.tally.slowest_s = max(self.tally.slowest_s, time.monotonic() - began)
            if nth % 5 == 0:
                await self._look(self.random.choice(self.works))

    def _until(self, stop: asyncio.Event) -> Iterator[Asked]:
        while not stop.is_set():
            yield self.random.choice(self.asked)

    async def _ask(self, asked: Asked) -> None:
        may_say = self.answers
        try:
            said = await answered(self.home, asked)
        except StorygraftError as error:
            self.tally.failed.append(f"{asked.to_json().decode()}: {error}")
            return
        # What may be said can change while it is asked: what might be before, and after, will do.
        who = [name for name, all_ in {**may_say, **self.answers}.items() if all_[asked] == said]
        if who:
            self.tally.given["or ".join(sorted(who))] += 1
        else:
            self.tally.mixed.append(f"{asked.to_json().decode()}: {said.decode()}")

    async def _look(self, work: Serial) -> None:
        # Before we look: what is taken back, or seen to be gone, later may still be there.
        gone, was_gone = set(work.gone), set(self._seen_gone.get(work.work_id, ()))
        try:
            view = await self.home.tree.view(work.work_id, None)
            there = {each.chapter_id for each in await view.chapters()} if view else set()
        except StorygraftError as error:
            self.tally.failed.append(f"the chapters of {work.work_id}: {error}")
            return
        self.tally.returned += [f"{work.work_id}: {each}" for each in sorted(was_gone & there)]
        self._seen_gone.setdefault(work.work_id, set()).update(gone - there)
