import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.errors import PermanentError
from contracts.events import Format, chapter_event
from contracts.scenes import Warned
from processors.text import read_chapter
from replay.evaluation.shared_data import shared_data
from tests.unit.processors.chapters import (
    assert_well_formed,
    paratext,
    published,
    read,
    sentences,
)

# What real and hostile chapters are made of: line ends of every kind, marks without ink, lone
# combining marks, control characters, joined emoji, scripts with and without spaces.
ODD = st.sampled_from([
    "\r", "\n", "\r\n", "\x85", "\u2028", "\u2029", "\x1c", "\x1f", "\x0b", "\x00", "\x7f",
    "\ufeff", "\u200b", "\u200e", "\u2060", "\u00a0", "\u3000", "\t", " ", "  ", "\u0301",
    "\U0001f9c2\u200d\U0001f511", "\U0001f600", ".", "!", "?", "...", "…", "……", '"', "“", "”",
    "'", "’", "(", ")", "[", "]", "—", "-", "*", "* * *", "***", "#", "~", "◇", "„", "«", "»",
    "。", "！", "」", "「", "，", "：", "说", "他", "と", "ア", "한", "ب", "א", "ก", "é", "ß", "İ",
    "He said.", "Mr.", "J.", "No. 5", "p.m.", "Chapter 4", "Prologue", "IV", "1.", "第一章",
    "A/N: hi", "[T/N: x]", "Thanks for reading", "求月票", "<p>", "</p>", "xXx", "word", "a",
])  # fmt: skip
WEIRD = st.lists(st.one_of(ODD, st.text(max_size=3)), max_size=40).map("".join)


@given(WEIRD, st.sampled_from(["", "Prologue", "He said", "第一章"]))
@settings(max_examples=150, deadline=None)
def test_every_code_point_but_white_space_lies_in_one_sentence_or_paratext(
    body: str, title: str
) -> None:
    body = f"x{body}" if not body.strip("\ufeff\u200b\u200c\u200d\u2060\u00ad \t\n\r") else body
    try:
        event = published(body, title=title)
    except ValueError:
        return  # nothing that a reader could see: never a chapter
    chapter = read_chapter(event)

    assert chapter.text == body
    assert_well_formed(chapter)


@given(WEIRD)
@settings(max_examples=60, deadline=None)
def test_markup_of_anything_is_read_or_refused(body: str) -> None:
    for format_ in (Format.HTML, Format.MARKDOWN):
        try:
            chapter = read(f"<p>{body}", format_)
        except PermanentError:
            continue
        assert_well_formed(chapter)


def test_a_text_is_its_body_code_point_for_code_point() -> None:
    body = "\ufeffCafe\u0301\u00a0one.\rTwo\u200b.\r\n\r\n\u202bThree.\u202c"
    chapter = read(body)

    assert chapter.text == body
    assert sentences(chapter) == ["\ufeffCafe\u0301\u00a0one.", "Two\u200b.", "\u202bThree.\u202c"]


def test_every_kind_of_line_end_ends_a_line() -> None:
    lines = (
        "One is here.\rTwo.\r\nThree.\u2028Four.\u2029Five.\x85Six.\x0bSeven.\x0cEight.\x1cNine."
    )

    assert len(read(lines).paragraph_starts) == 9


def test_a_line_is_a_paragraph_where_lines_end_as_sentences_do() -> None:
    chapter = read("He came in. He sat.\nShe left.\n“Where?” he said.\n\nNobody knew.")

    assert chapter.paragraph_starts == (1, 3, 4, 5)


def test_lines_wrapped_by_hand_are_no_paragraphs() -> None:
    chapter = read(
        "It was late in the evening when they came to\nthe house by the river, and nobody was\n"
        "there. The door was open.\n\nInside, the lamps were lit in every room and\na table was "
        "laid for two."
    )

    assert chapter.paragraph_starts == (1, 3)
    assert sentences(chapter)[0].endswith("nobody was\nthere.")


def test_a_line_set_in_opens_a_paragraph_of_wrapped_text() -> None:
    chapter = read(
        "   It was late in the evening when they came\nto the house by the river and nobody\n"
        "was there.\n   Inside the lamps were lit in every room of\nthe house and a table was laid"
        "\nfor two."
    )

    assert chapter.paragraph_starts == (1, 2)


def test_a_verse_between_blank_lines_is_one_paragraph() -> None:
    verse = "How still the river lies,\nhow still the boat,\nhow dark the water"
    chapter = read(f"He sang as he rowed.\n\n{verse}\n\nThen he stopped.")

    assert chapter.paragraph_starts == (1, 2, 3)


def test_literal_tags_in_a_text_stay_and_still_part_paragraphs() -> None:
    body = "<p>他来了。他走了。</p><p>她说：“好。”</p>"
    chapter = read(body, language="zh")

    assert chapter.text == body
    assert sentences(chapter) == ["<p>他来了。", "他走了。</p>", "<p>她说：“好。”</p>"]
    assert chapter.paragraph_starts == (1, 3)


def test_stretches_begin_after_every_paratext() -> None:
    chapter = read("Chapter 1\n\nOne. Two.\n\n* * *\n\nThree.\n\nFour.\n\n***\n\nFive.")

    assert chapter.stretch_starts == (1, 3, 5)
    assert chapter.paragraph_starts == (1, 3, 4, 5)


def test_a_chapter_of_paratext_alone_has_no_sentences_and_says_so() -> None:
    chapter = read("Chapter 7\n\n* * *")

    assert chapter.sentences == ()
    assert chapter.stretch_starts == ()
    assert chapter.warnings == (Warned.ALL_PARATEXT,)


def test_equal_events_give_equal_bytes() -> None:
    event = published("Prologue\n\nHe came. She left.\n\nA/N: thanks!", language=None)

    assert read_chapter(event).to_json() == read_chapter(event).to_json()


@pytest.mark.parametrize(
    ("title", "body", "warning"),
    [
        ("NOT A CHAPTER - update", "Sorry, moving house!", Warned.LOOKS_LIKE_NOTICE),
        ("Chapter 9", "Sorry, no chapter this week.", Warned.LOOKS_LIKE_NOTICE),
        ("请假条", "今天有事。", Warned.LOOKS_LIKE_NOTICE),
        ("Chapter 9", "The door was locked. Subscribe to read more...", Warned.LOOKS_LIKE_PAYWALL),
        ("第九章", "门锁着。本章为VIP章节，订阅后阅读全文", Warned.LOOKS_LIKE_PAYWALL),
    ],
)
def test_a_short_notice_or_stub_stays_story_with_a_warning(
    title: str, body: str, warning: Warned
) -> None:
    chapter = read(body, title=title, language=None)

    assert chapter.warnings == (warning,)
    assert chapter.sentences
    assert chapter.paratext == ()


def test_a_chapter_of_full_length_is_no_notice() -> None:
    story = "He said there would be no chapter this week about the war. " * 60

    assert read(story, title="The Notice").warnings == ()


def test_an_author_s_note_and_nothing_else_is_indexed_as_a_notice() -> None:
    chapter = read("Author's note: I am on hiatus until May.", title="Author's Note")

    assert sentences(chapter) == ["Author's note: I am on hiatus until May."]
    assert chapter.warnings == (Warned.LOOKS_LIKE_NOTICE,)


def fixtures() -> list[Path]:
    return sorted(path for path in shared_data("input_shapes", "fixtures").glob("*.*ml"))


@pytest.mark.corpus
def test_every_shape_in_which_chapters_arrive_is_read_or_refused() -> None:
    for path in fixtures():
        body = path.read_text(encoding="utf-8")
        if path.name == "image_only.html":
            with pytest.raises(PermanentError, match="no text that a reader could see"):
                read(body, Format.HTML)
        else:
            assert_well_formed(read(body, Format.HTML, language=None))
    for path in sorted(shared_data("input_shapes", "fixtures").glob("*.txt")):
        assert_well_formed(read(path.read_bytes().decode(), language=None))


@pytest.mark.corpus
def test_the_stream_of_events_carries_its_warnings() -> None:
    stream = shared_data("input_shapes", "fixtures", "events_lifecycle.jsonl")
    seen: dict[str, tuple[Warned, ...]] = {}
    for line in stream.read_text(encoding="utf-8").splitlines():
        raw = json.loads(line)
        expect, number = raw.pop("expect"), raw.pop("seq")
        if raw["kind"] != "chapter.published" or not raw["body"]:
            continue
        event = chapter_event.validate_python(raw)
        assert event.kind == "chapter.published"
        chapter = read_chapter(event)
        assert_well_formed(chapter)
        seen[f"{number}: {expect}"] = chapter.warnings
    warned = {key: value for key, value in seen.items() if value}
    assert warned == {
        key: (Warned.LOOKS_LIKE_NOTICE,) if "notice" in key else (Warned.LOOKS_LIKE_PAYWALL,)
        for key in seen
        if "with a warning" in key
    }


@pytest.mark.corpus
def test_the_first_chapter_of_every_book_is_read_whole_and_without_false_notes() -> None:
    paths = [*shared_data("books").glob("*.json"), *shared_data("cjk").glob("*.json")]
    for path in sorted(paths):
        book = json.loads(path.read_text(encoding="utf-8"))
        first = book["chapters"][0]
        chapter = read(first["text"], title=first["title"] or "", language=None)
        assert_well_formed(chapter)
        assert chapter.language == book["language"].partition("-")[0], path.name
        kinds = {reason for reason, _ in paratext(chapter)}
        assert kinds <= {"separator", "heading"}, path.name


@pytest.mark.corpus
def test_separators_are_where_the_books_mark_scene_breaks() -> None:
    for name in ("dracula", "call-of-the-wild", "huckleberry-finn"):
        book = json.loads(shared_data("books", f"{name}.json").read_text(encoding="utf-8"))
        for chapter in book["chapters"]:
            found = read(chapter["text"], title=chapter["title"] or "").paratext
            assert {part.start for part in found} == set(chapter["scene_breaks"]), name
