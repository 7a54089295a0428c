"""Keys of nodes: community Neo4j has constraints on one property only, so keys are joined texts."""

from __future__ import annotations

from contracts.ids import Generation, WorkId


def work_key(generation: Generation, work_id: WorkId) -> str:
    """Return the key of a work in one generation (a generation holds no colon)."""
    return f"{generation}:{work_id}"


def works_prefix(generation: Generation) -> str:
    """Return what the keys of all works of a generation begin with."""
    return f"{generation}:"


def parts_of_work_key(key: str) -> tuple[Generation, WorkId]:
    """Return what `work_key` made `key` of."""
    generation, _, work_id = key.partition(":")
    return Generation(generation), WorkId(work_id)


def chapter_key(generation: Generation, work_id: WorkId, chapter_id: str) -> str:
    """Return the key of a chapter; the length keeps apart what joins to one text."""
    return f"{generation}:{len(work_id)}:{work_id}:{chapter_id}"


def node_key(generation: Generation, id_: str) -> str:
    """Return the key of a scene, storyline or character, whose id is unique among works."""
    return f"{generation}:{id_}"
