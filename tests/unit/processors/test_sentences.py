import json

import pytest

from processors.sentences import find_sentences
from replay.evaluation.shared_data import shared_data
from tests.unit.processors.chapters import read


def cut(text: str, language: str = "en") -> list[str]:
    found = find_sentences(text, [(0, len(text))], language)
    return [text[span.start : span.end] for span in found.spans]


@pytest.mark.parametrize(
    "sentences",
    [
        ["“Where?” he asked.", "“Here.”", "She pointed."],
        ['"Where?" he asked.', '"Here."', "She pointed."],
        ["'Gone!' she cried.", "He ran."],
        ['"Where?" Holmes asked.', "“Here!” I cried.", '"Who?" Mr. Silver Hand said.', "Go."],
        ['"Why?"', "Holmes said nothing.", '"Now!"', "I ran.", '"Stop!"', "She said it twice."],
        ["Mr. Hyde met Dr. J. Watson at No. 5, St. James Street.", "No.", "He fled."],
        ["No.", "He did not."],
        ["It was 5 p.m. and dark.", "They left at 6 p.m.", "He was late."],
        ["He fled to the U.S. with J.R.R. Tolkien.", "Then he wrote."],
        ["I know more than I.", "Holmes laughed."],
        ["It cost 3.14 pounds.", "See www.a.com today."],
        ["I ... I do not know...", "But he did."],
        ["He was… gone.", "She stayed…", "Night fell."],
        ["(He knew.)", "[She did not.]", "_Never!_ he thought.", "*Now!*"],
        ["What?!", "No!!!", "(Really?) and so on."],
        ["“He said, ‘Go!’”", "They went."],
        ["“He said, ‘Go!’\u200a”", "They went."],
        ["1. He had no key.", "The door was shut."],
        ["It was 1895.", "The war was over."],
        ["Come in.”", "“I will.”"],
    ],
)
def test_english(sentences: list[str]) -> None:
    assert cut(" ".join(sentences)) == sentences


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("de", ["»Komm!« rief er.", "„Nein.“", "Am 3. Mai ging z. B. Dr. Klein.", "Es war 1895."]),
        ("de", ["Im 19. Jahrhundert kam Hr. Meier.", "Er blieb."]),
        ("fr", ["« Où ? » demanda-t-il.", "« Ici ! »", "M. Bovary sortit avec Mme. Dupuis."]),
        ("es", ["¿Dónde está el Sr. López?", "¡Aquí! —dijo ella."]),
        ("it", ["Il sig. Rossi è qui.", "Chi è?", "È lui."]),
        ("ru", ["— Где? — спросил он.", "— Да!", "— Он встал.", "Это я.", "Пора и т. д."]),
        ("hi", ["वह आया।", "वह गया।"]),
        ("ar", ["هل جاء؟", "لا."]),
        ("und", ["Mr. Hyde came.", "He left."]),
    ],
)
def test_other_languages_with_spaces(language: str, sentences: list[str]) -> None:
    assert cut(" ".join(sentences), language) == sentences


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (
            "zh",
            [
                "他说：“走吧。”守门人说。",
                "“你来了。",
                "坐。”",
                "她道：“好！”",
                "众人听说，都笑了。",
            ],
        ),
        ("zh", ['悟空道："弟子诚心听讲。', '望师父恕罪！"', '祖师道："你既识妙音。"']),
        ("zh", ["我……我不知道……”", "“真的吗？！”", "《天问》。"]),
        ("zh", ["你好!", "你来了?", "他看了iPhone 3.14版。", "Mr. Hyde 走了。"]),
        ("ja", ["「はい。", "行きます。」と彼は言った。", "「え？」", "ところが猫は寝た。"]),
        ("ja", ["吾輩は猫である。", "名前はまだ無い。"]),
    ],
)
def test_scripts_without_spaces(language: str, sentences: list[str]) -> None:
    assert cut("".join(sentences), language) == sentences


def test_a_piece_of_marks_alone_goes_with_the_sentence_before_it() -> None:
    assert cut("He left. . . . ! ? Then night.") == ["He left. . . . ! ?", "Then night."]
    assert cut("! He left.") == ["! He left."]
    assert cut("“……”") == ["“……”"]


def test_a_sentence_without_end_is_cut_at_clauses() -> None:
    text = "and he went on, over the hill and away; " * 200
    parts = cut(text.strip())

    assert all(400 <= len(part) <= 1_500 for part in parts)
    assert all(part[-1] in ";," for part in parts)
    assert " ".join(parts) == text.strip()


def test_without_clauses_or_spaces_it_is_cut_anywhere_but_inside_a_letter() -> None:
    parts = cut("e\u0301" * 2_000)

    assert max(map(len, parts)) <= 1_500
    assert "".join(parts) == "e\u0301" * 2_000
    assert all(part.startswith("e") for part in parts)


def test_no_mark_ends_a_sentence_beyond_its_paragraph() -> None:
    text = "He came. She\n\nleft. Night fell."
    found = find_sentences(text, [(0, 12), (14, len(text))], "en")

    assert [text[span.start : span.end] for span in found.spans] == [
        "He came.",
        "She",
        "left.",
        "Night fell.",
    ]
    assert found.paragraph_starts == (1, 3)


def first_letters(text: str, starts: list[int]) -> set[int]:
    found = (next((i for i in range(s, len(text)) if text[i].isalnum()), None) for s in starts)
    return {at for at in found if at is not None}


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("folder", "book", "least"),
    [
        ("books", "time-machine", 0.99),
        ("books", "hound-of-the-baskervilles", 0.99),
        ("books", "mysterious-affair-at-styles", 0.98),
        ("cjk", "journey-to-the-west", 0.99),
    ],
)
def test_boundaries_agree_with_the_annotated_books(folder: str, book: str, least: float) -> None:
    """F1 of first letters; the annotation also cuts before a dialogue tag in small letters."""
    gold = json.loads(shared_data("storylines", f"{book}.json").read_text(encoding="utf-8"))
    source = json.loads(shared_data(folder, f"{book}.json").read_text(encoding="utf-8"))
    texts = {chapter["index"]: chapter["text"] for chapter in source["chapters"]}
    agreed = ours = theirs = 0
    for chapter in gold["chapters"][:3]:
        text = texts[chapter["index"]]
        found = read(text, language=source["language"])
        mine = first_letters(text, [span.start for span in found.sentences])
        wanted = first_letters(text, [start for start, _ in chapter["sentences"]])
        wanted = {at for at in wanted if at in mine or not text[at].islower()}
        agreed, ours, theirs = agreed + len(mine & wanted), ours + len(mine), theirs + len(wanted)

    assert 2 * agreed / (ours + theirs) >= least
