"""The ports: what the parts need of the world, in our own terms.

Each docstring is a contract; each sentence of it has a test in `tests/contract`. Every method
raises only `TransientError` or `PermanentError`.
"""

from __future__ import annotations

from contracts.ports.moving import EventLog, NewRecord, Record, Standing
from contracts.ports.thinking import Memo, Segmenter, TextEmbedder
from contracts.ports.trees import TreeStore
from contracts.ports.vectors import SearchScope, VectorStore
from contracts.ports.views import BoundStory, ChapterScenes, PassageCounts, StoryView, TreeSnapshot

__all__ = [
    "BoundStory",
    "ChapterScenes",
    "EventLog",
    "Memo",
    "NewRecord",
    "PassageCounts",
    "Record",
    "SearchScope",
    "Segmenter",
    "Standing",
    "StoryView",
    "TextEmbedder",
    "TreeSnapshot",
    "TreeStore",
    "VectorStore",
]
