from __future__ import annotations

import pytest

from contracts.frozen import Span
from processors.quote_marks import without_stray_marks


@pytest.mark.parametrize(
    ("sentence", "quoted"),
    [
        ('Lemuel Thrupp was Edvin Pell."', "Lemuel Thrupp was Edvin Pell."),
        ('"Lemuel Thrupp was Edvin Pell.', "Lemuel Thrupp was Edvin Pell."),
        ('"He was Edvin Pell."', '"He was Edvin Pell."'),
        ('"No," said she, "he was Edvin Pell."', '"No," said she, "he was Edvin Pell."'),
        ('No," said she, "he was Edvin Pell."', 'No," said she, "he was Edvin Pell.'),
        ("“He was Edvin Pell.", "He was Edvin Pell."),
        ("He was Edvin Pell.”", "He was Edvin Pell."),
        ("“No,” said she, “he was.", "“No,” said she, “he was."),
        ("„Er war es.“", "„Er war es.“"),
        ("Er war es.“", "Er war es."),
        ("»Er war es.", "Er war es."),
        ("「彼だ。」", "「彼だ。」"),
        ("彼だ。」", "彼だ。"),
        ('"', '"'),
    ],
)
def test_a_mark_without_its_partner_is_left_outside(sentence: str, quoted: str) -> None:
    text = f"So. {sentence} Yes."
    span = without_stray_marks(text, Span(start=4, end=4 + len(sentence)))
    assert text[span.start : span.end] == quoted
