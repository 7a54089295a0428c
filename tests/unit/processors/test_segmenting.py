from __future__ import annotations

from itertools import pairwise

import pytest

from contracts.errors import PermanentError
from contracts.events import ChapterMoved, ChapterPublished, Format
from contracts.ids import ChapterId, WorkId, content_hash
from contracts.messages import ChapterSegmented, EventPassed
from contracts.ordinals import Ordinal
from contracts.scenes import ChapterText, Segment, Segmentation
from processors.cohesion import CohesionSegmenter
from processors.segmenting import SegmentStage
from tests.unit.processors.handmade import HashedWords

_BODY = "Ann left the house.\n\n* * *\n\nBob found the letter. He read it twice."


class _Careless:
    """A segmenter whose answer is of no use."""

    version = "careless-1"

    async def segment(self, chapter: ChapterText) -> Segmentation:
        segments = (Segment(from_idx=7, to_idx=3),)
        return Segmentation(segments=segments, segmenter=self.version, calls=2, tokens=9)


def _published(body: str = _BODY, **fields: object) -> ChapterPublished:
    return ChapterPublished.model_validate(
        {"work_id": "w", "chapter_id": "c", "ordinal": "6.5", "body": body, "language": "en"}
        | fields
    )


async def _segmented(
    event: ChapterPublished, stage: SegmentStage | None = None
) -> ChapterSegmented:
    done = await (stage or SegmentStage(CohesionSegmenter(HashedWords())))(event, 17)
    assert isinstance(done, ChapterSegmented)
    return done


async def test_a_published_chapter_is_cut_into_scenes() -> None:
    event = _published(title="Seven", revision=3)
    done = await _segmented(event)
    assert done.text == _BODY
    assert [done.text[s.start : s.end] for s in done.scenes] == _BODY.split("\n\n* * *\n\n")
    assert (done.head.position, done.head.revision, done.head.title) == (17, 3, "Seven")
    assert done.head.ordinal == Ordinal.parse("6.5")
    assert done.head.content_hash == content_hash("text", "en", "Seven", _BODY)
    assert done.segmenter.startswith("cohesion-")
    assert ChapterSegmented.model_validate_json(done.to_json()) == done


async def test_the_homes_of_the_scenes_hold_every_sentence_once() -> None:
    body = "\n\n".join(f"Ann walked {n} miles to the mill. Bob slept." for n in range(300))
    done = await _segmented(_published(body))
    assert len(done.scenes) > 3
    assert done.scenes[0].first_sentence == 1
    assert done.scenes[-1].last_sentence == len(done.sentences)
    assert all(a.last_sentence + 1 == b.first_sentence for a, b in pairwise(done.scenes))


async def test_an_unusable_answer_is_repaired_and_its_cost_reported() -> None:
    done = await _segmented(_published(), SegmentStage(_Careless()))
    assert len(done.scenes) == 2
    assert (done.repairs.dropped_segments, done.repairs.whole_chunk) == (1, 1)
    assert (done.calls, done.tokens, done.segmenter) == (2, 9, "careless-1")


async def test_a_chapter_of_paratext_alone_has_no_scenes() -> None:
    done = await _segmented(_published("* * *\n\n***"), SegmentStage(_Careless()))
    assert done.scenes == ()
    assert done.calls == 0
    assert done.segmenter == "careless-1"


async def test_markup_is_read_before_it_is_segmented() -> None:
    done = await _segmented(_published("<p>Ann left.</p><p>Bob came.</p>", format=Format.HTML))
    assert "<p>" not in done.text
    assert len(done.sentences) == 2


async def test_an_event_without_text_passes() -> None:
    moved = ChapterMoved(work_id=WorkId("w"), chapter_id=ChapterId("c"), ordinal=Ordinal.parse(2))
    passed = await SegmentStage(_Careless())(moved, 4)
    assert passed == EventPassed(position=4, event=moved)


async def test_a_body_over_the_limit_is_refused_with_size_limit_and_remedy() -> None:
    stage = SegmentStage(_Careless(), max_body_bytes=20)
    await _segmented(_published("x" * 20), stage)
    with pytest.raises(PermanentError, match=r"21 bytes.*limit is 20.*several chapters"):
        await stage(_published("é" * 10 + "x"), 1)
