"""The tree store over Bolt: one adapter and one Cypher text for ArcadeDB and Neo4j."""

from graph.bolt.store import BoltTreeStore

__all__ = ["BoltTreeStore"]
