"""Every Cypher statement, the same text for ArcadeDB and Neo4j.

Values come in as parameters only; labels and types come from our own tables. `$work` is the key
of the work in its generation; a statement that writes takes `$rows` and returns how many of them
found what they refer to.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final

from contracts.tree import TreeRow
from graph.bolt.kinds import CHARACTER, EDGE_KINDS, NODE_KINDS, SCENE, STORYLINE, EdgeKind, NodeKind

_BY_WORK: Final = ("Chapter", "Checkpoint", SCENE, *(kind.label for kind in NODE_KINDS))
_KEYED: Final = ("Prepared", "Pointer", "Work", *_BY_WORK)

SCHEMA: Final = (
    *(
        f"CREATE CONSTRAINT {label.lower()}_key IF NOT EXISTS "
        f"FOR (n:{label}) REQUIRE n.key IS UNIQUE"
        for label in _KEYED
    ),
    *(
        f"CREATE INDEX {label.lower()}_work IF NOT EXISTS FOR (n:{label}) ON (n.work)"
        for label in _BY_WORK
    ),
)
UNFOLDED: Final = (
    "MATCH (n:Alias) WHERE n.folded IS NULL RETURN n.key AS key, n.alias AS alias LIMIT $limit"
)
FOLD: Final = (
    "UNWIND $rows AS row MATCH (n:Alias {key: row.key}) SET n.folded = row.folded "
    "RETURN count(n) AS n"
)
SCHEMA_DIGEST: Final = hashlib.blake2b(
    "\n".join((*SCHEMA, FOLD)).encode(), digest_size=8
).hexdigest()
"""Names exactly this schema: it is kept in the store, so that the schema is made only once."""

PREPARED: Final = "MATCH (p:Prepared {key: 'schema'}) RETURN p.digest AS digest, p.format AS format"
TAKE_SCHEMA_LOCK: Final = "MERGE (p:Prepared {key: 'schema'}) SET p.lock = $token"
NOTE_PREPARED: Final = (
    "MERGE (p:Prepared {key: 'schema'}) SET p.digest = $token, p.format = $format"
)

# --- the work and its lock --------------------------------------------------------------------

TAKE_LOCK: Final = "MERGE (w:Work {key: $work}) SET w.lock = $token"
COMMIT_SEQ: Final = (
    "MATCH (w:Work {key: $work}) RETURN coalesce(w.commit_seq, 0) AS seq, w.written_by AS writer"
)
PUT_WORK: Final = (
    "UNWIND $rows AS row MATCH (w:Work {key: $work}) "
    "OPTIONAL MATCH (c:Chapter {work: $work}) WHERE c.passages > 0 WITH w, row, c LIMIT 1 "
    "SET w += row, w.linking = c IS NOT NULL RETURN count(w) AS n"
)
POINTER: Final = (
    "MATCH (p:Pointer {key: 'live'}) WHERE p.generation IS NOT NULL "
    "RETURN p.generation AS generation"
)
TAKE_POINTER: Final = "MERGE (p:Pointer {key: 'live'}) SET p.lock = $token"
POINT: Final = "MATCH (p:Pointer {key: 'live'}) SET p.generation = $generation"
WORK: Final = "MATCH (w:Work {key: $work}) RETURN w.record AS record"
WORKS: Final = (
    "MATCH (w:Work) WHERE w.record IS NOT NULL AND w.generation = $generation "
    "RETURN w.key AS work, w.work_id AS work_id, w.record AS record"
)

# --- chapters, texts, scenes, records: written ------------------------------------------------

PUT_CHAPTERS: Final = (
    "UNWIND $rows AS row MERGE (c:Chapter {key: row.key}) SET c += row.properties "
    "RETURN count(c) AS n"
)
DROP_PARTS: Final = (
    "UNWIND $rows AS row "
    "MATCH (:Chapter {key: row.key})-[:HAS_TEXT|HAS_TERMS]->(part) DETACH DELETE part"
)
DROP_SCENES: Final = (
    "UNWIND $rows AS row MATCH (:Chapter {key: row.key})-[:HAS_SCENE]->(s:Scene) "
    "WHERE NOT s.id IN row.kept DETACH DELETE s"
)
SET_CONTENT: Final = (
    "UNWIND $rows AS row MATCH (c:Chapter {key: row.key}) SET c.content = row.content "
    "RETURN count(c) AS n"
)
FORGET_CONTENT: Final = "UNWIND $rows AS row MATCH (c:Chapter {key: row.key}) REMOVE c.content"
ADD_TEXT: Final = (
    "UNWIND $rows AS row MATCH (c:Chapter {key: row.key}) "
    "CREATE (c)-[:HAS_TEXT]->(p:TextPart {nth: row.nth, data: row.data}) RETURN count(p) AS n"
)
ADD_TERMS: Final = (
    "UNWIND $rows AS row MATCH (c:Chapter {key: row.key}) "
    "CREATE (c)-[:HAS_TERMS]->(p:TermsPart {nth: row.nth, data: row.data}) RETURN count(p) AS n"
)
PUT_SCENES: Final = (
    "UNWIND $rows AS row MATCH (c:Chapter {key: row.chapter}) "
    "MERGE (s:Scene {key: row.key}) SET s += row.properties "
    "MERGE (c)-[:HAS_SCENE]->(s) RETURN count(s) AS n"
)
DROP_RECORDS: Final = (
    "UNWIND $rows AS row "
    "MATCH (:Chapter {key: row.key})-[:HAS_RECORD]->(r:GraftRecord) DETACH DELETE r"
)
ADD_RECORDS: Final = (
    "UNWIND $rows AS row MATCH (c:Chapter {key: row.key}) "
    "CREATE (c)-[:HAS_RECORD]->(r:GraftRecord {ordinal: row.ordinal, data: row.data}) "
    "RETURN count(r) AS n"
)
DROP_STATES: Final = (
    "UNWIND $rows AS row MATCH (:Checkpoint {key: row.key})-[:HAS_STATE]->(part) DETACH DELETE part"
)
DROP_CHECKPOINTS: Final = "UNWIND $rows AS row MATCH (k:Checkpoint {key: row.key}) DETACH DELETE k"
ADD_CHECKPOINTS: Final = (
    "UNWIND $rows AS row MATCH (c:Chapter {key: row.key}) "
    "CREATE (c)-[:HAS_CHECKPOINT]->(k:Checkpoint {key: row.key}) SET k += row.properties "
    "RETURN count(k) AS n"
)
ADD_STATES: Final = (
    "UNWIND $rows AS row MATCH (k:Checkpoint {key: row.key}) "
    "CREATE (k)-[:HAS_STATE]->(p:StatePart {nth: row.nth, data: row.data}) RETURN count(p) AS n"
)
_DROP_ALL_CHECKPOINTS: Final = (
    "MATCH (:Checkpoint {work: $work})-[:HAS_STATE]->(part) DETACH DELETE part",
    "MATCH (k:Checkpoint {work: $work}) DETACH DELETE k",
)
DROP_ALL: Final = (
    *_DROP_ALL_CHECKPOINTS,
    (
        "MATCH (:Chapter {work: $work})-[:HAS_TEXT|HAS_TERMS|HAS_SCENE|HAS_RECORD]->(n) "
        "DETACH DELETE n"
    ),
    *(
        f"MATCH (n:{label} {{work: $work}}) DETACH DELETE n"
        for label in ("Chapter", *(kind.label for kind in NODE_KINDS))
    ),
)
DROP_TREE: Final = (
    *_DROP_ALL_CHECKPOINTS,
    "MATCH (:Chapter {work: $work})-[:HAS_RECORD]->(r:GraftRecord) DETACH DELETE r",
    *(f"MATCH (n:{kind.label} {{work: $work}}) DETACH DELETE n" for kind in reversed(NODE_KINDS)),
)

# --- a work that nobody reads any more: a few nodes at a time, each before what leads to it ------


def _erase(pattern: str) -> str:
    return f"MATCH {pattern} WITH n LIMIT $limit DETACH DELETE n RETURN count(*) AS n"


ERASE: Final = (
    _erase("(:Checkpoint {work: $work})-[:HAS_STATE]->(n)"),
    _erase("(:Chapter {work: $work})-[:HAS_TEXT|HAS_TERMS|HAS_SCENE|HAS_RECORD]->(n)"),
    *(
        _erase(f"(n:{label} {{work: $work}})")
        for label in ("Checkpoint", *(kind.label for kind in NODE_KINDS), "Chapter")
    ),
)
ERASE_WORK: Final = "MATCH (w:Work {key: $work}) DETACH DELETE w"

# --- chapters, texts, scenes, records: read ---------------------------------------------------

CHAPTERS: Final = "MATCH (c:Chapter {work: $work}) RETURN c.record AS record"
CHAPTERS_OF_ALL: Final = (
    "MATCH (c:Chapter) WHERE c.work STARTS WITH $prefix RETURN c.work AS work, c.record AS record"
)
_KEYS: Final = "UNWIND $keys AS key "
_INPUT_CHAPTERS: Final = (
    " WHERE c.content IS NOT NULL AND c.place IS NOT NULL "
    "RETURN c.chapter_id AS chapter_id, c.place AS place, c.language AS language"
)
_INPUT_SCENES: Final = (
    "-[:HAS_SCENE]->(s:Scene) WHERE c.place IS NOT NULL "
    "RETURN c.chapter_id AS chapter_id, s.nth AS nth, s.record AS record, s.dense AS dense"
)
_RECORDS: Final = "-[:HAS_RECORD]->(r:GraftRecord) RETURN r.data AS data"

INPUT_CHAPTERS: Final = "MATCH (c:Chapter {work: $work})" + _INPUT_CHAPTERS
INPUT_SCENES: Final = "MATCH (c:Chapter {work: $work})" + _INPUT_SCENES
RECORDS: Final = "MATCH (:Chapter {work: $work})" + _RECORDS
CHOSEN_CHAPTERS: Final = _KEYS + "MATCH (c:Chapter {key: key})" + _INPUT_CHAPTERS
CHOSEN_SCENES: Final = _KEYS + "MATCH (c:Chapter {key: key})" + _INPUT_SCENES
CHOSEN_RECORDS: Final = _KEYS + "MATCH (:Chapter {key: key})" + _RECORDS
SCENES: Final = (
    _KEYS + "MATCH (s:Scene {key: key}) RETURN s.id AS id, s.record AS record, s.dense AS dense"
)
CHECKPOINTED: Final = "MATCH (k:Checkpoint {work: $work}) RETURN k.chapter_id AS chapter_id"
CHECKPOINT: Final = (
    "MATCH (k:Checkpoint {key: $key})-[:HAS_STATE]->(p:StatePart) "
    "RETURN k.digest AS digest, p.nth AS nth, p.data AS data"
)
CONTENT_TEXTS: Final = (
    "MATCH (c:Chapter) WHERE c.key IN $keys MATCH (c)-[:HAS_TEXT]->(p:TextPart) "
    "RETURN c.key AS key, c.chapter_id AS chapter_id, p.nth AS nth, p.data AS data"
)
CONTENT_SCENES: Final = (
    "MATCH (c:Chapter) WHERE c.key IN $keys MATCH (c)-[:HAS_SCENE]->(s:Scene) "
    "RETURN c.key AS key, s.nth AS nth, s.record AS record, s.dense AS dense"
)
LINKING: Final = "MATCH (w:Work) WHERE w.linking RETURN w.key AS work"

# --- what a view reads: presence and as-of are part of each statement ---------------------------

SEEN: Final = "c.live AND c.place <= $as_of"

HEAD: Final = "MATCH (c:Chapter {work: $work}) WHERE c.live RETURN max(c.place) AS head"
SEEN_CHAPTERS: Final = f"MATCH (c:Chapter {{work: $work}}) WHERE {SEEN} RETURN c.record AS record"
SEEN_PLACES: Final = (
    f"MATCH (c:Chapter {{work: $work}}) WHERE {SEEN} "
    "RETURN c.chapter_id AS chapter_id, c.place AS place"
)
SEEN_SCENES: Final = (
    f"MATCH (c:Chapter {{work: $work}})-[:HAS_SCENE]->(s:Scene) WHERE {SEEN} "
    "RETURN c.chapter_id AS chapter_id, s.nth AS nth, s.record AS record"
)
SEEN_SCENE_IDS: Final = (
    f"MATCH (c:Chapter {{work: $work}})-[:HAS_SCENE]->(s:Scene) WHERE {SEEN} RETURN s.id AS id"
)
SEEN_TEXTS: Final = (
    f"MATCH (c:Chapter) WHERE c.key IN $keys AND {SEEN} MATCH (c)-[:HAS_TEXT]->(p:TextPart) "
    "RETURN c.chapter_id AS chapter_id, p.nth AS nth, p.data AS data"
)
SEEN_LINKS: Final = (
    "UNWIND $pairs AS pair MATCH (s:Scene {key: pair.key})<-[:HAS_SCENE]-(c:Chapter) "
    f"WHERE c.work = $work AND {SEEN} AND c.row_position = pair.position "
    "RETURN s.id AS id, c.row_position AS position"
)
ABSENT: Final = (
    "MATCH (c:Chapter {work: $work})-[:HAS_RECORD]->(r:GraftRecord) WHERE NOT c.live "
    "RETURN c.chapter_id AS chapter_id, r.ordinal AS ordinal"
)
COUNTED_CHAPTERS: Final = (
    "MATCH (c:Chapter {work: $work}) WHERE c.live "
    "RETURN c.key AS key, c.chapter_id AS chapter_id, c.place AS place, c.passages AS passages, "
    "c.content AS content"
)
OUTLINE_SCENES: Final = (
    "MATCH (c:Chapter) WHERE c.key IN $keys MATCH (c)-[:HAS_SCENE]->(s:Scene) "
    "RETURN c.key AS key, s.nth AS nth, s.id AS id, s.record AS record"
)
TERM_TABLES: Final = (
    "MATCH (c:Chapter) WHERE c.key IN $keys MATCH (c)-[:HAS_TERMS]->(p:TermsPart) "
    "RETURN c.key AS key, p.nth AS nth, p.data AS data"
)

# --- rows of the tree -------------------------------------------------------------------------


def _put_node(kind: NodeKind) -> str:
    put = f"UNWIND $rows AS row MERGE (n:{kind.label} {{key: row.key}}) SET n += row.properties"
    if kind.link is None:
        return f"{put} RETURN count(n) AS n"
    return (
        f"UNWIND $rows AS row MATCH (of:{kind.link.end.label} {{key: row.target}}) "
        f"MERGE (n:{kind.label} {{key: row.key}}) SET n += row.properties "
        f"MERGE (n)-[:{kind.link.type}]->(of) RETURN count(n) AS n"
    )


def _put_edge(kind: EdgeKind) -> str:
    return (
        f"UNWIND $rows AS row MATCH (a:{kind.source.label} {{key: row.source}}) "
        f"MATCH (b:{kind.target.label} {{key: row.target}}) "
        f"MERGE {_edge(kind, 'a', 'b')} SET e += row.properties "
        "RETURN count(e) AS n"
    )


def _drop_edge(kind: EdgeKind) -> str:
    # Collected first: ArcadeDB loses its way in a node's edges while they are deleted.
    source = "" if kind.at_target else f"a:{kind.source.label} {{key: row.source}}"
    target = f"b:{kind.target.label} {{key: row.target}}" if kind.at_target else ""
    return (
        f"UNWIND $rows AS row MATCH {_edge(kind, source, target)} "
        "WITH collect(e) AS gone UNWIND gone AS e DELETE e"
    )


def _edge(kind: EdgeKind, source: str, target: str) -> str:
    """Return the pattern of an edge, from the end at which it is looked for."""
    edge = f"[e:{kind.type} {{key: row.key}}]"
    return f"({target})<-{edge}-({source})" if kind.at_target else f"({source})-{edge}->({target})"


def _drop_node(kind: NodeKind) -> str:
    return f"UNWIND $rows AS row MATCH (n:{kind.label} {{key: row.key}}) DETACH DELETE n"


def _read_node(kind: NodeKind) -> str:
    columns = ", ".join(f"n.{name} AS {name}" for name in kind.fields)
    return f"MATCH (n:{kind.label} {{work: $work}}) WHERE n.from_ordinal <= $as_of RETURN {columns}"


def _read_edge(kind: EdgeKind) -> str:
    ends = f"a.id AS {kind.source.field}, b.id AS {kind.target.field}"
    columns = ", ".join((ends, *(f"e.{name} AS {name}" for name in kind.fields)))
    closed = "until_ordinal" in kind.fields
    held = " AND (e.until_ordinal IS NULL OR e.until_ordinal > $as_of)" if closed else ""
    return (
        f"MATCH (a:{kind.source.label} {{work: $work}})-[e:{kind.type}]->(b:{kind.target.label}) "
        f"WHERE e.from_ordinal <= $as_of{held} RETURN {columns}"
    )


def _every_node(kind: NodeKind) -> str:
    columns = ", ".join(f"n.{name} AS {name}" for name in kind.fields)
    return f"MATCH (n:{kind.label} {{work: $work}}) RETURN {columns}"


def _every_edge(kind: EdgeKind) -> str:
    ends = f"a.id AS {kind.source.field}, b.id AS {kind.target.field}"
    columns = ", ".join((ends, *(f"e.{name} AS {name}" for name in kind.fields)))
    return (
        f"MATCH (a:{kind.source.label} {{work: $work}})-[e:{kind.type}]->(b:{kind.target.label}) "
        f"RETURN {columns}"
    )


PUT_NODES: Final[Mapping[NodeKind, str]] = {kind: _put_node(kind) for kind in NODE_KINDS}
PUT_EDGES: Final[Mapping[EdgeKind, str]] = {kind: _put_edge(kind) for kind in EDGE_KINDS}
DROP_NODES: Final[Mapping[NodeKind, str]] = {kind: _drop_node(kind) for kind in NODE_KINDS}
DROP_EDGES: Final[Mapping[EdgeKind, str]] = {kind: _drop_edge(kind) for kind in EDGE_KINDS}
READ_ROWS: Final[Mapping[type[TreeRow], str]] = {
    **{kind.row: _read_node(kind) for kind in NODE_KINDS},
    **{kind.row: _read_edge(kind) for kind in EDGE_KINDS},
}
EVERY_ROW: Final[Mapping[type[TreeRow], str]] = {
    **{kind.row: _every_node(kind) for kind in NODE_KINDS},
    **{kind.row: _every_edge(kind) for kind in EDGE_KINDS},
}
IN_USE: Final[Mapping[str, str]] = {
    label: f"UNWIND $rows AS row MATCH (n:{label} {{key: row.key}})--() RETURN count(n) AS n"
    for label in (STORYLINE, CHARACTER)
}
