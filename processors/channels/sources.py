"""The sources that search asks."""

from __future__ import annotations

from collections.abc import Sequence

from processors.channels.exhaustive import ExhaustiveScan
from processors.channels.relation_graph import RelationGraph
from processors.channels.source import Source


def all_sources() -> Sequence[Source]:
    """Return every source; the first that serves a question is asked."""
    return RelationGraph(), ExhaustiveScan()
