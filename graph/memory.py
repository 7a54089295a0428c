"""The stores in memory: the same contracts as the real ones, nothing outlives the process."""

from graph.memory_memo import MemoryMemo
from graph.memory_tree import MemoryTreeStore
from graph.memory_vectors import MemoryVectorStore

__all__ = ["MemoryMemo", "MemoryTreeStore", "MemoryVectorStore"]
