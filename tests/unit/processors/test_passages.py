from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.events import Format
from contracts.frozen import Span
from contracts.ids import ChapterId, WorkId, passage_id, scene_id
from contracts.messages import ChapterHead, ChapterSegmented
from contracts.ordinals import Ordinal
from contracts.scenes import Scene
from contracts.words import count_words
from processors.passages import cut_passages, named_passages

_HEAD = ChapterHead(
    work_id=WorkId("work"),
    chapter_id=ChapterId("1"),
    ordinal=Ordinal.parse(1),
    position=0,
    title="",
    format=Format.TEXT,
    content_hash="",
    published_at=datetime(2026, 1, 1, tzinfo=UTC),
)


def _chapter(*scenes: list[int]) -> ChapterSegmented:
    """Return a chapter whose scenes have sentences of so many words."""
    text = ""
    spans: list[Span] = []
    built: list[Scene] = []
    for lengths in scenes:
        first = len(spans) + 1
        for length in lengths:
            start = len(text)
            text += " ".join(["word"] * length) + "."
            spans.append(Span(start=start, end=len(text)))
            text += "\n"
        built.append(_scene(text, spans, first))
    return ChapterSegmented(
        head=_HEAD,
        language="en",
        text=text,
        sentences=tuple(spans),
        scenes=tuple(built),
        segmenter="test",
    )


def _scene(text: str, spans: list[Span], first: int) -> Scene:
    start, end = spans[first - 1].start, spans[-1].end
    return Scene(
        scene_id=scene_id("work", "1", text[start:end], first),
        first_sentence=first,
        last_sentence=len(spans),
        start=start,
        end=end,
        title="t",
        synopsis="s",
        significance="s",
        words=count_words(text[start:end]),
    )


def _lengths(*scenes: list[int]) -> list[int]:
    return [count_words(passage.text) for passage in cut_passages(_chapter(*scenes))]


def test_a_scene_is_cut_evenly_rather_than_greedily() -> None:
    assert _lengths([10] * 25) == [90, 80, 80]
    assert _lengths([10] * 14) == [140]
    assert _lengths([10] * 16) == [80, 80]


def test_a_long_sentence_stays_whole_and_alone() -> None:
    assert _lengths([50, 50, 400, 50, 50]) == [100, 400, 100]


def test_no_passage_crosses_scenes() -> None:
    chapter = _chapter([30], [20, 20], [110])
    scenes = [passage.scene_id for passage in cut_passages(chapter)]
    assert scenes == [scene.scene_id for scene in chapter.scenes]


def test_ids_count_code_points_within_the_scene() -> None:
    chapter = _chapter([60], [60, 60, 60, 60])
    for passage in cut_passages(chapter):
        scene = next(s for s in chapter.scenes if s.scene_id == passage.scene_id)
        assert passage.passage_id == passage_id(scene.scene_id, passage.start - scene.start)


def test_a_chapter_without_scenes_has_no_passages() -> None:
    assert cut_passages(_chapter()) == ()


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.lists(st.integers(1, 250), min_size=1, max_size=12), min_size=1, max_size=3),
)
def test_every_sentence_lies_in_exactly_one_passage(scenes: list[list[int]]) -> None:
    chapter = _chapter(*scenes)
    passages = cut_passages(chapter)
    assert all(p.text == chapter.text[p.start : p.end] for p in passages)
    holders = [
        [p for p in passages if p.start <= span.start and span.end <= p.end]
        for span in chapter.sentences
    ]
    assert all(len(holding) == 1 for holding in holders)
    assert sorted({p.start for p in passages}) == [p.start for p in passages]
    assert len({p.passage_id for p in passages}) == len(passages)


def test_wordless_sentences_cost_no_quadratic_time() -> None:
    chapter = _chapter([1] * 3_000)
    silent = chapter.model_copy(update={"text": "." * len(chapter.text)})
    assert max(len(p.text) for p in cut_passages(silent)) < 2_000


@given(st.lists(st.lists(st.integers(1, 150), min_size=1, max_size=12), min_size=1, max_size=4))
@settings(max_examples=50, deadline=None)
def test_passages_are_found_again_by_their_names(scenes: list[list[int]]) -> None:
    chapter = _chapter(*scenes)
    passages = cut_passages(chapter)
    items = {passage.passage_id for passage in passages}
    names = items | {scene.scene_id for scene in chapter.scenes}
    assert named_passages(chapter.text, chapter.scenes, names) == passages
    assert named_passages(chapter.text, chapter.scenes, {"of another text"}) == ()


def test_passages_of_a_text_without_spaces_are_found_again() -> None:
    text = "".join(f"{'雨' * 60}。" for _ in range(6))
    spans = [Span(start=at, end=at + 61) for at in range(0, len(text), 61)]
    chapter = ChapterSegmented(
        head=_HEAD,
        language="zh",
        text=text,
        sentences=tuple(spans),
        scenes=(_scene(text, spans, 1),),
        segmenter="test",
    )
    passages = cut_passages(chapter)
    assert len(passages) > 1
    items = [passage.passage_id for passage in passages]
    assert named_passages(text, chapter.scenes, items) == passages
