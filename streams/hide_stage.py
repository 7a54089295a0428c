"""The row of the topology that needs no model: readers lose at once what is withdrawn."""

from __future__ import annotations

from typing import Any, Final

from contracts.ids import Generation
from contracts.ports import TreeStore
from graph.hider import Hider
from streams.intakes import HIDE
from streams.peeking import may_withdraw
from streams.stage import NOWHERE, BatchLimits, Stage, effect, of_generation

HIDE_BATCH: Final = BatchLimits(messages=512)


def hide(tree: TreeStore, generation: Generation) -> Stage[Any]:
    """Return the stage that hides what is withdrawn from readers of a generation."""
    row = Stage(HIDE, effect(Hider(tree, generation)), NOWHERE, HIDE_BATCH, may_withdraw)
    return of_generation(row, generation)
