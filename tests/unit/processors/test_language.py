import pytest

from processors.language import detected_language, language_of


@pytest.mark.parametrize(
    ("declared", "language"),
    [
        ("en", "en"),
        ("en-US", "en"),
        ("PT_br", "pt"),
        ("zh-Hans", "zh"),
        ("cmn-Hant-TW", "zh"),
        ("eng", "en"),
        ("sgn", "sgn"),
    ],
)
def test_what_the_publisher_says_counts(declared: str, language: str) -> None:
    assert language_of(declared, "吾輩は猫である。") == language


@pytest.mark.parametrize("declared", [None, "", "und", "zxx", "xx", "english", "i-klingon", "?"])
def test_what_names_no_language_does_not(declared: str | None) -> None:
    assert language_of(declared, "吾輩は猫である。") == "ja"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Ilse opened door 1. Behind it stood the keeper.", "en"),
        ("Ilse fand den Brunnen. Die alte Frau war schon da und wartete.", "de"),
        ("Il était une fois une petite fille qui vivait au bord de la mer.", "fr"),
        ("Привет, как дела сегодня у тебя?", "ru"),
        ("他走了。", "zh"),
        ("他打开 Windows 电脑，看了看 iPhone 上的消息。", "zh"),
        ("東京へ行く。", "ja"),
        ("안녕하세요 여러분", "ko"),
        ("One. Two. Three.", "und"),
        ("* * *", "und"),
        ("", "und"),
    ],
)
def test_else_the_text_shows_it(text: str, language: str) -> None:
    assert detected_language(text) == language


def test_a_few_foreign_words_change_nothing() -> None:
    story = "She kept the old letter in a drawer and never spoke of it to anyone. " * 5

    assert detected_language(f"{story}\n\n你好。\n\n{story}") == "en"


def test_the_head_alone_does_not_decide() -> None:
    note = "Merci à tous pour votre patience, voici la suite. "
    story = "She kept the old letter in a drawer and never spoke of it to anyone. " * 60

    assert detected_language(note + story) == "en"
