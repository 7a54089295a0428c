from __future__ import annotations

import pytest

from contracts.words import count_words, counts_within, iter_words

_TEXTS = [
    "Dr. O'Brien's dog_s 2nd tail; ½ of it",
    "“Ça alors!” — l’été, cœur… ª²",
    "Она ушла — and Ł too",
    "你好。Mixed 中文 words",
    "",
]


@pytest.mark.parametrize("text", _TEXTS)
def test_words_are_counted_as_they_are_found(text: str) -> None:
    assert count_words(text) == len(list(iter_words(text)))


@pytest.mark.parametrize("text", _TEXTS)
def test_each_span_is_counted_by_itself(text: str) -> None:
    spans = [(0, 4), (2, 9), (9, len(text))]
    assert counts_within(text, spans) == [count_words(text[start:end]) for start, end in spans]
