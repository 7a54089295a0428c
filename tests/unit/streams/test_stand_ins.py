from __future__ import annotations

import pytest

from contracts.chat import ChatAnswer, Finish, Sampling
from contracts.errors import TransientError
from contracts.ids import ChapterId, WorkId
from graph.memory import MemoryMemo
from processors.cohesion import CohesionSegmenter
from processors.litseg import Limits, LitSegLite
from processors.remembering import Payer
from processors.sif import SifEmbedder
from streams.stand_ins import Noted, SilentChat, UnaskedSegmenter
from tests.unit.processors.handmade import chapter_of
from tests.unit.processors.talker import Talker

CHAPTER = chapter_of("Hedda weighed the herring. Wim hid in the office.\n\nThe clock stood still.")


class Fainting(Talker):
    """Answers as was thought of, and is down after that."""

    async def ask(self, request: object) -> ChatAnswer:
        if len(self.heard) == len(self.answers):
            raise TransientError("down")
        return await super().ask(request)  # type: ignore[arg-type]


async def test_another_attempt_is_a_call_too() -> None:
    memo, limits = MemoryMemo(), Limits(context=32_768, attempts=3)
    fainting = Fainting([ChatAnswer("no scenes today", Finish.STOP)])
    with pytest.raises(TransientError, match="down"):
        await LitSegLite(fainting, Payer(memo), Sampling(), limits).segment(CHAPTER)
    silent = SilentChat(fainting.model)
    noted = Noted(WorkId("w"), chapter_id=ChapterId("1"))
    unasked = UnaskedSegmenter(
        LitSegLite(silent, Payer(memo), Sampling(), limits),
        CohesionSegmenter(SifEmbedder()),
        memo,
        silent.model,
        noted,
    )
    assert (await unasked.segment(CHAPTER)).segments
    (call,) = noted.calls
    assert (call.chapter_id, call.purpose) == ("1", "segmentation")
    known = {entry.asked.key for entry in await memo.of_work(CHAPTER.work_id)}
    assert call.key not in known
