"""`reindex verify`: does a generation answer as well as the live one?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from streams.cli import options
from streams.cli import verify_options as limits
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common
from streams.cli.running import connected, run

if TYPE_CHECKING:
    from contracts.verifying import Verification


def verify(
    generation: options.OtherGeneration = None,
    questions: limits.Questions = None,
    words: limits.EvidenceWords = None,
    seed: limits.Seed = None,
    max_waiting: limits.MaxWaiting = None,
    max_missing: limits.MaxMissing = None,
    max_findings: limits.MaxFindings = None,
    min_coverage: limits.MinCoverage = None,
    max_words_lost: limits.MaxWordsLost = None,
    max_scenes_factor: limits.MaxScenesFactor = None,
    max_fallbacks: limits.MaxFallbacks = None,
    max_lost: limits.MaxLost = None,
    min_overlap: limits.MinOverlap = None,
    home: options.HomeDir = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Compare a generation with the live one, and say what speaks against a swap.

    Every work's tree is checked and its chapters are counted; a sample of
    questions is asked of both, and those are told whose evidence is another.
    Ends with exit code 1 if anything speaks against a swap; `swap` then wants
    a reason.

    Example: storygraft reindex verify g2 --questions 500
    """
    common = Common(home, config, debug, json)

    def request() -> Verification:
        from contracts.verifying import Verification

        return Verification(
            generation=generation,
            sample=limits.sample_of({"questions": questions, "words": words, "seed": seed}),
            limits=limits.thresholds_of(
                {
                    "waiting": max_waiting,
                    "missing": max_missing,
                    "findings": max_findings,
                    "coverage": min_coverage,
                    "words_lost": max_words_lost,
                    "scenes_factor": max_scenes_factor,
                    "fallbacks": max_fallbacks,
                    "lost": max_lost,
                    "overlap": min_overlap,
                }
            ),
        )

    async def command() -> ExitCode:
        from streams.cli.output import print_result
        from streams.cli.progress import StepProgress
        from streams.cli.verified_shown import verified_shown
        from streams.operations import VERIFY

        async with connected(common.settings(), common) as index:
            with StepProgress("Verifying", shown=not json) as progress:
                report = await index.call(VERIFY, request(), progress)
        print_result(report, verified_shown, json=json)
        return ExitCode.OK if report.passed else ExitCode.FINDING

    run(command, common)
