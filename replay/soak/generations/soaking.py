"""Twenty works live, readers and a publisher who never rest, and two rebuilds beneath them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Final

from contracts.ids import FIRST_GENERATION, Generation
from graph.placement_weights import WEIGHTS
from replay.soak.generations.asking import Readers, Tally, known, questions
from replay.soak.generations.driving import Build, Replacing
from replay.soak.generations.programs import Model, model
from replay.soak.generations.publishing import Stream, going
from replay.soak.generations.serials import Serial, serials, turns
from replay.soak.servers import started
from replay.soak.verdict import Verdict, judged
from streams.generations.path import topics_of
from streams.kafka import topics
from streams.kafka.access import KafkaAccess, brokers_of
from streams.kafka.topic_plan import TopicShape
from streams.settings import Settings
from streams.wiring import opened

_PARTITIONS: Final = 4
_SETTLED: Final = 2  # chapters of each work
_EACH: Final = 4  # different questions of a way and work
_STATES: Final = 5  # of readers in a rebuild: beside it, swapped, back, swapped again, dropped
_REBUILDS: Final = 2
_AT_ONCE: Final = 3  # readers


@dataclass(frozen=True, slots=True)
class Plan:
    """How much: works, questions in all, seconds between two events, and what chances come from."""

    works: int
    questions: int
    pace_s: float
    seed: int

    @property
    def questions_a_state(self) -> int:
        """How many are asked at least in each state."""
        return -(-self.questions // (_STATES * _REBUILDS))


@dataclass(slots=True)
class Outcome:
    """What came of it. `left` is what is still there of dropped generations, in sentences."""

    tally: Tally = field(default_factory=Tally)
    events: int = 0
    seconds: float = 0.0
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> Sequence[str]:
        """Everything that is not as it should be."""
        verdicts = (line for each in self.verdicts.values() for line in each.sentences)
        tally = self.tally
        return [*tally.mixed, *tally.failed, *tally.returned, *verdicts, *self.left, *self.ended]


@dataclass(frozen=True, slots=True)
class Stage:
    """All that a soak goes on with: where, with what, and who tells of it."""

    folder: Path
    builds: Sequence[Build]
    works: Sequence[Serial]
    stream: Stream
    replacing: Replacing

    async def play(self, outcome: Outcome) -> None:
        """Index the settled chapters, then put each build in the place of the one before."""
        first, *others = self.builds
        self.replacing.start(first)
        await self.stream.publish([each for work in self.works for each in work.settle()])
        await self.replacing.nearly_there(FIRST_GENERATION, 0)
        old = first
        for new in others:
            async with going(self.stream.flow, *[self.replacing.readers.read] * _AT_ONCE):
                dropped, live = await self.replacing.replace(old, new)
            await self.replacing.nearly_there(live, 0)
            verdict = outcome.verdicts[live] = await self._judged(new)
            wrong = len(verdict.sentences)
            self.replacing.tell(f"{live} is compared with one built from nothing: {wrong} faults")
            outcome.left += await self._left(dropped)
            old = new

    async def _judged(self, build: Build) -> Verdict:
        calm = self.folder / f"calm-{build.name}"
        names = [work.work_id for work in self.works]
        async with opened(Settings.model_validate(build.settings)) as home:
            return await judged(home, self.stream.events, names, calm)

    async def _left(self, dropped: Generation) -> Sequence[str]:
        home = self.replacing.home
        left = [f"{each.work_id} in the graph" for each in await home.tree.works(dropped)]
        for work in self.works:
            keys = await home.vectors.keys(work.work_id, dropped)
            left += [f"{len(keys)} rows of {work.work_id}"] if keys else []
        for topic in topics_of(dropped):
            left += [f"the topic {topic}"] if await home.log.ends(topic) else []
        return [f"{dropped}: there is still {each}" for each in left]


async def soak(plan: Plan, folder: Path, tell: Callable[[str], None]) -> Outcome:
    """Carry out `plan` with everything in `folder`, and tell what is done.

    Raises:
        Stuck: something did not get on.
        Refused: a command failed.
    """
    began, outcome = time.monotonic(), Outcome()

    def say(what: str) -> None:
        tally, minutes = outcome.tally, (time.monotonic() - began) / 60
        wrong = len(tally.mixed) + len(tally.failed) + len(tally.returned)
        tell(f"{minutes:6.1f} min  {what}; {tally.asked:,} questions so far, {wrong} wrong")

    async with AsyncExitStack() as stack:
        servers = stack.enter_context(started(folder, short_lived=True))
        answering = stack.enter_context(model(0.0))
        settings = {**servers.settings(folder / "home"), "topic_partitions": f"{_PARTITIONS}"}
        await topics.create(
            KafkaAccess(brokers_of(settings["log"])), TopicShape(partitions=_PARTITIONS)
        )
        works = serials(plan.works, _SETTLED, plan.seed)
        asked = questions(works, _EACH, plan.seed)
        made = [
            Build(f"build {nth}", way, await known(way, works, asked, folder / f"known-{nth}"))
            for nth, way in enumerate(settings_of_builds(settings, answering, folder), start=1)
        ]
        say(f"{len(asked)} different questions; other answers: {_differences(made)}")
        home = await stack.enter_async_context(opened(Settings.model_validate(settings)))
        random = Random(plan.seed)  # noqa: S311 - no secret
        readers = Readers(home, works, asked, made[0].as_answers, outcome.tally, random)
        replacing = Replacing(home, readers, plan.questions_a_state, folder / "workers.log", say)
        stack.callback(replacing.close)
        stream = Stream(home.log, turns(works, random), plan.pace_s)
        await Stage(folder, made, works, stream, replacing).play(outcome)
        outcome.events = len(stream.events)
        outcome.ended = [f"a worker ended with {code}" for code in replacing.ended]
    outcome.seconds = time.monotonic() - began
    return outcome


def settings_of_builds(
    settings: Mapping[str, str], answering: Model, folder: Path
) -> Sequence[Mapping[str, str]]:
    """Return the settings of three builds: another segmenter, then another table of weights."""
    table = folder / "weights.json"
    # By which many a scene goes elsewhere.
    weights = replace(WEIGHTS, meaning=WEIGHTS.meaning // 2, fits=WEIGHTS.fits * 2 + 10)
    table.write_text(json.dumps(asdict(weights)), "utf-8")
    segmenter = {**settings, **answering.settings, "segmenter": "litseg-lite"}
    return settings, segmenter, {**segmenter, "placement_weights": str(table)}


def _differences(made: Sequence[Build]) -> str:
    counted = (
        sum(one.answers[each] != other.answers[each] for each in one.answers)
        for one, other in pairwise(made)
    )
    return ", ".join(map(str, counted))
