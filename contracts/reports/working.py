"""How a worker is, as it says of itself."""

from __future__ import annotations

from contracts.frozen import Frozen


class LaneProgress(Frozen):
    """How far a worker is with one partition of a stage's source.

    `position` is the offset up to which all is done and `end` the one after the last record;
    null while nothing was fetched yet. `queued` are records that were fetched and wait here.
    `held_s` says for how long the first of them cannot be done, and `reason` why; `quiet_s` is
    how long ago the last one was done.
    """

    stage: str
    topic: str
    partition: int
    position: int | None
    end: int | None
    queued: int
    quiet_s: float
    held_s: float = 0.0
    reason: str | None = None

    @property
    def lag(self) -> int | None:
        """How many records lie before the partition."""
        known = self.position is not None and self.end is not None
        return max(0, (self.end or 0) - (self.position or 0)) if known else None


class WorkerHealth(Frozen):
    """How a worker is: `ready` when every stage has its partitions, `alive` unless it is stuck.

    `waiting_for` names the stages that have none yet, and why where that is known.
    """

    ready: bool
    alive: bool
    waiting_for: tuple[str, ...]
    lanes: tuple[LaneProgress, ...]
