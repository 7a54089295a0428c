"""A commit as a list of statements, decided from values alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from contracts.tree import GraftRecord, SceneInputs, TreeRow
from contracts.works import ChapterContent, ChapterRecord, Checkpoint, Commit, WorkRecord
from graph.bolt import statements
from graph.bolt.keys import chapter_key, node_key, work_key
from graph.bolt.kinds import EDGE_KINDS, NODE_KINDS
from graph.bolt.packing import Properties, Row, compressed, packed_counts, parts
from graph.bolt.rows import edge_parameters, node_parameters


@dataclass(frozen=True, slots=True)
class Step:
    """One statement over rows, which are made as they are sent; without rows it does nothing.

    `unless_all` says what is wrong when some row found nothing to refer to, `unless_none` when
    one found something.
    """

    statement: str
    rows: Iterable[Row]
    unless_all: str | None = None
    unless_none: str | None = None


def steps(commit: Commit, token: str) -> Iterator[Step]:
    """Yield what to run, in order: what goes before what comes, nodes before their edges."""
    work = commit.work
    yield Step(
        statements.PUT_CHAPTERS,
        [
            {"key": _key(work, c.chapter_id), "properties": _chapter(work, c)}
            for c in commit.chapters_put
        ],
    )
    yield from _edge_deletions(work, commit.rows.deletes)  # before a scene takes them along
    yield from _content_steps(commit, token)
    yield from _node_deletions(work, commit.rows.deletes)
    yield from _puts(work, commit.rows.puts)
    replaced = [record.chapter_id for record in commit.records_put]
    yield Step(
        statements.DROP_RECORDS,
        [{"key": _key(work, each)} for each in (*commit.records_deleted, *replaced)],
    )
    yield Step(
        statements.ADD_RECORDS,
        [_record(work, record) for record in commit.records_put],
        unless_all="a graft record of a chapter that is not known",
    )
    yield from _checkpoint_steps(commit)
    yield Step(statements.PUT_WORK, [_work(work, token)])


def _content_steps(commit: Commit, token: str) -> Iterator[Step]:
    work, contents = commit.work, commit.contents_put
    gone = [_key(work, each) for each in commit.contents_deleted]
    scenes = {
        _key(work, each.chapter_id): [str(i.scene.scene_id) for i in each.scenes]
        for each in contents
    }
    kept: dict[str, list[str]] = {**{key: [] for key in gone}, **scenes}
    yield Step(statements.DROP_PARTS, [{"key": key} for key in kept])
    yield Step(statements.DROP_SCENES, [{"key": key, "kept": ids} for key, ids in kept.items()])
    yield Step(statements.FORGET_CONTENT, [{"key": key} for key in gone])
    yield Step(
        statements.SET_CONTENT,
        # The token names this content, and no other the chapter ever had or will have.
        [{"key": key, "content": token} for key in scenes],
        unless_all="the content of a chapter that is not known",
    )
    keyed = [(_key(work, content.chapter_id), content) for content in contents]
    yield Step(
        statements.ADD_TEXT,
        (part for key, content in keyed for part in _parts(key, compressed(content.text))),
    )
    yield Step(
        statements.ADD_TERMS,
        (
            part
            for key, content in keyed
            for part in _parts(key, packed_counts(content.term_counts))
        ),
    )
    yield Step(
        statements.PUT_SCENES,
        (scene for key, content in keyed for scene in _scenes(work, key, content)),
    )


def _checkpoint_steps(commit: Commit) -> Iterator[Step]:
    work, checkpoints = commit.work, commit.checkpoints_put
    replaced = [checkpoint.chapter_id for checkpoint in checkpoints]
    going = [{"key": _key(work, each)} for each in (*commit.checkpoints_deleted, *replaced)]
    yield Step(statements.DROP_STATES, going)
    yield Step(statements.DROP_CHECKPOINTS, going)
    yield Step(
        statements.ADD_CHECKPOINTS,
        [_checkpoint(work, checkpoint) for checkpoint in checkpoints],
        unless_all="a checkpoint of a chapter that is not known",
    )
    yield Step(
        statements.ADD_STATES,
        (part for each in checkpoints for part in _parts(_key(work, each.chapter_id), each.data)),
    )


def _edge_deletions(work: WorkRecord, rows: Mapping[str, TreeRow]) -> Iterator[Step]:
    for edge in EDGE_KINDS:
        going = {key: row for key, row in rows.items() if isinstance(row, edge.row)}
        yield Step(
            statements.DROP_EDGES[edge],
            [edge_parameters(edge, work.generation, key, row) for key, row in going.items()],
        )


def _node_deletions(work: WorkRecord, rows: Mapping[str, TreeRow]) -> Iterator[Step]:
    # Reversed: what hangs on a storyline or character goes before it.
    for node in reversed(NODE_KINDS):
        going = {key: row for key, row in rows.items() if isinstance(row, node.row)}
        keys = [node_parameters(node, work, key, row) for key, row in going.items()]
        if node.link is None:
            in_use = f"a {node.label.lower()} to be deleted is still referred to"
            yield Step(statements.IN_USE[node.label], keys, unless_none=in_use)
        yield Step(statements.DROP_NODES[node], keys)


def _puts(work: WorkRecord, rows: Mapping[str, TreeRow]) -> Iterator[Step]:
    for node in NODE_KINDS:
        coming = {key: row for key, row in rows.items() if isinstance(row, node.row)}
        yield Step(
            statements.PUT_NODES[node],
            [node_parameters(node, work, key, row) for key, row in coming.items()],
            unless_all=_hanging(node.row),
        )
    for edge in EDGE_KINDS:
        coming = {key: row for key, row in rows.items() if isinstance(row, edge.row)}
        yield Step(
            statements.PUT_EDGES[edge],
            [edge_parameters(edge, work.generation, key, row) for key, row in coming.items()],
            unless_all=_hanging(edge.row),
        )


def _hanging(kind: type[TreeRow]) -> str:
    return f"a {kind.__name__} refers to a scene, storyline or character that is not there"


def _key(work: WorkRecord, chapter_id: str) -> str:
    return chapter_key(work.generation, work.work_id, chapter_id)


def _chapter(work: WorkRecord, chapter: ChapterRecord) -> Properties:
    return {
        "work": work_key(work.generation, work.work_id),
        "chapter_id": chapter.chapter_id,
        "live": chapter.live,
        "place": None if chapter.place is None else int(chapter.place),
        "row_position": chapter.row_position,
        "passages": chapter.passages,
        "language": chapter.language,
        "record": chapter.model_dump_json(),
    }


def _scenes(work: WorkRecord, chapter: str, content: ChapterContent) -> Iterator[Row]:
    for nth, inputs in enumerate(content.scenes):
        yield {
            "key": node_key(work.generation, inputs.scene.scene_id),
            "chapter": chapter,
            "properties": _scene(work, nth, inputs),
        }


def _scene(work: WorkRecord, nth: int, inputs: SceneInputs) -> Properties:
    return {
        "work": work_key(work.generation, work.work_id),
        "id": inputs.scene.scene_id,
        "nth": nth,
        "title": inputs.scene.title,
        "record": inputs.scene.model_dump_json(),
        "dense": inputs.dense,
    }


def _parts(chapter: str, data: bytes) -> list[Row]:
    return [{"key": chapter, "nth": nth, "data": part} for nth, part in parts(data)]


def _record(work: WorkRecord, record: GraftRecord) -> Row:
    return {
        "key": _key(work, record.chapter_id),
        "ordinal": int(record.ordinal),
        "data": compressed(record.model_dump_json()),
    }


def _checkpoint(work: WorkRecord, checkpoint: Checkpoint) -> Row:
    return {
        "key": _key(work, checkpoint.chapter_id),
        "properties": {
            "work": work_key(work.generation, work.work_id),
            "chapter_id": checkpoint.chapter_id,
            "digest": checkpoint.digest,
        },
    }


def _work(work: WorkRecord, token: str) -> Row:
    return {
        "work_id": work.work_id,
        "generation": work.generation,
        "commit_seq": work.commit_seq,
        "written_by": token,
        "record": work.model_copy(update={"chapters": ()}).model_dump_json(),
    }
