"""Which generation a process writes: the one that has its own index version, or none.

What two versions built never mixes: a process without a generation of its own reads, and says
what to do before it writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from contracts.errors import PermanentError
from contracts.ids import FIRST_GENERATION, Generation
from contracts.index_version import IndexVersion
from contracts.ports import TreeStore
from streams.generations.registry import Generations, KnownGeneration, names

_SHOWN: Final = 6  # differences between versions in one sentence


class OtherIndex(PermanentError):  # noqa: N818 - what is wrong, as a person would say it
    """These settings make another index than there is; the text says what to do."""


async def take_over(generations: Generations, version: IndexVersion, tree: TreeStore) -> None:
    """Take what the graph holds for this version's, where the log tells of no generation.

    Raises:
        PermanentError: the log cannot be read.
        TransientError: the log or the graph cannot be used now.
    """
    await generations.refresh()
    if not generations.all():
        live = await tree.live()
        await generations.adopt(live, version, foreign=bool(await tree.works(live)))


async def generation_to_write(
    generations: Generations,
    version: IndexVersion,
    told: str,
) -> KnownGeneration:
    """Return the generation that a process of index version `version` writes.

    `told` is the setting `generation`: empty for the oldest one of this version. An index whose
    log tells of no generation begins with the first one, and that is ours.

    Raises:
        OtherIndex: there is none, or the one told is not there or of another version; what to do.
        PermanentError: the log cannot be read.
        TransientError: the log cannot be used now.
    """
    await generations.refresh()
    if not generations.all():
        await generations.adopt(FIRST_GENERATION, version, foreign=False)
    if told:
        try:
            known = generations.require(Generation(told))
        except PermanentError as error:
            raise OtherIndex(str(error)) from error
        if known.version != version:
            raise OtherIndex(_refusal(version, [known]))
        return known
    kept = generations.kept()
    mine = [each for each in kept if each.version == version]
    if not mine:
        raise OtherIndex(_refusal(version, kept))
    return mine[0]


def _refusal(version: IndexVersion, kept: Sequence[KnownGeneration]) -> str:
    nearest = min(kept, key=lambda each: len(each.version.differences(version)), default=None)
    if nearest is None:
        return "Every generation was dropped: begin one with `storygraft reindex start`."
    changes = nearest.version.differences(version)
    shown = "; ".join(changes[:_SHOWN])
    more = f" and {len(changes) - _SHOWN} more" if len(changes) > _SHOWN else ""
    return (
        f"These settings make another index (version {version.digest}) than {names(kept)}: "
        f"{nearest.generation} has version {nearest.version.digest}, and differs in {shown}{more}. "
        "Set that as it was, or build a new generation beside it with `storygraft reindex start`."
    )
