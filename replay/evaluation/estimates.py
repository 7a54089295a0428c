"""What indexing was estimated to cost, and what it cost: `python -m replay.evaluation.estimates`.

Books of `../shared/data/storylines` are indexed in memory with the model that the settings name
(`python -m tests.model_server BOOK…` serves one that tells the annotators' scenes), and what they
cost is read from the memo's ledger. For each book, what cannot be counted is taken from the others:
no figure that is printed was fitted on its own book. The last line has the values fitted on all,
which `streams.estimating.shares` holds.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import structlog

from contracts.events import WorkDescribed
from contracts.ids import WorkId
from contracts.prices import Terms
from contracts.reports import ReindexEstimate
from contracts.spending import Spent
from contracts.words import count_words
from processors.prompts import prompt
from replay.evaluation.annotated import load
from replay.evaluation.shared_data import shared_data
from streams import indexing
from streams.estimating import SHARES, Shares
from streams.estimating.inputs import estimated
from streams.estimating.reindex import estimate_reindex
from streams.inputs.values import ChapterInput
from streams.operations import NOBODY
from streams.settings import Settings, load_settings
from streams.wiring import opened

_AS_LONG: Final = Shares(answer=1, placed=0, shown=0, growth=0, placement=0)
_STORES: Final[dict[str, object]] = dict.fromkeys(("log", "vectors", "graph", "memo"), "memory:")


@dataclass(frozen=True, slots=True)
class Measured:
    """A book, what its texts say beforehand, and what it cost.

    `shown` are the tokens of the texts that were asked about; `anew` is what building it again with
    another sampling was estimated to cost, with answers as long as the texts.
    """

    name: str
    given: ChapterInput
    shown: int
    cutting: Spent
    placing: Spent
    anew: ReindexEstimate

    @property
    def chapters(self) -> int:
        """How many it has."""
        return len(self.given.chapters)

    @property
    def tokens(self) -> int:
        """What it cost in all."""
        return self.cutting.tokens + self.placing.tokens


def book(name: str) -> ChapterInput:
    """Return the annotated chapters of a book."""
    described = WorkDescribed(work_id=WorkId(name), title=name)
    return ChapterInput(described, load(name).chapters)


async def measured(name: str, settings: Settings) -> Measured:
    """Index a book and read from the ledger what it has cost."""
    given = book(name)
    bare = await estimated(settings, given, Terms(), _AS_LONG)
    async with opened(settings) as home:
        report = await indexing.index(home, given, NOBODY)
        if report.held:
            raise SystemExit(f"{name}: {report.held[0].reason}")
        spent = await home.memo.spent_by_day(None)
        other = settings.model_copy(update={"temperature": settings.temperature / 2})
        anew = await estimate_reindex(home, "chapters", Terms(), other, _AS_LONG)
    by_purpose = {
        purpose: Spent.total(each for each in spent if each.purpose == purpose)
        for purpose in ("segmentation", "placement")
    }
    cutting, placing = by_purpose["segmentation"], by_purpose["placement"]
    return Measured(name, given, bare.output_tokens, cutting, placing, anew)


def rebuilt(book: Measured, shares: Shares) -> float:
    """Return the tokens that building a book again was estimated to cost."""
    parts = {part.purpose: part for part in book.anew.parts}
    told = 0.0
    if cutting := parts.get("segmentation"):
        told += cutting.input_tokens + shares.answer * cutting.output_tokens
    if placing := parts.get("placement"):
        told += placing.input_tokens + placing.output_tokens
    return told


def fitted(books: Sequence[Measured]) -> Shares:
    """Return the shares of these books, each weighing as much as the others.

    Where no model cuts, nothing is estimated by shares, and they are those that ship.
    """
    if not any(b.cutting.calls for b in books):
        return SHARES
    placed = sum(b.placing.calls for b in books) / sum(b.chapters - 1 for b in books)
    frame = count_words(prompt("placement"))
    wanted = [(b.placing.input_tokens - frame * b.placing.calls) / b.tokens for b in books]
    told = [
        (
            placed * (b.chapters - 1) / b.tokens,
            placed * float(np.sqrt(np.arange(1, b.chapters)).sum()) / b.tokens,
        )
        for b in books
    ]
    (shown, growth), *_ = np.linalg.lstsq(np.array(told), np.array(wanted), rcond=None)
    return Shares(
        answer=sum(b.cutting.output_tokens for b in books) / sum(b.shown for b in books),
        placed=placed,
        shown=float(shown),
        growth=float(growth),
        placement=sum(b.placing.output_tokens for b in books) / sum(b.placing.calls for b in books),
    )


async def table(names: Sequence[str], settings: Settings) -> None:
    """Print what each book was estimated to cost by the others, and what it cost."""
    books = [await measured(name, settings) for name in names]
    _say("| book | calls, estimated | made | tokens, estimated | spent | off by | reindex off by |")
    _say("| --- | --- | --- | --- | --- | --- | --- |")
    worst = worst_anew = 0.0
    for one in books:
        shares = fitted([other for other in books if other is not one])
        report = await estimated(settings, one.given, Terms(), shares)
        off = report.tokens / one.tokens - 1
        again = rebuilt(one, shares) / one.tokens - 1
        worst, worst_anew = max(worst, abs(off)), max(worst_anew, abs(again))
        made = one.cutting.calls + one.placing.calls
        _say(
            f"| {one.name} | {report.calls:,} | {made:,} | {report.tokens:,} | {one.tokens:,} "
            f"| {off:+.1%} | {again:+.1%} |"
        )
    _say(f"\nat most {worst:.1%} off, a reindex {worst_anew:.1%}; on all: {fitted(books)}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def main(names: Sequence[str]) -> None:
    """Measure the books with these names, or all that are annotated."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    folder = shared_data("storylines", "alice-in-wonderland.json").parent
    every = sorted(path.stem for path in folder.glob("*.json"))
    with tempfile.TemporaryDirectory() as home:
        settings = load_settings(None, home=Path(home), **_STORES)
        await table(names or every, settings)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
