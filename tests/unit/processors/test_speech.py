from __future__ import annotations

import pytest

from processors.speech import quoted_spans, sentence_shares, speech_share
from tests.unit.processors.handmade import chapter_of


@pytest.mark.parametrize(
    ("paragraph", "share"),
    [
        ("Nobody spoke.", 0.0),
        ("“Go,” he said.", 5 / 14),
        ('"Go," he said. "Now."', 11 / 21),
        ("“An unclosed quotation runs on", 1.0),
        ("— Partez, dit-il.", 1.0),
        ("‘Go,’ he said.", 1.0),
        ("「行け」と彼は言った。", 4 / 11),
        ("„Geh“, sagte er.", 5 / 16),
        ("»Geh«, sagte er.", 5 / 16),
        ("«Va», dit-il.", 4 / 13),
        ("It's John's.", 0.0),
    ],
)
def test_share_of_speech(paragraph: str, share: float) -> None:
    assert speech_share(paragraph) == pytest.approx(share)


def test_quotations_do_not_run_from_one_into_the_next() -> None:
    assert quoted_spans("“a” b “c”") == [(0, 3), (6, 9)]


def test_a_sentence_inside_a_quotation_is_spoken() -> None:
    chapter = chapter_of('"Go. Run now. Hide," he said.\n\nAnn ran. "Wait.')
    assert sentence_shares(chapter, 1, 5) == pytest.approx([1, 1, 6 / 15, 0, 1])
    assert sentence_shares(chapter, 4, 4) == [0]
