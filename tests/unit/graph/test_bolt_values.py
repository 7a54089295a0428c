"""What the Bolt adapter does without a server: packing, planning, counting, translating."""

from __future__ import annotations

import hashlib

import pytest
from neo4j.exceptions import Neo4jError, ServiceUnavailable

from contracts.errors import PermanentError, TransientError
from contracts.ids import ChapterId, Generation, WorkId
from contracts.tree import RowChanges
from contracts.works import Commit, WorkRecord
from graph.bolt import packing, statements
from graph.bolt.keys import chapter_key
from graph.bolt.planning import steps
from graph.bolt.translation import may_help, translated
from graph.term_index import CountedChapter, TermIndex
from tests.contract.story import a_chapter, a_content

_G1 = Generation("g1")


def noise(length: int) -> bytes:
    return hashlib.shake_256(b"noise").digest(length)


@pytest.mark.parametrize("length", [0, 1, packing.PART_BYTES, 3 * packing.PART_BYTES + 1])
def test_parts_join_to_what_was_cut(length: int) -> None:
    data = noise(length)
    cut = list(packing.parts(data))
    assert len(cut) >= 1
    assert all(len(part) <= packing.PART_BYTES for _, part in cut)
    assert packing.joined(reversed(cut)) == data


def test_tables_of_counts_come_back() -> None:
    table = {"愛": 3, 'quo"te': 1, "": 2, "nul\0": 9}
    packed = packing.packed_counts(table)
    assert packing.unpacked_counts(packed) == table
    assert packed == packing.packed_counts(dict(reversed(table.items())))


def test_batches_keep_order_and_stay_small() -> None:
    rows: list[packing.Row] = [{"key": str(n), "data": bytes(300_000)} for n in range(30)]
    batches = list(packing.batches(rows))
    assert [row for batch in batches for row in batch] == rows
    assert all(len(batch) * 300_000 <= packing.BATCH_BYTES for batch in batches)


def test_batches_have_a_bounded_number_of_rows() -> None:
    batches = list(packing.batches({"key": "k"} for _ in range(2 * packing.BATCH_ROWS + 1)))
    assert [len(batch) for batch in batches] == [packing.BATCH_ROWS, packing.BATCH_ROWS, 1]


def test_a_row_larger_than_a_batch_goes_alone() -> None:
    large: packing.Row = {"properties": {"text": "é" * packing.BATCH_BYTES}}
    assert [len(b) for b in packing.batches([{"key": "a"}, large, {"key": "b"}])] == [1, 1, 1]


def test_no_rows_no_batches() -> None:
    assert list(packing.batches([])) == []


def test_an_empty_commit_writes_the_work_only() -> None:
    commit = Commit(WorkRecord(work_id=WorkId("w"), generation=_G1, commit_seq=1), 0)
    assert [step.statement for step in steps(commit, "t") if list(step.rows)] == [
        statements.PUT_WORK
    ]


def test_a_content_both_deleted_and_put_is_put() -> None:
    content = a_content("w", "c1")
    commit = Commit(
        WorkRecord(work_id=WorkId("w"), generation=_G1, commit_seq=1),
        0,
        chapters_put=(a_chapter("c1", 1),),
        contents_put=(content,),
        contents_deleted=(ChapterId("c1"),),
        rows=RowChanges(),
    )
    by_statement = {step.statement: list(step.rows) for step in steps(commit, "t")}
    key = chapter_key(_G1, WorkId("w"), "c1")
    kept = [inputs.scene.scene_id for inputs in content.scenes]
    assert by_statement[statements.DROP_SCENES] == [{"key": key, "kept": kept}]
    assert by_statement[statements.SET_CONTENT] == [{"key": key, "content": "t"}]


def test_keys_that_join_to_one_text_differ() -> None:
    assert chapter_key(_G1, WorkId("a:b"), "c") != chapter_key(_G1, WorkId("a"), "b:c")


def test_terms_are_counted_as_of_any_ordinal() -> None:
    index = TermIndex()
    chapters = {
        "one": CountedChapter(1, 10, "x"),
        "two": CountedChapter(2, 20, "x"),
        "textless": CountedChapter(2, 0, None),
    }
    assert index.unknown(chapters) == ["one", "two"]
    index.add("one", chapters["one"], {"emma": 3, "frank": 1})
    index.add("two", chapters["two"], {"emma": 4})
    index.settle(chapters)
    assert index.unknown(chapters) == []
    counts = [index.count(["emma", "frank", "jane"], n) for n in range(3)]
    assert [each.passages for each in counts] == [0, 10, 30]
    assert [each.counts["emma"] for each in counts] == [0, 3, 7]
    assert counts[2].counts == {"emma": 7, "frank": 1, "jane": 0}


def test_a_replaced_content_counts_no_more() -> None:
    index = TermIndex()
    for n in range(40):
        chapters = {"one": CountedChapter(1, 10, f"content {n}")}
        assert index.unknown(chapters) == ["one"]
        index.add("one", chapters["one"], {"emma": n})
        index.settle(chapters)
    assert index.count(["emma"], 1).counts == {"emma": 39}
    assert index.is_worn


def neo4j_error(code: str) -> Neo4jError:
    return Neo4jError._hydrate_neo4j(code=code, message="the message")


@pytest.mark.parametrize(
    ("code", "kind", "again"),
    [
        ("Neo.TransientError.Transaction.DeadlockDetected", TransientError, True),
        ("Neo.TransientError.General.DatabaseUnavailable", TransientError, True),
        ("Neo.ClientError.Schema.ConstraintValidationFailed", PermanentError, True),
        ("Neo.ClientError.Statement.TypeError", PermanentError, False),
        ("Neo.ClientError.Security.Unauthorized", TransientError, False),
        ("Neo.DatabaseError.General.UnknownError", TransientError, False),
    ],
)
def test_a_servers_errors(code: str, kind: type[Exception], again: bool) -> None:
    error = neo4j_error(code)
    assert may_help(error) == again
    with pytest.raises(kind, match="reading: the message"), translated("reading"):
        raise error


def test_who_is_not_let_in_is_told_which_settings_say_who_we_are() -> None:
    error = neo4j_error("Neo.ClientError.Security.Unauthorized")
    with pytest.raises(TransientError, match="graph_password"), translated("reading"):
        raise error


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ServiceUnavailable("down"), TransientError),
        (TimeoutError(), TransientError),
        (OSError("no route"), TransientError),
        (OverflowError("too big"), PermanentError),
        (UnicodeEncodeError("utf-8", "\ud83d", 0, 1, "surrogates"), PermanentError),
    ],
)
def test_other_errors(error: Exception, kind: type[Exception]) -> None:
    with pytest.raises(kind, match="reading: "), translated("reading"):
        raise error


def test_our_own_errors_pass_unchanged() -> None:
    with pytest.raises(PermanentError, match=r"^ours$"), translated("reading"):
        raise PermanentError("ours")
