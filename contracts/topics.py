"""Names of the topics. Those of what is built belong to one generation."""

from __future__ import annotations

from typing import Final

from contracts.ids import FIRST_GENERATION, Generation

CHAPTERS: Final = "chapters"
SCENES: Final = "scenes"
EMBEDDED: Final = "embedded"
GRAFTS: Final = "grafts"
PARKED: Final = "parked"
GENERATIONS: Final = "generations"
QUESTIONS: Final = "questions"
ANSWERS: Final = "answers"

OF_A_GENERATION: Final = (SCENES, EMBEDDED, GRAFTS, PARKED)


def physical(topic: str, generation: Generation = FIRST_GENERATION) -> str:
    """Return the topic's name in the log: generation topics carry its suffix (`scenes.g1`)."""
    return f"{topic}.{generation}" if topic in OF_A_GENERATION else topic


def dead_letters(topic: str) -> str:
    """Return the name of the topic that takes what is unfit on `topic`."""
    return f"{topic}.dlq"
