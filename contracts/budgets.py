"""What answering one question may cost: asked before anything is spent, reported afterwards."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field

from contracts.frozen import Frozen


class Budget(Frozen):
    """Limits of one question; the words of evidence stand beside it in the request.

    No limit is exceeded by more than one unit: one call of a model, one round, one scene. A call
    that would not fit is not made: the answer then rests on what was found until then.
    `map_tokens` is of one prompt, counted on the high side; `tokens` is of all prompts and answers
    together.
    """

    rounds: Annotated[int, Field(ge=1, le=50, description="looks at the map or the text")] = 6
    scenes: Annotated[int, Field(ge=1, le=100, description="scenes that one round adds")] = 8
    map_tokens: Annotated[int, Field(ge=500, description="tokens of the map in a prompt")] = 12_000
    model_calls: Annotated[int, Field(ge=0, description="calls of a language model")] = 8
    tokens: Annotated[int, Field(ge=0, description="tokens read and written by it")] = 120_000
    seconds: Annotated[float, Field(gt=0, description="time in all")] = 120.0


USUAL: Final = Budget()
"""What a question may cost if nobody says otherwise."""
