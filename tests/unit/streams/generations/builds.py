"""Builds of one work, made by hand."""

from __future__ import annotations

from contracts.ids import ChapterId, Generation, SceneId, WorkId
from contracts.order import OrderToken, Registers
from contracts.ordinals import Ordinal
from contracts.scenes import Scene
from contracts.tree import ChapterInputs, SceneInputs
from contracts.works import ChapterRecord, WorkRecord
from streams.generations.builds import Build

W = WorkId("w")


def chapter(name: str, position: int = 0, *, present: bool = True, place: int = 1) -> ChapterRecord:
    """Return a chapter whose last event lies at `position`."""
    token = OrderToken(-1, position)
    registers = Registers(
        text=token, ordinal=token, presence=token, present=present, place=Ordinal.parse(place)
    )
    return ChapterRecord(chapter_id=ChapterId(name), registers=registers, content_hash="hash")


def build(
    *chapters: ChapterRecord,
    scenes: dict[str, list[int]] | None = None,
    story_words: dict[str, int] | None = None,
    floor: int = -1,
) -> Build:
    """Return a build; `scenes` are the words of each scene, one of 100 words unless told."""
    told = scenes or {}
    inputs = {
        each.chapter_id: ChapterInputs(
            each.chapter_id,
            each.story_place,
            "en",
            tuple(_scene(words) for words in told.get(each.chapter_id, [100])),
        )
        for each in chapters
    }
    words = {each.chapter_id: sum(told.get(each.chapter_id, [100])) for each in chapters}
    words.update({ChapterId(name): count for name, count in (story_words or {}).items()})
    work = WorkRecord(work_id=W, generation=Generation("g"), chapters=chapters, floor=floor)
    return Build(work, inputs, words)


def _scene(words: int) -> SceneInputs:
    scene = Scene(
        scene_id=SceneId("s"),
        first_sentence=1,
        last_sentence=1,
        start=0,
        end=1,
        title="",
        synopsis="",
        significance="",
        words=words,
    )
    return SceneInputs(scene, b"")
