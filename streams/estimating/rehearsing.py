"""Places the scenes of works as they will be placed, and writes nothing.

What a model would be asked, the memo answers; where it cannot, the chapter's stored record tells
what was said of it before, and the question is counted.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from contracts.chat import ChatRequest, canonical_json
from contracts.ids import Generation, WorkId
from contracts.ports import Memo, TreeStore
from contracts.tree import ChapterInputs
from contracts.works import WorkRecord
from graph import fold
from graph.advising import Advising
from graph.placement_weights import Weights
from processors.remembering import Payer
from streams.adapters import open_advising
from streams.estimating.texts import TextEstimator
from streams.settings import Settings
from streams.stand_ins import Noted, SilentChat, UnaskedAdviser

_ENOUGH: Final = 2_000  # chapters, placed in a minute, before others are taken to be like them
_PLACED: Final = {"home": "t10", "touches": "none", "touches_too": "none"}


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Rehearses the works of the live `generation` under `settings`."""

    settings: Settings
    tree: TreeStore
    generation: Generation
    memo: Memo

    async def placed(self, work: WorkRecord) -> Noted:
        """Place every live chapter of a work, and return what was asked and what was known.

        Raises:
            TransientError: a store is down.
        """
        noted = Noted(work.work_id)
        silent = SilentChat(self.settings.model_name)
        advising = open_advising(self.settings, silent, Payer(self.memo))
        if advising is None:
            return noted
        adviser = UnaskedAdviser(advising.adviser, self.tree, self.generation, noted)
        live = [chapter.chapter_id for chapter in work.live_chapters()]
        inputs = await self.tree.inputs(work.work_id, self.generation, live)
        chapters = [inputs[each] for each in live if each in inputs]
        told = Advising(adviser, advising.scope)
        await _folded(work.work_id, chapters, told, self.settings.weights)
        return noted


async def _folded(
    work_id: WorkId, chapters: list[ChapterInputs], advising: Advising, weights: Weights
) -> None:
    state = fold.start(work_id)
    for chapter in chapters:
        await asyncio.sleep(0)  # others of the process are answered meanwhile
        advised = await advising(state, chapter, weights)
        state, _ = fold.graft(state, chapter, advised, weights=weights)


async def rehearse(
    rehearsal: Rehearsal, works: Iterable[WorkRecord], estimator: TextEstimator
) -> int:
    """Add what placing some of `works` costs, and return how many chapters these have.

    Works are drawn by chance, always the same ones, until they have `_ENOUGH` chapters.

    Raises:
        TransientError: a store is down.
    """
    rehearsed, placing = 0, estimator.placing
    for work in sorted(works, key=_drawn):
        if rehearsed >= _ENOUGH:
            break
        rehearsed += len(work.live_chapters())
        noted = await rehearsal.placed(work)
        for known in noted.known:
            placing.add(1, known.input_tokens, known.output_tokens, remembered=True)
        for request in noted.placings:
            read = await estimator.tokens_of_ours(request.system)
            read += await estimator.tokens(request.user)
            placing.add(1, read, await estimator.tokens(answer_like(request)))
    return rehearsed


def _drawn(work: WorkRecord) -> bytes:
    return hashlib.blake2b(work.work_id.encode()).digest()


def answer_like(request: ChatRequest) -> str:
    """Return an answer that is as long as what a model will say about placing."""
    asked = request.schema["properties"]
    names = asked if isinstance(asked, dict) else {}
    return canonical_json(
        {name: _PLACED if name.startswith("scene_") else "none" for name in names}
    )
