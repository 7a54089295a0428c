from __future__ import annotations

from pathlib import Path

import pytest

from contracts.events import ChapterPublished
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from contracts.scenes import ChapterText
from processors.names import find_identities, find_mentions
from processors.text import read_chapter

DEMO = Path(__file__).parents[3] / "streams" / "demo" / "serial"


def chapter_of(text: str, language: str = "en") -> ChapterText:
    return read_chapter(
        ChapterPublished(
            work_id=WorkId("work"),
            chapter_id=ChapterId("1"),
            ordinal=Ordinal.parse(1),
            body=text,
            language=language,
        )
    )


def names(text: str, language: str = "en") -> dict[str, int]:
    chapter = chapter_of(text, language)
    (found,) = find_mentions(chapter, [(1, len(chapter.sentences))])
    return {mention.name: mention.count for mention in found}


def identities(text: str) -> list[tuple[str, str]]:
    chapter = chapter_of(text)
    (found,) = find_identities(chapter, [(1, len(chapter.sentences))])
    return list(found)


def demo(number: int) -> ChapterText:
    return chapter_of((DEMO / f"{number:02}.txt").read_text())


def test_titles_and_all_parts_of_a_name_are_joined() -> None:
    found = names(
        "At noon Captain Ines Marrable laughed. The boy knew Don Pedro de la Cruz well, and "
        "Mary-Ann told Mr. O'Brien so. Then said Mrs. Van der Berg, it is late."
    )
    assert {"Captain Ines Marrable", "Don Pedro de la Cruz", "Mary-Ann", "Mr. O'Brien"} <= set(
        found
    )


def test_possessives_and_line_ends_do_not_change_a_name() -> None:
    text = "He took Tom Sawyer's hat. Everybody liked Tom\nSawyer. Then Tom Sawyer’s aunt smiled."
    assert names(text) == {"Tom Sawyer": 3}


def test_first_words_of_sentences_and_speeches_are_no_names() -> None:
    text = (
        'Suddenly Edward laughed. "Nonsense," said Edward. "Tomorrow we leave. Quick, Edward!" '
        "Perhaps Edward knew. Rain fell. Nobody spoke. Old Edward sighed."
    )
    assert names(text) == {"Edward": 5}


def test_contractions_are_no_names() -> None:
    assert names("\"Don't,\" said Anna. \"Don't, I'll go. He'll see.\" Then Anna went.") == {
        "Anna": 2
    }


@pytest.mark.parametrize("place", ["London", "Pemberley", "Egypt"])
def test_places_are_no_persons(place: str) -> None:
    text = f"They lived in {place}. Martha came from {place} to see Peter, said Martha. In {place}."
    assert place not in names(text)


def test_houses_rivers_days_and_peoples_are_no_persons() -> None:
    text = (
        "On Monday the French crossed the Thames to Baskerville Hall. Sir Henry Baskerville "
        "smiled, and Sir Henry asked a Frenchman about Tallow Street. On Tuesday he left."
    )
    assert set(names(text)) <= {"Sir Henry Baskerville", "Sir Henry"}


def test_a_weekday_before_a_name_is_not_part_of_it() -> None:
    text = "On Friday Augustin Pell laughed. Nobody asked Augustin Pell why."
    assert names(text) == {"Augustin Pell": 2}


def test_a_title_begins_a_new_name() -> None:
    text = "He met Mr. Bell Mrs. Bell and the dog. Mr. Bell nodded, and Mrs. Bell laughed."
    assert names(text) == {"Mr. Bell": 2, "Mrs. Bell": 2}


def test_whoever_speaks_is_a_person_though_an_article_stands_before() -> None:
    text = (
        'The Hatter opened his eyes. "Your hair wants cutting," said the Hatter. '
        '"Not the same thing a bit!" said the Hatter. He looked at the Hatter, and the '
        "Hatter sighed. The Hatter's remark had no meaning."
    )
    assert names(text) == {"Hatter": 6}


def test_mentions_are_counted_in_their_range_and_sorted() -> None:
    chapter = chapter_of("Then Tom saw Ann. So Ann told Tom, and Ann left. Tom wept; Bob and Tom.")
    whole, first, rest = find_mentions(chapter, [(1, 3), (1, 1), (2, 3)])
    assert [(m.name, m.count) for m in first] == [("Ann", 1), ("Tom", 1)]
    assert [m.count for m in whole] == sorted((m.count for m in whole), reverse=True)
    total = {m.name: m.count for m in first}
    for mention in rest:
        total[mention.name] = total.get(mention.name, 0) + mention.count
    assert total == {m.name: m.count for m in whole}


def test_a_text_without_names_has_none() -> None:
    assert names("It rained. The dog slept under the table, and nobody spoke.") == {}


def test_german_nouns_are_no_names() -> None:
    text = (
        "Frau von Briest nahm die Schere aus der Hand. Im Garten stand Effi, und Effi lachte. "
        "»Ach, Mama«, sagte Effi. Der Tisch war gedeckt. Herr Gieshübler kam durch die Tür und "
        "nahm Effis Hand. Dann sprach Innstetten, und Innstetten ging in sein Zimmer."
    )
    assert names(text, "de") == {
        "Effi": 4,
        "Innstetten": 2,
        "Frau von Briest": 1,
        "Herr Gieshübler": 1,
    }


def test_chinese_speakers_are_persons() -> None:
    text = (
        "行者笑道：“我去也。”八戒道：“哥哥，等我。”行者道：“你来。”八戒笑道：“来了。”"
        "那国王见了行者，慌忙下拜。他问道：“这是谁？”"
    )
    assert names(text, "zh") == {"行者": 3, "八戒": 2}


def test_japanese_honorifics_tell_persons() -> None:
    text = (
        "迷亭君が来た。主人は黙っている。迷亭は笑った。ジョンさんも来た。ジョンは帰る。御客さんだ。"
    )
    assert names(text, "ja") == {"ジョン": 2, "迷亭": 2}


CAST = "Then Lemuel Thrupp laughed. Edvin Pell nodded, said Lemuel Thrupp. So Edvin Pell sat down. "


@pytest.mark.parametrize(
    "sentence",
    [
        "Lemuel Thrupp was Edvin Pell.",
        '"Lemuel Thrupp is Edvin Pell," she said.',
        "Now she knew that Lemuel Thrupp was really Edvin Pell.",
        "Lemuel Thrupp was none other than Edvin Pell.",
        "They sent for Lemuel Thrupp, alias Edvin Pell.",
        "Lemuel Thrupp, whose real name was Edvin Pell, bowed.",
        "Lemuel Thrupp, that is to say Edvin Pell, bowed.",
        '"My name is not Lemuel Thrupp but Edvin Pell."',
        "Lemuel Thrupp and Edvin Pell were the same man.",
    ],
)
def test_a_plain_statement_of_identity_is_found(sentence: str) -> None:
    assert identities(CAST + sentence) == [("Lemuel Thrupp", "Edvin Pell")]


@pytest.mark.parametrize(
    "sentence",
    [
        "Lemuel Thrupp was not Edvin Pell.",
        "Was it true that Lemuel Thrupp was Edvin Pell?",
        "Lemuel Thrupp was like Edvin Pell.",
        "Lemuel Thrupp was Edvin Pell's brother.",
        "He thought Lemuel Thrupp was Edvin Pell.",
        "If Lemuel Thrupp was Edvin Pell, all was lost.",
        "Perhaps Lemuel Thrupp was Edvin Pell.",
        "She said Lemuel Thrupp was Edvin Pell.",
        "The man beside Lemuel Thrupp was Edvin Pell.",
        "Lemuel Thrupp was taller than Edvin Pell.",
        "Lemuel Thrupp was with Edvin Pell.",
        "Lemuel Thrupp and Edvin Pell were friends.",
        "Nobody believed that Lemuel Thrupp was Edvin Pell.",
        "Lemuel Thrupp was Edvin Pell to the life.",
    ],
)
def test_denials_doubts_likeness_and_kinship_are_no_identity(sentence: str) -> None:
    assert identities(CAST + sentence) == []


def test_part_of_a_name_is_no_identity() -> None:
    assert identities("Then Jim Hawkins laughed. Everybody liked Jim. Jim was Jim Hawkins.") == []


def test_the_demo_reveals_one_identity_in_its_ninth_chapter() -> None:
    found = {
        number: find_identities(demo(number), [(1, len(demo(number).sentences))])[0]
        for number in range(1, 11)
    }
    assert {number: pairs for number, pairs in found.items() if pairs} == {
        9: (("Lemuel Thrupp", "Edvin Pell"),)
    }
