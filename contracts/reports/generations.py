"""What is told of generations: which there are, how far each is, what was done with one."""

from __future__ import annotations

from contracts.frozen import Frozen
from contracts.generations import Source
from contracts.ids import Generation
from contracts.reports.costs import ReindexEstimate
from contracts.reports.standing import Hold, StageLag


class GenerationLine(Frozen):
    """A generation as it stands.

    `version` is the digest of its index version; `mine` says whether the settings of whoever asks
    make it. `waiting` counts what its stages have before them. `dropped`: it is being deleted.
    `breaches` are what the last comparison with the live one found, null where there was none.
    """

    generation: Generation
    live: bool
    mine: bool
    version: str
    source: Source
    beside: Generation | None
    started_ms: int
    dropped: bool
    waiting: int
    lag: tuple[StageLag, ...]
    held: tuple[Hold, ...]
    works: int
    breaches: tuple[str, ...] | None


class GenerationsReport(Frozen):
    """Every generation that is not erased, oldest first; `version` is that of the settings."""

    version: str
    generations: tuple[GenerationLine, ...]


class StartReport(Frozen):
    """A generation that is to be built, and from what.

    `rows`: what is embedded is copied as it is. `resumed`: it was started before, and goes on.
    `changes` say in what its version differs from that of the live one. With `dry_run` nothing was
    begun, and `estimate` says what it costs.
    """

    generation: Generation
    beside: Generation
    version: str
    source: Source
    rows: bool = False
    changes: tuple[str, ...]
    resumed: bool = False
    dry_run: bool = False
    estimate: ReindexEstimate | None = None


class CaughtUp(Frozen):
    """All that waited went through the stages of `generation`, but for what is `held` or dead."""

    generation: Generation
    done: int
    dead: int
    held: tuple[Hold, ...]


class SwapReport(Frozen):
    """Readers see `generation` now. `forced` says why in spite of what spoke against it."""

    generation: Generation
    instead_of: Generation
    forced: str = ""


class DropReport(Frozen):
    """Nothing of `generation` is left."""

    generation: Generation
    works: int
