"""The Cypher of `StoryGraph`, the same text for ArcadeDB and Neo4j; each begins at an index.

`$work` is the key of the work in its generation. What a chapter that is not live brought in is
left out by `$absent`, the ordinals of such chapters, and `$hidden`, the ids of their scenes: both
are empty, as a rule. No path is longer than `_DEEPEST`.
"""

from __future__ import annotations

from typing import Final

from graph.bolt.statements import SEEN

_DEEPEST: Final = 16
"""Depth grows with the logarithm of a work, to the base of half the capacity: more than enough."""


def _in_force(edge: str) -> str:
    return (
        f"{edge}.from_ordinal <= $as_of "
        f"AND ({edge}.until_ordinal IS NULL OR {edge}.until_ordinal > $as_of)"
    )


def _told(row: str) -> str:
    return f"{row}.from_ordinal <= $as_of AND NOT {row}.from_ordinal IN $absent"


def _appears(edge: str, scene: str) -> str:
    # A scene's id is looked at only where a chapter at its ordinal is not live.
    return (
        f"{edge}.from_ordinal <= $as_of "
        f"AND (NOT {edge}.from_ordinal IN $absent OR NOT {scene}.id IN $hidden)"
    )


_AFTER: Final = (
    "c.place >= $first AND c.place <= $last AND (c.place > $place OR (c.place = $place AND "
    "(c.chapter_id > $chapter OR (c.chapter_id = $chapter AND s.nth > $nth))))"
)
_PLACED: Final = (
    "c.place AS place, c.chapter_id AS chapter_id, s.nth AS nth, s.record AS record "
    "ORDER BY place, chapter_id, nth LIMIT $limit"
)

HIDDEN: Final = (
    "MATCH (c:Chapter {work: $work}) WHERE NOT c.live "
    "OPTIONAL MATCH (c)-[:HAS_RECORD]->(r:GraftRecord) "
    "OPTIONAL MATCH (c)-[:HAS_SCENE]->(s:Scene) "
    "RETURN c.chapter_id AS chapter_id, r.ordinal AS ordinal, s.id AS scene"
)

# --- characters -------------------------------------------------------------------------------

_NAME_COLUMNS: Final = "h.id AS character, n.alias AS alias, n.from_ordinal AS from_ordinal"
_NAMED: Final = f"-[:NAMES]->(h:Character) WHERE {_told('n')} AND {_told('h')} "
NAMES: Final = f"MATCH (n:Alias {{work: $work}}){_NAMED}RETURN {_NAME_COLUMNS}"
NAMES_OF: Final = (
    "UNWIND $keys AS key MATCH (h:Character {key: key})<-[:NAMES]-(n:Alias) "
    f"WHERE {_told('n')} AND {_told('h')} RETURN {_NAME_COLUMNS}"
)

CALLED: Final = (
    f"MATCH (n:Alias {{work: $work}}){_NAMED}"
    "AND (ALL(word IN $words WHERE ' ' + n.folded + ' ' CONTAINS ' ' + word + ' ') "
    f"OR h.id STARTS WITH $prefix) RETURN {_NAME_COLUMNS}"
)

_COUNTED: Final = (
    f"OPTIONAL MATCH (h)-[a:APPEARS_IN]->(s:Scene) WHERE {_appears('a', 's')} "
    "WITH h, count(a) AS scenes, min(a.from_ordinal) AS first, max(a.from_ordinal) AS last "
)
_MEMBER: Final = "h.id AS id, h.from_ordinal AS since, scenes, first, last"
CAST: Final = (
    f"MATCH (h:Character {{work: $work}}) WHERE {_told('h')} WITH h {_COUNTED}"
    "WHERE scenes < $scenes OR (scenes = $scenes AND "
    "(h.from_ordinal > $since OR (h.from_ordinal = $since AND h.id > $id))) "
    f"RETURN {_MEMBER} ORDER BY scenes DESC, since, id LIMIT $limit"
)
MEMBERS: Final = (
    f"UNWIND $keys AS key MATCH (h:Character {{key: key}}) WHERE {_told('h')} WITH h {_COUNTED}"
    f"RETURN {_MEMBER} ORDER BY id"
)
COMPANIONS: Final = (
    "UNWIND $keys AS key "
    "MATCH (h:Character {key: key})-[a:APPEARS_IN]->(s:Scene)<-[:APPEARS_IN]-(o:Character) "
    f"WHERE {_told('h')} AND {_appears('a', 's')} AND {_told('o')} AND o.id <> h.id "
    "RETURN h.id AS one, o.id AS other, count(*) AS scenes ORDER BY one, scenes DESC, other"
)
SHARED: Final = (
    "MATCH (h:Character {key: $one})-[a:APPEARS_IN]->(s:Scene)"
    "<-[:APPEARS_IN]-(o:Character {key: $other}) "
    f"WHERE {_told('h')} AND {_appears('a', 's')} AND {_told('o')} "
    f"MATCH (s)<-[:HAS_SCENE]-(c:Chapter) WHERE {SEEN} RETURN {_PLACED}"
)

_IDENTITY: Final = "e.from_ordinal AS from_ordinal, h.id AS character, o.id AS same_as"
_IS: Final = f"WHERE {_told('e')} AND {_told('h')} AND {_told('o')}"
IDENTITIES: Final = tuple(
    f"UNWIND $keys AS key MATCH {pattern} {_IS} RETURN {_IDENTITY}"
    for pattern in (
        "(h:Character {key: key})-[e:IS]->(o:Character)",
        "(o:Character {key: key})<-[e:IS]-(h:Character)",
    )
)
REVEALED: Final = (
    "MATCH (h:Character {work: $work})-[e:IS]->(o:Character) "
    f"{_IS} AND e.from_ordinal IN $ordinals RETURN {_IDENTITY}"
)
FIRST_SEEN: Final = (
    f"MATCH (c:Chapter {{work: $work}}) WHERE c.place IN $ordinals AND {SEEN} "
    "MATCH (c)-[:HAS_SCENE]->(s:Scene)<-[:APPEARS_IN]-(h:Character) "
    f"WHERE h.from_ordinal = c.place AND {_told('h')} "
    "RETURN h.id AS id, c.place AS place, c.chapter_id AS chapter_id, s.nth AS nth, s.id AS scene "
    "ORDER BY place DESC, chapter_id DESC, nth DESC"
)

# --- storylines -------------------------------------------------------------------------------

_STORYLINE: Final = "t.id AS id, t.kind AS kind, t.from_ordinal AS from_ordinal"
THREADS: Final = (
    "MATCH (t:Storyline {work: $work}) WHERE t.kind = 'thread' AND t.from_ordinal <= $as_of AND "
    "(t.from_ordinal > $since OR (t.from_ordinal = $since AND t.id > $id)) "
    f"RETURN {_STORYLINE} ORDER BY from_ordinal, id LIMIT $limit"
)
STORYLINES: Final = (
    "MATCH (t:Storyline {work: $work}) "
    "WHERE t.from_ordinal <= $as_of AND t.id STARTS WITH $prefix "
    f"RETURN {_STORYLINE} ORDER BY from_ordinal, id LIMIT $limit"
)
DESCRIPTIONS: Final = (
    "UNWIND $keys AS key MATCH (t:Storyline {key: key})<-[:DESCRIBES]-(d:Description) "
    "WHERE d.from_ordinal <= $as_of AND NOT d.chapter_id IN $absent_ids "
    "RETURN d.storyline AS storyline, d.from_ordinal AS from_ordinal, d.chapter_id AS chapter_id, "
    "d.title AS title, d.synopsis AS synopsis, d.inputs AS inputs"
)
BENEATH: Final = (
    "UNWIND $keys AS key "
    f"MATCH (t:Storyline {{key: key}})<-[edges:CHILD_OF*1..{_DEEPEST}]-(l:Storyline) "
    f"WHERE ALL(e IN edges WHERE {_in_force('e')}) RETURN t.id AS above, l.id AS id"
)
_LAST_FIRST: Final = (
    "WITH above, c.place AS place, c.chapter_id AS chapter_id, s.nth AS nth, s.id AS id "
    "ORDER BY place DESC, chapter_id DESC, nth DESC "
    "RETURN above, count(*) AS scenes, max(place) AS last, collect(id)[0..$newest] AS newest"
)
AT_HOME: Final = (
    "UNWIND $pairs AS pair "
    "MATCH (l:Storyline {key: pair.key})<-[e:HOME]-(s:Scene)<-[:HAS_SCENE]-(c:Chapter) "
    f"WHERE {_in_force('e')} AND {SEEN} WITH pair.above AS above, s, c {_LAST_FIRST}"
)
TOUCHING: Final = (
    "UNWIND $pairs AS pair "
    "MATCH (l:Storyline {key: pair.key})<-[e:TOUCHES]-(s:Scene)<-[:HAS_SCENE]-(c:Chapter) "
    f"WHERE e.from_ordinal <= $as_of AND {SEEN} "
    "RETURN pair.above AS above, count(*) AS scenes, max(c.place) AS last"
)
RECORDS: Final = (
    "UNWIND $keys AS key MATCH (s:Scene {key: key}) RETURN s.id AS id, s.record AS record"
)

# --- scenes in story order --------------------------------------------------------------------

NEWEST_ORDINALS: Final = (
    f"MATCH (c:Chapter {{work: $work}}) WHERE {SEEN} AND c.passages > 0 "
    "RETURN c.place AS place ORDER BY place DESC LIMIT $limit"
)
ALL_SCENES: Final = (
    f"MATCH (c:Chapter {{work: $work}}) WHERE {SEEN} AND c.place >= $first AND c.place <= $last "
    "AND (c.place > $place OR (c.place = $place AND c.chapter_id >= $chapter)) "
    "WITH c ORDER BY c.place, c.chapter_id LIMIT $chapters "
    "OPTIONAL MATCH (c)-[:HAS_SCENE]->(s:Scene) "
    "WITH c.place AS place, c.chapter_id AS chapter_id, coalesce(s.nth, -1) AS nth, "
    "s.record AS record "
    "WHERE place > $place OR chapter_id > $chapter OR nth > $nth "
    "RETURN place, chapter_id, nth, record ORDER BY place, chapter_id, nth LIMIT $limit"
)
SCENES_OF_CHARACTER: Final = (
    "MATCH (h:Character {key: $of})-[a:APPEARS_IN]->(s:Scene)<-[:HAS_SCENE]-(c:Chapter) "
    "WHERE a.from_ordinal >= $first AND a.from_ordinal <= $last "
    f"AND {_told('h')} AND {SEEN} AND {_AFTER} RETURN {_PLACED}"
)
SCENES_BENEATH: Final = (
    "UNWIND $keys AS key "
    "MATCH (l:Storyline {key: key})<-[e:HOME]-(s:Scene)<-[:HAS_SCENE]-(c:Chapter) "
    f"WHERE {_in_force('e')} AND {SEEN} AND {_AFTER} RETURN {_PLACED}"
)
SCENES_TOUCHING: Final = (
    "MATCH (l:Storyline {key: $of})<-[e:TOUCHES]-(s:Scene)<-[:HAS_SCENE]-(c:Chapter) "
    f"WHERE e.from_ordinal <= $as_of AND {SEEN} AND {_AFTER} RETURN {_PLACED}"
)

# --- where scenes belong ----------------------------------------------------------------------

_SCENES: Final = (
    "UNWIND $keys AS key MATCH (s:Scene {key: key})<-[:HAS_SCENE]-(c:Chapter) "
    f"WHERE {SEEN} WITH s "
)
PRESENT: Final = (
    f"{_SCENES}MATCH (s)<-[:APPEARS_IN]-(h:Character) WHERE {_told('h')} "
    "RETURN s.id AS scene, h.id AS id ORDER BY scene, id"
)
HOMES: Final = (
    f"{_SCENES}MATCH (s)-[e:HOME]->(l:Storyline) WHERE {_in_force('e')} "
    "RETURN s.id AS scene, l.id AS id, l.kind AS kind"
)
ABOVE: Final = (
    "UNWIND $keys AS key "
    f"MATCH (l:Storyline {{key: key}})-[edges:CHILD_OF*1..{_DEEPEST}]->(t:Storyline) "
    f"WHERE ALL(e IN edges WHERE {_in_force('e')}) AND t.kind = 'thread' "
    "RETURN l.id AS storyline, t.id AS id, size(edges) AS height ORDER BY height"
)
ALSO: Final = (
    f"{_SCENES}MATCH (s)-[e:TOUCHES]->(l:Storyline) WHERE e.from_ordinal <= $as_of "
    "RETURN s.id AS scene, l.id AS id ORDER BY scene, id"
)
TITLES: Final = (
    f"UNWIND $keys AS key MATCH (c:Chapter {{key: key}}) WHERE {SEEN} RETURN c.record AS record"
)
