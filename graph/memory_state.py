"""All that is kept of one work, as one value, and what a commit makes of it; pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

from contracts.errors import PermanentError
from contracts.ids import ChapterId, SceneId
from contracts.ordinals import Ordinal
from contracts.scenes import Scene
from contracts.tree import CharacterRow, GraftRecord, StorylineRow, TreeRow
from contracts.works import ChapterContent, ChapterRecord, Checkpoint, Commit, WorkRecord
from graph.presence import Presence
from graph.tree_rules import references

_Contents = Mapping[ChapterId, ChapterContent]
_Kept = TypeVar("_Kept")


@dataclass(frozen=True)
class WorkState:
    """A work as a store keeps it; `work` is None, and all else empty, until it is heard of.

    `work` is without its chapters. The mappings are never changed, so what is made of them is
    made once: a commit makes another state.
    """

    work: WorkRecord | None = None
    chapters: Mapping[ChapterId, ChapterRecord] = field(default_factory=dict)
    contents: _Contents = field(default_factory=dict)
    records: Mapping[ChapterId, GraftRecord] = field(default_factory=dict)
    rows: Mapping[str, TreeRow] = field(default_factory=dict)
    checkpoints: Mapping[ChapterId, Checkpoint] = field(default_factory=dict)

    def record(self) -> WorkRecord:
        """Return the work with its chapters, by chapter id.

        Raises:
            ValueError: the work was never heard of.
        """
        if self.work is None:
            raise ValueError("nothing is known of this work")
        chapters = tuple(self.chapters[key] for key in sorted(self.chapters))
        return self.work.model_copy(update={"chapters": chapters})

    @cached_property
    def live_chapters(self) -> tuple[ChapterRecord, ...]:
        """The chapters that readers see, in story order."""
        return self.record().live_chapters() if self.work else ()

    @cached_property
    def linked(self) -> Mapping[tuple[SceneId, int], Ordinal]:
        """The place in the story of each scene that readers see.

        Scenes are named by their id and the position of the event that wrote their rows.
        """
        return {
            (scene.scene_id, chapter.row_position): chapter.story_place
            for chapter in self.live_chapters
            for scene in self.scenes_of(chapter.chapter_id)
        }

    def scenes_of(self, chapter_id: ChapterId) -> tuple[Scene, ...]:
        """Return the chapter's scenes in the order of the text."""
        content = self.contents.get(chapter_id)
        return tuple(inputs.scene for inputs in content.scenes) if content else ()

    def presence(self, seen: Iterable[ChapterRecord]) -> Presence:
        """Return who is there for a reader who sees the chapters `seen`."""
        absent = [
            record for record in self.records.values() if not self._is_live(record.chapter_id)
        ]
        return Presence(
            scenes=frozenset(s.scene_id for each in seen for s in self.scenes_of(each.chapter_id)),
            absent=frozenset(record.chapter_id for record in absent),
            absent_ordinals=frozenset(int(record.ordinal) for record in absent),
        )

    def _is_live(self, chapter_id: ChapterId) -> bool:
        chapter = self.chapters.get(chapter_id)
        return chapter is not None and chapter.live


def applied(state: WorkState, commit: Commit) -> WorkState:
    """Return the work after `commit`.

    Raises:
        PermanentError: the commit is unfit (see `TreeStore.commit`).
    """
    old = WorkState() if commit.drop_all else state
    if commit.drop_tree:
        old = replace(old, records={}, rows={}, checkpoints={})
    chapters = {**old.chapters, **{each.chapter_id: each for each in commit.chapters_put}}
    contents = _contents(old.contents, commit)
    _check_chapters(commit, chapters)
    rows = _rows(old.rows, commit, _scene_ids(old.contents) - _scene_ids(contents))
    _check_references(commit, rows, _scene_ids(contents))
    records = _without(old.records, commit.records_deleted)
    checkpoints = _without(old.checkpoints, commit.checkpoints_deleted)
    return WorkState(
        work=commit.work.model_copy(update={"chapters": ()}),
        chapters=chapters,
        contents=contents,
        records={**records, **{each.chapter_id: each for each in commit.records_put}},
        rows=rows,
        checkpoints={**checkpoints, **{each.chapter_id: each for each in commit.checkpoints_put}},
    )


def _without(
    old: Mapping[ChapterId, _Kept], gone: Collection[ChapterId]
) -> Mapping[ChapterId, _Kept]:
    leaving = frozenset(gone)
    return {key: value for key, value in old.items() if key not in leaving}


def _contents(old: _Contents, commit: Commit) -> _Contents:
    kept = _without(old, commit.contents_deleted)
    new = {
        content.chapter_id: replace(content, term_counts=dict(content.term_counts))
        for content in commit.contents_put
    }
    return {**kept, **new}


def _scene_ids(contents: _Contents) -> set[str]:
    return {inputs.scene.scene_id for content in contents.values() for inputs in content.scenes}


def _rows(old: Mapping[str, TreeRow], commit: Commit, gone: set[str]) -> Mapping[str, TreeRow]:
    if not gone and not commit.rows.deletes:
        return {**old, **commit.rows.puts}
    kept = {
        key: row
        for key, row in old.items()
        if key not in commit.rows.deletes
        and not any(kind == "scene" and id_ in gone for kind, id_ in references(row))
    }
    return {**kept, **commit.rows.puts}


def _check_chapters(commit: Commit, chapters: Mapping[ChapterId, ChapterRecord]) -> None:
    for content in commit.contents_put:
        if content.chapter_id not in chapters:
            raise PermanentError(f"the content of chapter {content.chapter_id!r}: no such chapter")
    for record in commit.records_put:
        if record.chapter_id not in chapters:
            raise PermanentError(f"the record of chapter {record.chapter_id!r}: no such chapter")
    for checkpoint in commit.checkpoints_put:
        if checkpoint.chapter_id not in chapters:
            raise PermanentError(f"a checkpoint of {checkpoint.chapter_id!r}: no such chapter")


def _check_references(commit: Commit, rows: Mapping[str, TreeRow], scenes: set[str]) -> None:
    # Only a node that goes can leave an older row hanging; else the new rows are enough.
    goes = any(isinstance(row, StorylineRow | CharacterRow) for row in commit.rows.deletes.values())
    for row in (rows if goes else commit.rows.puts).values():
        for kind, id_ in references(row):
            if id_ not in scenes if kind == "scene" else f"{kind}:{id_}" not in rows:
                raise PermanentError(f"{type(row).__name__} refers to {kind} {id_!r}: none such")
