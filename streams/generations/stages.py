"""The stages that build one generation, made of those that build any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from contracts.generations import Source
from contracts.ids import Generation
from contracts.ports import TreeStore, VectorStore
from streams.generations.carrying import Carried, carry_rows, carry_scenes
from streams.generations.copying import RowCopier
from streams.generations.past import KnownWorks
from streams.generations.registry import Generations, KnownGeneration
from streams.generations.sparing import Sparing
from streams.generations.tending import Tending
from streams.intakes import EMBED, HIDE, SEGMENT
from streams.stage import Stage


@dataclass(frozen=True, slots=True)
class Stores:
    """The stores that the stages of a generation write."""

    tree: TreeStore
    vectors: VectorStore


@dataclass(frozen=True, slots=True)
class GenerationStages:
    """What becomes of stages in `known`. `share` of the time is for building it, until it is live.

    Its segment stage waits until all is copied that it begins with, if it copies anything, and
    else is spared the texts of which the live generation knows that they are past.
    """

    generations: Generations
    known: KnownGeneration
    share: float

    @property
    def source(self) -> Generation | None:
        """The generation that is to be copied from; None where none is, or it is gone."""
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

    def all_of(self, stages: Sequence[Stage[Any]], stores: Stores) -> Iterator[Stage[Any]]:
        """Yield what builds the generation: the carry stage first, if it is needed."""
        if self.source is not None and self.known.started.rows:
            (embed,) = (each for each in stages if each.intake.name == EMBED.name)
            yield self.carry_rows(self.source, embed, stores)
        elif self.source is not None:
            yield self.carry_scenes(self.source)
        for stage in stages:
            yield self.one(stage, stores.tree)

    def carry_scenes(self, source: Generation) -> Stage[Any]:
        """Return the stage that copies the scenes of `source`."""
        return self._tending.stage(carry_scenes(self.known, source))

    def carry_rows(self, source: Generation, embed: Stage[Any], stores: Stores) -> Stage[Any]:
        """Return the stage that copies what `source` embedded; `embed` does what it cannot."""
        works = KnownWorks(stores.tree, source)
        copier = RowCopier(works, stores.vectors, self.known.generation, embed.handler)
        return self._tending.stage(carry_rows(self.known, copier))

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
