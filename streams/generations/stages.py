"""The stages that build one generation, made of those that build any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from contracts.generations import Source
from contracts.ids import Generation
from contracts.ports import TreeStore
from streams.generations.carrying import Carried, carry
from streams.generations.registry import Generations, KnownGeneration
from streams.generations.sparing import Sparing
from streams.generations.tending import Tending
from streams.intakes import HIDE, SEGMENT
from streams.stage import Stage


@dataclass(frozen=True, slots=True)
class GenerationStages:
    """What becomes of stages in `known`. `share` of the time is for building it, until it is live.

    Its segment stage waits until the scenes are copied that it begins with, if it copies any, and
    else is spared the texts of which the live generation knows that they are past.
    """

    generations: Generations
    known: KnownGeneration
    share: float

    @property
    def source(self) -> Generation | None:
        """The generation whose scenes are to be copied; None where none are, or it is gone."""
        source = self.known.copies_from
        there = {each.generation for each in self.generations.kept()}
        return source if source in there else None

    @property
    def spares(self) -> bool:
        """Whether its segment stage asks the graph which texts need not be cut."""
        started = self.known.started
        beside = self.generations.get(started.beside) if started.beside else None
        if beside is None or beside.started.foreign:
            return False
        return started.source is Source.CHAPTERS

    def all_of(self, stages: Sequence[Stage[Any]], tree: TreeStore) -> Iterator[Stage[Any]]:
        """Yield what builds the generation: the carry stage first, if it is needed."""
        if self.source is not None:
            yield self.carry(self.source)
        for stage in stages:
            yield self.one(stage, tree)

    def carry(self, source: Generation) -> Stage[Any]:
        """Return the stage that copies the scenes of `source`."""
        return self._tending.stage(carry(self.known, source))

    def one(self, stage: Stage[Any], tree: TreeStore | None) -> Stage[Any]:
        """Return a stage of the chapter's path as this generation needs it.

        `tree` is needed by the segment stage alone, and where that `spares`.
        """
        if stage.intake.name == HIDE.name:
            return stage  # what is withdrawn waits for nothing
        if stage.intake.name == SEGMENT.name:
            stage = self._segment(stage, tree)
        return self._tending.stage(stage)

    def _segment(self, stage: Stage[Any], tree: TreeStore | None) -> Stage[Any]:
        if self.source is not None:
            return replace(stage, ready=Carried(self.generations.log, self.known.started))
        if tree is None or not self.spares:
            return stage
        return Sparing.of(self.known.started, tree).stage(stage)

    @property
    def _tending(self) -> Tending:
        return Tending(self.generations, self.known.generation, self.share)
