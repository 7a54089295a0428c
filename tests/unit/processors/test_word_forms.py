from __future__ import annotations

import pytest

from processors.word_forms import folded_parts, folded_runs

_PARTS = ((0, 7), (7, 19), (19, 40))


@pytest.mark.parametrize("language", ["en", "fr", "de", "zh"])
@pytest.mark.parametrize(
    "text",
    [
        "Dr. O'Brien's dog's \"tail\" _wags_, 'tis said.",
        "“L’homme,” dit-il — été, cœur; the dogs’ `tail'",
        "One ﬁne Straße: İstanbul’s ẞ and more of it all",  # folding changes the length
        "Она сказала: «нет», и ушла. O’Neill stayed here",
        "你好。“他说。”日本語と、Mixed 中文 words カタカナ「はい」と言った。それから",
    ],
)
def test_a_part_has_the_words_that_it_has_alone(text: str, language: str) -> None:
    parts = [words for words, _ in folded_parts(text, _PARTS, language)]
    assert parts == [folded_runs(text[start:end], language)[0] for start, end in _PARTS]
