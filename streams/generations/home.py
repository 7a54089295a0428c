"""`reindex`: what is done to the generations of an opened home."""

from __future__ import annotations

import asyncio

from contracts.clock import now_ms
from contracts.errors import PermanentError
from contracts.generations import GenerationVerified
from contracts.index_version import IndexVersion
from contracts.reports import (
    CaughtUp,
    DropReport,
    GenerationsReport,
    StartReport,
    SwapReport,
    VerifyReport,
)
from contracts.requests import Drop, Reindex, Rollback, Swap
from contracts.verifying import Verification
from streams.generations.catching_up import CatchingUp
from streams.generations.dropping import Dropper
from streams.generations.standing import GenerationsLooker
from streams.generations.starting import Starter, Wish
from streams.generations.swapping import Swapper
from streams.generations.verifying import Verifier
from streams.index_version import index_version
from streams.indexing import run
from streams.operations import Watcher
from streams.session import Home


async def start(home: Home, asked: Reindex) -> StartReport:
    """Begin a generation beside the live one, or say what it would be.

    The process that builds it opens the index anew: this one may be of another generation.

    Raises:
        PermanentError: these settings make what is live, or the source will not do.
        TransientError: the log or the graph cannot be used now.
    """
    version = await _version(home)
    starter = Starter(home.log, home.tree, home.generations, home.gaps, version)
    plan = await starter.plan(Wish(asked.source, asked.again))
    if asked.dry_run:
        return plan.model_copy(update={"dry_run": True})
    await _make_topics(home, plan)
    known = await starter.start(plan)
    return plan.model_copy(update={"rows": known.started.rows})


async def catch_up(home: Home, watcher: Watcher) -> CaughtUp:
    """Take all that waits through the stages of this home. Raises as `InProcessRunner`."""
    done = await run(home, watcher)
    return CaughtUp(
        generation=home.generation,
        done=sum(number for _, number in done.done),
        dead=len(done.dead),
        held=done.held,
    )


async def generations(home: Home) -> GenerationsReport:
    """Return how the generations stand. Raises as `GenerationsLooker.report`."""
    version = await _version(home)
    return await GenerationsLooker(home.log, home.tree, home.generations, version).report()


async def verify(home: Home, asked: Verification, watcher: Watcher) -> VerifyReport:
    """Compare a generation with the live one, and tell what speaks against a swap.

    Raises:
        PermanentError: there is no such generation, or it is live.
        TransientError: a store or the log cannot be used now.
    """
    await home.generations.refresh()
    live = home.generations.require(await home.tree.live())
    named = asked.generation
    candidate = (
        home.generations.require(named)
        if named
        else home.generations.newest_beside(live.generation)
    )
    if candidate.generation == live.generation:
        raise PermanentError(f"{live.generation} is live: there is nothing to compare it with.")
    verifier = Verifier(home, live, candidate, asked.sample, asked.limits, watcher)
    report = await verifier()
    await home.generations.tell(
        GenerationVerified(
            generation=candidate.generation,
            beside=live.generation,
            breaches=tuple(breach.text for breach in report.breaches),
            at_ms=now_ms(),
        )
    )
    return report


async def swap(home: Home, asked: Swap) -> SwapReport:
    """Make a generation live. Raises as `Swapper.swap`."""
    return await _swapper(home, asked.patience_s).swap(asked.generation, asked.forced)


async def rollback(home: Home, asked: Rollback) -> SwapReport:
    """Go back to the generation before. Raises as `Swapper.rollback`."""
    return await _swapper(home, asked.patience_s).rollback()


async def drop(home: Home, asked: Drop, watcher: Watcher) -> DropReport:
    """Delete a generation. Raises as `Dropper.drop`."""
    dropper = Dropper(home.log, home.tree, home.vectors, home.generations, asked.grace_s)
    return await dropper.drop(asked.generation, lambda _: watcher.passed("drop", 0))


def _swapper(home: Home, patience_s: float) -> Swapper:
    return Swapper(home.tree, home.generations, CatchingUp(home.log, patience_s))


async def _version(home: Home) -> IndexVersion:
    return await asyncio.to_thread(index_version, home.settings)


async def _make_topics(home: Home, plan: StartReport) -> None:
    if home.has_workers:
        from streams.kafka.topics import create

        settings = home.settings
        access = settings.kafka_access(settings.kafka_url)
        await create(access, settings.topic_shape, plan.generation)
