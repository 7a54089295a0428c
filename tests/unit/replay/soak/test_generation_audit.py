"""Whether a model was paid twice for what was kept: its books beside the memo's."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from contracts.ids import Generation
from contracts.memo import Asked, MemoEntry
from contracts.spending import Payment, Spent
from replay.soak.generations.auditing import audited
from replay.soak.generations.programs import Paid


def paid(asked: str, heard_ms: int, said: str = "") -> Paid:
    return Paid(
        purpose="segmentation",
        asked=asked,
        said=sha256((said or f"answer to {asked}").encode()).hexdigest(),
        heard_ms=heard_ms,
        answered_ms=heard_ms + 100,
        input_tokens=10,
        output_tokens=1,
    )


def entry(asked: str, at_ms: int, said: str = "") -> MemoEntry:
    return MemoEntry(
        asked=Asked(purpose="segmentation", prompt="p", model="m", sampling="", input_hash=asked),
        answer=said or f"answer to {asked}",
        sources=(),
        paid=Payment(generation=Generation("g2"), at_ms=at_ms),
    )


def spent(calls: int) -> Spent:
    return Spent(calls=calls, input_tokens=10 * calls, output_tokens=calls)


def twice(books: Sequence[Paid], memo: Sequence[MemoEntry], *kills: int) -> Sequence[str]:
    return audited(books, memo, spent(len(memo)), kills).twice


def test_where_nothing_was_asked_again_all_is_well() -> None:
    audit = audited([paid("a", 0), paid("b", 50)], [entry("a", 100), entry("b", 150)], spent(2), [])
    assert (audit.answered, audit.questions, audit.lost, audit.wrong) == (2, 2, 0, [])


def test_what_was_under_way_at_a_kill_is_told_apart() -> None:
    audit = audited([paid("a", 0), paid("a", 9_000)], [entry("a", 9_100)], spent(1), [50])
    assert (audit.answered, audit.questions, audit.lost, audit.wrong) == (2, 1, 1, [])


def test_what_was_stored_is_never_asked_for_again_kill_or_not() -> None:
    books = [paid("a", 0), paid("a", 9_000)]
    assert twice(books, [entry("a", 100)], 120) == [
        "segmentation: asked for 2 times, and 1 times after its answer was stored"
    ]


def test_where_an_answer_does_not_tell_its_question_a_kill_must_lie_between() -> None:
    books = [paid("a", 0, "same"), paid("b", 0, "same"), paid("a", 9_000, "same")]
    memo = [entry("a", 9_100, "same"), entry("b", 100, "same")]
    assert twice(books, memo, 1_000) == []
    assert twice(books, memo, 5_000) == ["segmentation: asked for 2 times, with no kill between"]


def test_a_ledger_that_tells_more_or_less_is_wrong() -> None:
    books, memo = [paid("a", 0), paid("b", 50)], [entry("a", 100), entry("b", 150)]
    assert audited(books, memo, spent(1), []).wrong == [
        "the ledger tells of 1 calls, and 2 answers were given and kept",
        "the ledger tells of 11 tokens, and those of the answers that were kept are 22",
    ]
    assert len(audited(books, memo, spent(3), []).wrong) == 2
