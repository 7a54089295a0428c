"""Small stories for tests of the fold: scenes with made-up vectors and names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from contracts.ids import ChapterId, SceneId, WorkId, scene_id
from contracts.ordinals import Ordinal
from contracts.scenes import Mention, Scene
from contracts.tree import (
    AttachScene,
    ChapterInputs,
    GraftRecord,
    SceneInputs,
    StorylineKind,
)
from contracts.vectors import DENSE_SCALE, DIMENSIONS
from graph.fold import FoldState, graft, start
from graph.projection import project, snapshot

WORK = WorkId("work")
NOTHING = bytes(2 * DIMENSIONS)
PEOPLE = ("Ada Byron", "Grace Hopper", "Emmy Noether", "Sofia Kovalevskaya", "Mary Somerville")


@dataclass(frozen=True)
class Told:
    """What a test says of a scene: its subject (a direction of its own), how far it strays."""

    subject: int = 0
    stray: int = 0
    people: tuple[str, ...] = ()
    threads: tuple[str, ...] = ()


def dense(subject: int, stray: int = 0) -> bytes:
    """Return a vector near to the direction of `subject`; 0 stands for no known word."""
    if subject == 0:
        return NOTHING
    vector = np.random.default_rng(subject).normal(size=DIMENSIONS)
    vector += 0.4 * np.random.default_rng(10_000 + stray).normal(size=DIMENSIONS)
    scaled = vector * (DENSE_SCALE / float(np.linalg.norm(vector)))
    return bytes(np.rint(scaled).astype("<i2").tobytes())


def chapter(name: str, ordinal: object, told: Sequence[Told]) -> ChapterInputs:
    """Return a chapter of such scenes."""
    scenes = [
        SceneInputs(_scene(name, number, each), dense(each.subject, each.stray))
        for number, each in enumerate(told)
    ]
    return ChapterInputs(ChapterId(name), Ordinal.parse(ordinal), "en", tuple(scenes))


def folded(chapters: Sequence[ChapterInputs]) -> tuple[FoldState, tuple[GraftRecord, ...]]:
    """Graft all chapters, in the order given."""
    state, records = start(WORK), []
    for each in chapters:
        state, record = graft(state, each)
        records.append(record)
    return state, tuple(records)


def home_threads(records: Sequence[GraftRecord]) -> list[str]:
    """Return the thread of each scene, in story order."""
    tree = snapshot(project(records).values(), records[-1].ordinal)
    parents = {row.child: row.parent for row in tree.children}
    kinds = {row.id: row.kind for row in tree.storylines}
    homes = {row.scene: row.storyline for row in tree.homes}
    found = []
    for record in records:
        for operation in record.operations:
            if isinstance(operation, AttachScene):
                storyline = homes[operation.scene]
                while kinds[storyline] is not StorylineKind.THREAD:
                    storyline = parents[storyline]
                found.append(storyline)
    return found


def threads_of(*chapters: ChapterInputs) -> list[str]:
    """Return the thread of each scene of a story, in story order."""
    return home_threads(folded(chapters)[1])


def long_story(chapters: int, scenes: int, subjects: int) -> list[ChapterInputs]:
    """Return a story that goes round its subjects, three scenes of each at a time."""
    return [
        chapter(
            f"c{number:04}",
            number,
            [
                Told(
                    subject=1 + (number * 7 + nth // 3) % subjects,
                    stray=number * scenes + nth,
                    people=(PEOPLE[(number * 7 + nth // 3) % subjects % len(PEOPLE)],),
                )
                for nth in range(scenes)
            ],
        )
        for number in range(chapters)
    ]


_TOLD = st.builds(
    Told,
    subject=st.integers(0, 6),
    stray=st.integers(0, 3),
    people=st.lists(st.sampled_from(PEOPLE), max_size=3, unique=True).map(tuple),
    threads=st.lists(st.sampled_from(["war", "love"]), max_size=1).map(tuple),
)
_SIZES = st.one_of(st.integers(0, 6), st.sampled_from([0, 1, 2, 3, 40]))


@st.composite
def stories(draw: st.DrawFn, most: int = 20) -> list[ChapterInputs]:
    """Stories of up to `most` chapters in story order; some chapters tie, some are empty."""
    ordinals = sorted(draw(st.lists(st.integers(0, most // 2 + 2), min_size=1, max_size=most)))
    names = draw(st.permutations(range(len(ordinals))))
    keys = sorted(zip(ordinals, (f"c{name:02}" for name in names), strict=True))
    return [chapter(name, at, _drawn(draw)) for at, name in keys]


def _drawn(draw: st.DrawFn) -> list[Told]:
    """Draw few different scenes, and so many of them in turn."""
    size = draw(_SIZES)
    kinds = draw(st.lists(_TOLD, min_size=1, max_size=4)) if size else []
    return [kinds[number % len(kinds)] for number in range(size)]


def _scene(chapter_name: str, number: int, told: Told) -> Scene:
    text = f"{number} {told}"
    return Scene(
        scene_id=SceneId(scene_id(WORK, chapter_name, text, 0)),
        first_sentence=1,
        last_sentence=1,
        start=0,
        end=1,
        title=f"Subject {told.subject} in {chapter_name}",
        synopsis=f"In scene {number} of {chapter_name} something happens to {told.people}.",
        significance="",
        mentions=tuple(Mention(name=name, count=2) for name in told.people),
        threads=told.threads,
        words=400,
    )
