"""Generations of the index: what the topic `generations` says, and what follows from it.

A generation is the whole index, built by one index version. Several stand beside each other, each
following the log on its own; which of them readers see is told by the pointer in the graph alone.
Each record of the topic is a fact that stays true, whoever writes it and however often.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from contracts.frozen import Frozen
from contracts.ids import Generation
from contracts.index_version import IndexVersion


class Source(StrEnum):
    """What a generation is built from.

    From `chapters` all is made anew, from `scenes` only what comes after segmentation.
    """

    CHAPTERS = "chapters"
    SCENES = "scenes"


class Frontier(Frozen):
    """Where a partition stood when a rebuild began.

    `chapters` is the offset in `chapters` up to which the generation it is built from had
    segmented; `scenes` the end of its `scenes` after that. What lies before was there already,
    what comes after is live. Where rows are copied, `chapters` is up to where it had embedded, and
    `embedded` the end of its `embedded` after that.
    """

    partition: int
    chapters: int
    scenes: int
    embedded: int = 0


class GenerationStarted(Frozen):
    """A generation may be written, by processes of this index version and no others.

    `beside` is the generation that it is built beside; None for the first of an index. With
    source `scenes` its scenes are copied up to the frontier, and with `rows` as they were embedded,
    each row under a key of its own. One that is `foreign` was in the stores before the log told of
    any: its positions may be of another log, so nothing is taken from it.
    """

    kind: Literal["generation.started"] = "generation.started"
    generation: Generation
    version: IndexVersion
    source: Source = Source.CHAPTERS
    rows: bool = False
    beside: Generation | None = None
    frontier: tuple[Frontier, ...] = ()
    foreign: bool = False
    at_ms: int


class GenerationVerified(Frozen):
    """A generation was compared with the live one. `breaches` are what speaks against a swap."""

    kind: Literal["generation.verified"] = "generation.verified"
    generation: Generation
    beside: Generation
    breaches: tuple[str, ...] = ()
    at_ms: int


class GenerationSwapped(Frozen):
    """The pointer was moved from `instead_of` to `generation`; why, if that was forced."""

    kind: Literal["generation.swapped"] = "generation.swapped"
    generation: Generation
    instead_of: Generation
    forced: str = ""
    at_ms: int


class GenerationDropped(Frozen):
    """A generation is written and read no more; what it holds is being deleted."""

    kind: Literal["generation.dropped"] = "generation.dropped"
    generation: Generation
    at_ms: int


class GenerationErased(Frozen):
    """Nothing of a dropped generation is left."""

    kind: Literal["generation.erased"] = "generation.erased"
    generation: Generation
    at_ms: int


GenerationMessage = Annotated[
    GenerationStarted
    | GenerationVerified
    | GenerationSwapped
    | GenerationDropped
    | GenerationErased,
    Field(discriminator="kind"),
]
generation_message: TypeAdapter[GenerationMessage] = TypeAdapter(GenerationMessage)
