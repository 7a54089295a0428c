"""What every way to search is worth on the same questions, and how it is printed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from replay.evaluation.annotated import AnnotatedBook, share_held
from replay.evaluation.bootstrap import paired_gain
from replay.evaluation.granularity import Cells
from replay.evaluation.retrieval_methods import OURS, WINDOWS, Shown

BUDGETS: Final = (500, 1_000, 2_000, 4_000)
HITS_AT: Final = (1, 2, 3, 5)


@dataclass(frozen=True, slots=True)
class Found:
    """What a method found of one question's evidence.

    `recalls` are the shares of the evidence shown within each of `BUDGETS`, `rank` the first
    cell shown that holds any (`replay.evaluation.granularity`), budget after budget.
    """

    book: str
    kind: str
    recalls: tuple[float, ...]
    rank: int | None


Table = Mapping[str, Sequence[Found]]
"""By method, what it found, the same questions in the same order."""


async def ask_all(book: AnnotatedBook, methods: Mapping[str, Shown]) -> Table:
    """Ask every question of a book in every way."""
    cells = Cells.of(book.chapters)
    table: dict[str, list[Found]] = {name: [] for name in methods}
    for asked in book.questions:
        for name, shown in methods.items():
            spans = [await shown(asked.question, words) for words in BUDGETS]
            recalls = tuple(share_held(asked.evidence, each) for each in spans)
            in_turn = [span for each in spans for span in each]  # a reader asks for more and more
            rank = cells.rank(asked.evidence, in_turn)
            table[name].append(Found(book.name, asked.kind, recalls, rank))
    return table


def together(tables: Iterable[Table]) -> Table:
    """Return one table of all questions."""
    joined: dict[str, list[Found]] = {}
    for table in tables:
        for name, found in table.items():
            joined.setdefault(name, []).extend(found)
    return joined


def print_table(title: str, table: Table) -> None:
    """Print mean recalls and ranks, a method a line."""
    heads = [*map(str, BUDGETS), "MRR", *(f"hit@{place}" for place in HITS_AT)]
    print(f"{title:28}" + "".join(f"{head:>8}" for head in heads))
    for name, found in table.items():
        columns = [*recalls_of(found), fmean(1 / each.rank if each.rank else 0 for each in found)]
        columns += [
            fmean(each.rank is not None and each.rank <= place for each in found)
            for place in HITS_AT
        ]
        print(f"{name:28}" + "".join(f"{column:8.3f}" for column in columns), flush=True)


def print_by(title: str, groups: Mapping[str, Table]) -> None:
    """Print our recalls beside those of the best windows, a group a line."""
    print(f"{title:28}" + "".join(f"{words:>8}{'windows':>8}" for words in BUDGETS))
    for name, table in groups.items():
        pairs = zip(recalls_of(table[OURS]), best_windows(table), strict=True)
        print(f"{name:28}" + "".join(f"{ours:8.3f}{theirs:8.3f}" for ours, theirs in pairs))


def print_gains(table: Table, name: str = OURS, over: Sequence[str] = WINDOWS) -> None:
    """Print the gain of a method over the best of others at each budget, with its 95% bounds."""
    for nth, words in enumerate(BUDGETS):
        best = max(over, key=lambda other: recalls_of(table[other])[nth])
        own = [each.recalls[nth] for each in table[name]]
        gain = paired_gain(own, [each.recalls[nth] for each in table[best]])
        print(
            f"gain of {name} at {words} words over {best}: {gain.mean:+.3f} ({gain.low:+.3f} to"
            f" {gain.high:+.3f})"
        )


def by_kind(table: Table) -> Mapping[str, Table]:
    """Part a table by the kind of question, in the order of the alphabet."""
    kinds = sorted({each.kind for found in table.values() for each in found})
    return {
        kind: {name: [each for each in found if each.kind == kind] for name, found in table.items()}
        for kind in kinds
    }


def recalls_of(found: Sequence[Found]) -> tuple[float, ...]:
    """Return the mean recall at each budget."""
    return tuple(map(fmean, zip(*(each.recalls for each in found), strict=True)))


def best_windows(table: Table) -> tuple[float, ...]:
    """Return the best mean recall of fixed windows at each budget."""
    return tuple(map(max, zip(*(recalls_of(table[name]) for name in WINDOWS), strict=True)))
