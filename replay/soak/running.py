"""A distributed index on real servers, its workers and a publisher: what a soak disturbs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from replay.soak import scenario
from replay.soak.crew import Crew
from replay.soak.servers import Servers, started
from replay.soak.telling import Publisher
from replay.soak.verdict import Verdict, judged
from streams.kafka import topics
from streams.kafka.access import KafkaAccess, brokers_of
from streams.kafka.topic_plan import TopicShape
from streams.settings import Settings
from streams.wiring import opened

_WORKS: Final = 8
_WORKERS: Final = 2
_PARTITIONS: Final = 4


class Stuck(Exception):  # noqa: N818 - what happened
    """The workers do not get on."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Servers, workers and a publisher; all that they write is in `folder`."""

    folder: Path
    servers: Servers
    settings: Mapping[str, str]
    crew: Crew
    publisher: Publisher

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Have the workers work while the block runs."""
        with self.crew.on_duty(_WORKERS):
            yield

    def ended(self) -> list[str]:
        """Say which workers ended that nobody killed."""
        return [f"{n} workers ended with {code}" for code, n in self.crew.ended.items()]

    def verdict(self) -> Verdict:
        """Judge what became of all that was published; nobody may be at work."""
        return asyncio.run(self._judged())

    async def _judged(self) -> Verdict:
        async with opened(Settings.model_validate(self.settings)) as home:
            works = scenario.works(_WORKS)
            return await judged(home, self.publisher.events, works, self.folder / "calm")


@contextmanager
def running(folder: Path, seed: int, random: Random) -> Iterator[Cluster]:
    """Start servers and make topics; `seed` chooses what is published, `random` what befalls."""
    with started(folder) as servers:
        settings = servers.settings(folder / "home")
        access = KafkaAccess(brokers_of(settings["log"]))
        asyncio.run(topics.create(access, TopicShape(partitions=_PARTITIONS)))
        crew = Crew(settings, folder / "workers.log", random)
        publisher = Publisher(access, scenario.portions(seed, _WORKS))
        yield Cluster(folder, servers, settings, crew, publisher)
