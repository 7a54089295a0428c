"""The stages that build a generation, as its topics and groups are called."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from contracts import topics
from contracts.generations import GenerationStarted
from contracts.ids import Generation
from contracts.topics import EMBEDDED, SCENES, dead_letters, physical
from streams.generations.registry import KnownGeneration
from streams.intakes import CARRY, CARRY_ROWS, HIDE, Intake, chapter_intakes

_READ: Final = (SCENES, EMBEDDED)


def intakes_of(known: KnownGeneration) -> tuple[Intake[Any], ...]:
    """Return where the stages of a generation read, in the order of the path."""
    path = path_of(known.generation)
    if known.copies_from is None:
        return path
    return (carry_intake(known.started, known.copies_from), *path)


def path_of(generation: Generation) -> tuple[Intake[Any], ...]:
    """Return where the stages of a chapter's path read."""
    return (HIDE.of_generation(generation), *chapter_intakes(generation))


def carry_intake(started: GenerationStarted, source: Generation) -> Intake[Any]:
    """Return where is read what of `source` is to be copied into the generation started."""
    kind = CARRY_ROWS if started.rows else CARRY
    return replace(kind, source=physical(kind.source, source), suffix=f".{started.generation}")


def topics_of(generation: Generation) -> tuple[str, ...]:
    """Return the topics that belong to a generation alone, those of its dead letters too."""
    own = [physical(topic, generation) for topic in topics.OF_A_GENERATION]
    return (*own, *(dead_letters(physical(topic, generation)) for topic in _READ))
