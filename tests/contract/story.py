"""Works, chapters and rows for the suites: small, and each under a work id of its own."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from contracts.ids import (
    FIRST_GENERATION,
    ChapterId,
    Generation,
    SceneId,
    StorylineId,
    WorkId,
    scene_id,
)
from contracts.order import OrderToken, Registers
from contracts.ordinals import Ordinal
from contracts.ports import TreeStore
from contracts.scenes import Mention, Scene
from contracts.tree import (
    AliasRow,
    AppearanceRow,
    AttachScene,
    ChildRow,
    DescriptionRow,
    GraftRecord,
    HomeRow,
    IdentityRow,
    RowChanges,
    SceneInputs,
    StorylineKind,
    StorylineRow,
    TouchRow,
    TreeRow,
)
from contracts.vectors import DIMENSIONS
from contracts.works import ChapterContent, ChapterRecord, Commit, WorkRecord
from graph.projection import key_of

NOBODY = "nobody"


def new_work() -> WorkId:
    return WorkId(f"work-{uuid.uuid4()}")


def at(ordinal: float | str) -> Ordinal:
    return Ordinal.parse(ordinal)


def a_chapter(
    chapter_id: str, ordinal: float | str | None, *, present: bool = True, position: int = 1
) -> ChapterRecord:
    place = None if ordinal is None else at(ordinal)
    return ChapterRecord(
        chapter_id=ChapterId(chapter_id),
        registers=Registers(text=OrderToken(-1, position), present=present, place=place),
        title=f"Chapter {chapter_id}",
        language="en",
        content_hash="c0ffee",
        row_position=position,
        items=("one", "two"),
        words=100,
        passages=4,
    )


def a_scene(work_id: str, chapter_id: str, nth: int, synopsis: str = "") -> SceneInputs:
    text = f"scene {nth}"
    return SceneInputs(
        Scene(
            scene_id=scene_id(work_id, chapter_id, text, 0),
            first_sentence=2 * nth + 1,
            last_sentence=2 * nth + 2,
            start=10 * nth,
            end=10 * nth + 9,
            title=text,
            synopsis=synopsis or f"what happens in {text}",
            significance="it matters",
            mentions=(Mention(name="Emma", count=nth + 1),),
            identities=(("the stranger", "Griffin"),),
            words=5,
            filled=("title",),
        ),
        bytes((nth * 7 + i) % 251 for i in range(2 * DIMENSIONS)),
    )


def a_content(
    work_id: str,
    chapter_id: str,
    *,
    scenes: int = 2,
    text: str = "",
    terms: Mapping[str, int] | None = None,
) -> ChapterContent:
    return ChapterContent(
        chapter_id=ChapterId(chapter_id),
        text=text or f"The text of {chapter_id}.",
        term_counts={"emma": 2, chapter_id: 1} if terms is None else terms,
        scenes=tuple(a_scene(work_id, chapter_id, nth) for nth in range(scenes)),
    )


def a_record(chapter: ChapterRecord, digest: str = "d") -> GraftRecord:
    operation = AttachScene(scene=SceneId("a scene"), storyline=StorylineId("a thread"))
    return GraftRecord(
        chapter_id=chapter.chapter_id,
        ordinal=chapter.story_place,
        operations=(operation,),
        digest=digest,
    )


def rows(*some: TreeRow) -> RowChanges:
    return RowChanges(puts={key_of(row): row for row in some})


def keyed(some: Iterable[TreeRow]) -> dict[str, TreeRow]:
    return {key_of(row): row for row in some}


@dataclass(slots=True)
class Writer:
    """Commits to one work, one commit after the other."""

    store: TreeStore
    work_id: WorkId = field(default_factory=new_work)
    generation: Generation = FIRST_GENERATION
    seq: int = 0
    title: str = "A Work"

    def work(self, seq: int) -> WorkRecord:
        return WorkRecord(
            work_id=self.work_id,
            generation=self.generation,
            commit_seq=seq,
            floor=3,
            title=self.title,
            author="A. Writer",
            tags=("novel",),
            described_at=(-1, 2),
        )

    def commit(
        self,
        chapters: Sequence[ChapterRecord] = (),
        contents: Sequence[ChapterContent] = (),
        changes: RowChanges | None = None,
        *,
        records: Sequence[GraftRecord] = (),
        contents_deleted: Sequence[ChapterId] = (),
        records_deleted: Sequence[ChapterId] = (),
        drop_all: bool = False,
    ) -> Commit:
        return Commit(
            work=self.work(self.seq + 1),
            expected_seq=self.seq,
            drop_all=drop_all,
            chapters_put=tuple(chapters),
            contents_put=tuple(contents),
            contents_deleted=tuple(contents_deleted),
            records_put=tuple(records),
            records_deleted=tuple(records_deleted),
            rows=changes or RowChanges(),
        )

    async def write(self, commit: Commit) -> None:
        assert await self.store.commit(commit)
        self.seq += 1

    async def publish(
        self, chapter_id: str, ordinal: float | str, *, scenes: int = 2, position: int = 1
    ) -> tuple[SceneId, ...]:
        """Commit one whole chapter: record, text, scenes, graft record, a storyline, homes."""
        chapter = a_chapter(chapter_id, ordinal, position=position)
        content = a_content(self.work_id, chapter_id, scenes=scenes)
        ids = tuple(inputs.scene.scene_id for inputs in content.scenes)
        place = int(chapter.story_place)
        thread = StorylineRow(f"thread-{self.work_id}", StorylineKind.THREAD, 0)
        homes = [HomeRow(each, thread.id, place, None) for each in ids]
        await self.write(
            self.commit([chapter], [content], rows(thread, *homes), records=[a_record(chapter)])
        )
        return ids


async def everything(store: TreeStore, writer: Writer) -> object:
    """Return all that can be read of the work, as one comparable value."""
    work_id, generation = writer.work_id, writer.generation
    view = await store.view(work_id, None)
    seen = view and (
        await view.chapters(),
        await view.scenes(),
        await view.texts([ChapterId("c1"), ChapterId("c2")]),
        await view.snapshot(),
        await view.passage_counts(["emma", "c1", "c2"]),
    )
    return (
        await store.load(work_id),
        await store.inputs(work_id, generation),
        await store.records(work_id, generation),
        seen,
    )


def hanging_rows(thread: str, person: str, scene: str) -> list[TreeRow]:
    """Return rows each of which refers to one thing that is not there."""
    return [
        ChildRow(NOBODY, thread, 1, None),
        ChildRow(thread, NOBODY, 1, None),
        HomeRow(NOBODY, thread, 1, None),
        HomeRow(scene, NOBODY, 1, None),
        TouchRow(NOBODY, thread, 1),
        TouchRow(scene, NOBODY, 1),
        DescriptionRow(NOBODY, 1, "c", "title", "synopsis", ()),
        AliasRow(NOBODY, "Emma", 1),
        IdentityRow(NOBODY, person, 1),
        IdentityRow(person, NOBODY, 1),
        AppearanceRow(NOBODY, scene, 1, 1),
        AppearanceRow(person, NOBODY, 1, 1),
    ]
