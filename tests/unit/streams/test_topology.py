"""The path is a table: each stage's sink is the next one's source, in one generation."""

from __future__ import annotations

from contracts.ids import FIRST_GENERATION
from streams.intakes import chapter_intakes
from streams.topology import GRAFT_BATCH
from streams.wiring import open_home
from tests.unit.streams.homes import IN_MEMORY


async def test_the_path_of_a_chapter_and_of_a_question() -> None:
    async with open_home(IN_MEMORY) as home:
        rows = [(s.intake.name, s.intake.source, s.sink, s.intake.group) for s in home.stages]
        limits = [stage.limits.messages for stage in home.stages]
    assert rows == [
        ("hide", "chapters", "", "hide.g1"),
        ("segment", "chapters", "scenes.g1", "segment.g1"),
        ("embed", "scenes.g1", "embedded.g1", "embed.g1"),
        ("graft", "embedded.g1", "grafts.g1", "graft.g1"),
        ("answer", "questions", "answers", "answer"),
    ]
    assert limits == [512, 1, 1, GRAFT_BATCH.messages, 1]
    assert (GRAFT_BATCH.messages, GRAFT_BATCH.bytes) == (512, 64_000_000)


def test_intakes_of_another_generation_are_others() -> None:
    first = chapter_intakes(FIRST_GENERATION)
    assert [intake.source for intake in first] == ["chapters", "scenes.g1", "embedded.g1"]
