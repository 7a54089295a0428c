"""What a generation is compared with another by, and what speaks against making it the live one."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field

from contracts.frozen import Frozen
from contracts.ids import Generation

_Count = Annotated[int, Field(ge=0)]
_Share = Annotated[float, Field(ge=0, le=1)]


class Sample(Frozen):
    """Which questions are asked of both generations; the same whenever it is drawn again.

    At most half of them are questions that somebody asked; the others are sentences of the
    stories. Of 200 a share is known to within 7 points, 19 times in 20. Another `seed` draws
    others.
    """

    questions: Annotated[int, Field(ge=0, le=100_000)] = 200
    words: Annotated[int, Field(ge=1, le=100_000)] = 1_000
    seed: str = ""


class Thresholds(Frozen):
    """How much worse than the live generation another may be, and still take its place.

    `waiting`: events that its stages have not done: while a serial goes on, some always are on
    their way, and they are there a second later. `missing`: chapters that readers see now and would
    no longer see, or not in their newest text, which do not wait. `findings`: things that are wrong
    with what is stored; none is harmless. `coverage`: of a work's story words, how many stand
    in scenes; a segmentation covers all by construction. `words_lost`: how many fewer story words
    a work may have; another reading of paratext makes such a difference. `scenes_factor`: by
    what factor a work's scenes may be more or fewer: segmenters differ by two, and one that
    fell apart by far more. `fallbacks`: in what share of the chapters no answer of a model was
    of use, so that a stretch of the text is one scene. `lost`: of the sentences that are asked
    for, how many may no longer be found, less those that only now are. `overlap`: how much of
    all evidence must be the same, on average.
    """

    waiting: _Count = 20
    missing: _Count = 0
    findings: _Count = 0
    coverage: _Share = 0.99
    words_lost: _Share = 0.01
    scenes_factor: Annotated[float, Field(ge=1)] = 4.0
    fallbacks: _Share = 0.05
    lost: _Share = 0.02
    overlap: _Share = 0.5


USUAL_SAMPLE: Final = Sample()
USUAL_THRESHOLDS: Final = Thresholds()


class Verification(Frozen):
    """Compare a generation, None for the newest one that is not live, with the live one."""

    generation: Generation | None = None
    sample: Sample = USUAL_SAMPLE
    limits: Thresholds = USUAL_THRESHOLDS
