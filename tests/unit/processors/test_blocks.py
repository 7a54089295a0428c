from __future__ import annotations

from processors.blocks import block_text, stretch_blocks
from tests.unit.processors.handmade import SEPARATOR, chapter_of


def test_blocks_are_paragraphs_by_stretch() -> None:
    chapter = chapter_of(f"One. Two.\n\nThree.\n\n{SEPARATOR}\n\nFour.")
    first, second = stretch_blocks(chapter, 1.0)
    assert [(block.first, block.last, block.words) for block in first] == [(1, 2, 2), (3, 3, 1)]
    assert [block_text(chapter, block) for block in second] == ["Four."]


def test_a_giant_paragraph_is_taken_sentence_by_sentence() -> None:
    chapter = chapter_of("Short.\n\n" + "A sentence of five words. " * 200)
    ((short, first, *rest),) = stretch_blocks(chapter, 1.0)
    assert (short.paragraph, first.paragraph, first.words) == (1, 1_000, 5)
    assert len(rest) == 199
    assert {block.paragraph for block in rest} == {0}
    assert len(stretch_blocks(chapter, 2.0)[0]) == 2


def test_a_body_of_countless_paragraphs_has_a_bounded_number_of_blocks() -> None:
    (blocks,) = stretch_blocks(chapter_of("\n\n".join("!" * 30_000)), 1.0)
    assert len(blocks) == 15_000
    assert sum(block.last - block.first + 1 for block in blocks) == 30_000
    (blocks,) = stretch_blocks(chapter_of("\n\n".join("!" * 20_000)), 1.0)
    assert len(blocks) == 20_000
