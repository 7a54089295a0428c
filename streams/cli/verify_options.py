"""Options of `reindex verify`: how much is compared, and what speaks against a swap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contracts.verifying import Sample, Thresholds

_MOST: Final = 100_000  # questions, and words of evidence: as a request may have


def _sample(flag: str, metavar: str, told: str, least: int | None = None) -> Any:
    return typer.Option(
        flag,
        metavar=metavar,
        help=told,
        show_default=False,
        rich_help_panel="What is asked of both",
        min=least,
        max=None if least is None else _MOST,
    )


def _limit(flag: str, told: str, *, least: float = 0, most: float | None = None) -> Any:
    """Return an option of a threshold; unset, the usual one holds."""
    return typer.Option(
        flag,
        metavar="N" if most is None else "SHARE",
        min=least,
        max=most,
        help=told,
        show_default=False,
        rich_help_panel="What a swap may cost",
    )


Questions = Annotated[
    int | None,
    _sample("--questions", "N", "Questions asked of both generations. Default: 200.", 0),
]
EvidenceWords = Annotated[
    int | None, _sample("--words", "W", "Words of evidence for each. Default: 1,000.", 1)
]
Seed = Annotated[
    str | None, _sample("--seed", "TEXT", "Another text draws other questions. Default: none.")
]
MaxWaiting = Annotated[
    int | None, _limit("--max-waiting", "Events that are not in it yet. Default: 20.")
]
MaxMissing = Annotated[
    int | None,
    _limit("--max-missing", "Chapters that would be gone or out of date. Default: 0."),
]
MaxFindings = Annotated[
    int | None, _limit("--max-findings", "Things wrong with what is stored. Default: 0.")
]
MinCoverage = Annotated[
    float | None,
    _limit("--min-coverage", "Of a work's words, those in scenes. Default: 0.99.", most=1),
]
MaxWordsLost = Annotated[
    float | None,
    _limit("--max-words-lost", "Of a work's words, those gone. Default: 0.01.", most=1),
]
MaxScenesFactor = Annotated[
    float | None,
    _limit("--max-scenes-factor", "Times as many, or as few, scenes. Default: 4.", least=1),
]
MaxFallbacks = Annotated[
    float | None,
    _limit(
        "--max-fallbacks",
        "Of a work's chapters, those of which no answer was of use. Default: 0.05.",
        most=1,
    ),
]
MaxLost = Annotated[
    float | None,
    _limit("--max-lost", "Of the sentences asked for, those lost. Default: 0.02.", most=1),
]
MinOverlap = Annotated[
    float | None,
    _limit("--min-overlap", "Of all evidence, that found by both. Default: 0.5.", most=1),
]


def sample_of(given: Mapping[str, int | str | None]) -> Sample:
    """Return the sample that was asked for, as usual where nothing is said."""
    from contracts.verifying import Sample

    return Sample.model_validate(_said(given))


def thresholds_of(given: Mapping[str, float | None]) -> Thresholds:
    """Return the thresholds that were told, as usual where nothing is said."""
    from contracts.verifying import Thresholds

    return Thresholds.model_validate(_said(given))


def _said(given: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in given.items() if value is not None}
