from __future__ import annotations

from contracts.ids import ChapterId
from processors.sif import SifEmbedder
from replay.evaluation.annotated import Evidence
from replay.evaluation.granularity import Cells
from replay.evaluation.unit_index import RankedBy, UnitIndex
from replay.evaluation.units import Unit, merged_paragraphs, windows
from tests.unit.processors.indexed import chapter

_CHAPTER = chapter(1, "One two three.\n\nFour five.\n\nSix seven eight nine ten.")
_C1 = ChapterId("c1")


def test_windows_hold_all_words_and_cross_no_chapter() -> None:
    units = windows([_CHAPTER, chapter(2, "Eleven twelve.")], 4)
    assert [unit.text for unit in units] == [
        "One two three.\n\nFour",
        "five.\n\nSix seven eight",
        "nine ten",
        "Eleven twelve",
    ]


def test_paragraphs_are_merged_until_the_next_would_be_too_much() -> None:
    assert [unit.text for unit in merged_paragraphs([_CHAPTER], 5)] == [
        "One two three.\n\nFour five.",
        "Six seven eight nine ten.",
    ]


async def test_units_are_ranked_and_cut_to_the_budget() -> None:
    body = "A pirate buried gold. The doctor drank tea. A cat slept."
    cat = body.index("A cat")
    units = [
        Unit("A pirate buried gold.", Evidence(_C1, 0, 21)),
        Unit("A summary that speaks of tea, tea, tea.", None),
        Unit("The doctor drank tea.", Evidence(_C1, 22, 43)),
        Unit("A cat slept.", Evidence(_C1, cat, len(body))),
    ]
    index = await UnitIndex.of(units, {_C1: body}, "en", SifEmbedder())
    ranked = await index.ranked("Who slept like a cat?", RankedBy.BOTH)
    assert index.first_words(ranked, 3) == [Evidence(_C1, cat, len(body) - 1)]
    ranked = await index.ranked("Was there tea?", RankedBy.WORDS)
    assert index.first_words(ranked, 10) == [Evidence(_C1, 22, 32)]  # the summary took eight words


def test_ranks_count_cells_not_units() -> None:
    body = " ".join(f"w{number}" for number in range(1_000))
    cells = Cells.of([chapter(1, body)])
    at = {number: body.index(f"w{number}") for number in (150, 430, 450, 700)}
    evidence = [Evidence(_C1, at[450], at[450] + 4)]
    whole = Evidence(_C1, 0, len(body))
    assert cells.rank(evidence, [whole]) == 5
    assert cells.rank(evidence, [Evidence(_C1, at[700], at[700] + 4), whole]) == 6
    near = [Evidence(_C1, at[150], at[150] + 4), Evidence(_C1, at[430], at[430] + 4)]
    assert cells.rank(evidence, near) == 2
    assert cells.rank(evidence, near[:1]) is None
