"""The paper's rule-based reward for the form of an answer: the cheap half of what trains."""

from __future__ import annotations

from typing import Final

from processors.litseg.judging import Judged
from processors.litseg.reading import parsed, read_answer

VALID: Final = 0.0
INVALID_SEGMENTS: Final = -0.6
MISSING_FIELDS: Final = -0.8
INVALID_JSON: Final = -1.0

_STEPS: Final = (("events",), ("threads",), ("turning_points", "segments"))
_PAPERS_STEPS: Final = ("step1", "step2", "step3")


def format_reward(answer: str, count: int) -> float:
    """Return the reward of an answer on a chunk of `count` sentences.

    - `INVALID_JSON`: it cannot be parsed as a JSON object after basic cleanup.
    - `MISSING_FIELDS`: one of the three steps is missing, in our form or the paper's.
    - `INVALID_SEGMENTS`: the segments fail validation: form, ranges, context, coverage.
    - `VALID`: none of these.
    """
    try:
        told, _ = parsed(answer)
    except ValueError:
        return INVALID_JSON
    if not isinstance(told, dict):
        return INVALID_JSON
    ours = all(field in told for step in _STEPS for field in step)
    if not ours and not all(step in told for step in _PAPERS_STEPS):
        return MISSING_FIELDS
    return VALID if Judged.of(read_answer(answer), count).valid else INVALID_SEGMENTS
