"""A text is cut at its chapters, past a table of contents, and nothing of it is lost."""

from __future__ import annotations

import json
from typing import Any

import pytest

from replay.evaluation.shared_data import shared_data
from streams.inputs.splitting import split

PROSE = "She went down to the sea and looked at the ships for a long while. " * 12


def book(*headings: str, line_end: str = "\n") -> str:
    return "".join(f"{heading}\n\n{PROSE}\n\n\n" for heading in headings).replace("\n", line_end)


def titles(text: str) -> list[str]:
    return [part.title for part in split(text).parts]


def bodies(text: str) -> list[str]:
    return [text[part.start : part.end] for part in split(text).parts]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_parts_are_slices_that_leave_nothing_out(line_end: str) -> None:
    text = book("Chapter 1", "Chapter 2", "Chapter 3", line_end=line_end)
    assert "".join(bodies(text)) == text
    assert [body[:9] for body in bodies(text)] == ["Chapter 1", "Chapter 2", "Chapter 3"]


def test_a_text_without_headings_is_one_chapter() -> None:
    assert bodies(PROSE) == [PROSE]


def test_a_table_of_contents_is_passed_over() -> None:
    table = "Contents\n\nPrologue\nChapter 1. The Sea .... 3\nChapter 2. The Land .... 17\n\n\n"
    text = table + book("Prologue", "Chapter 1\n\nThe Sea", "Chapter 2\n\nThe Land")
    found = split(text)
    assert [part.title for part in found.parts] == [
        "Prologue",
        "Chapter 1 The Sea",
        "Chapter 2 The Land",
    ]
    assert found.contents == 3
    assert not found.front


def test_numbers_that_begin_again_in_each_part_are_no_table() -> None:
    text = book("Part I\n\nChapter 1", "Chapter 2", "Part II\n\nChapter 1", "Chapter 2")
    assert len(titles(text)) == 4
    assert bodies(text)[0].startswith("Part I")
    assert bodies(text)[2].startswith("Part II")


def test_a_preface_without_a_heading_is_the_front() -> None:
    text = PROSE + "\n\n" + book("Chapter 1", "Chapter 2")
    found = split(text)
    assert found.front
    assert "".join(bodies(text)) == text


def test_a_title_page_is_no_chapter() -> None:
    found = split("THE SHIPS\n\nby Nobody\n\n" + book("Chapter 1", "Chapter 2"))
    assert (found.front, len(found.parts)) == (False, 2)


def test_bare_numbers_count_when_there_is_nothing_better() -> None:
    assert titles(book("I", "II", "III")) == ["I", "II", "III"]
    assert titles(book("1. Home", "2. Away")) == ["1. Home", "2. Away"]
    assert titles(book("Chapter 1", "2", "3", "Chapter 2")) == ["Chapter 1", "Chapter 2"]


def test_a_list_in_the_story_makes_no_chapters() -> None:
    assert len(titles(PROSE + "\n\n1. Bread\n\n2. Cheese\n\n3. A rope\n\n" + PROSE)) == 1


def test_parts_are_chapters_when_there_are_no_others() -> None:
    assert titles(book("PART I", "PART II")) == ["PART I", "PART II"]


def test_the_frame_of_a_digital_library_is_left_out() -> None:
    text = (
        "The Project\n\n*** START OF THE PROJECT GUTENBERG EBOOK THE SHIPS ***\n\n"
        + book("Chapter 1", "Chapter 2")
        + "*** END OF THE PROJECT GUTENBERG EBOOK THE SHIPS ***\n\nChapter 3\n\nLicence"
    )
    assert len(titles(text)) == 2
    assert "GUTENBERG" not in "".join(bodies(text))


def test_shapes_of_chinese_headings() -> None:
    path = shared_data("input_shapes", "fixtures", "novel_cn.txt")
    text = path.read_bytes().decode("utf-8-sig")
    assert titles(text) == [
        "第一章 下楼",
        "第壹章 重复的旧写法",
        "第两百一十八章 钥匙",
        "第一章 卷内重新编号",
        "番外 第1章 猫",
        "chapter.844 完",
    ]
    assert "".join(bodies(text)) == text


def test_headings_may_change_their_form_half_way() -> None:
    titles = ["Adventure I. The Sea", "Adventure II. The Key", "III. The Stair", "IV. The End"]
    text = "\n\n".join(f"{title}\n\n{PROSE}" for title in titles)
    assert [part.title for part in split(text).parts] == titles
    alone = text.removesuffix(f"{titles[3]}\n\n{PROSE}")  # one such line is no form
    assert len(split(alone).parts) == 2
    listed = "\n\n".join([f"{titles[0]}\n\n{PROSE}", "2. A key", "3. A stair", PROSE])
    assert len(split(listed).parts) == 1


def _heading(chapter: dict[str, Any]) -> str:
    label, title = chapter["label"] or "", chapter["title"] or ""
    return label if title in label else f"{label}\n\n{title}".strip()


def _printed(chapters: list[dict[str, Any]]) -> str:
    """Set a book as its printed edition is: part, heading, text."""
    text, part = "", None
    for chapter in chapters:
        if chapter["part"] not in (None, part):
            part = chapter["part"]
            text += f"{part}\n\n\n"
        text += f"{_heading(chapter)}\n\n{chapter['text']}\n\n\n\n"
    return text


@pytest.mark.corpus
@pytest.mark.parametrize("with_table", [False, True])
def test_novels_are_cut_where_their_chapters_are(with_table: bool) -> None:
    wrong = []
    for path in sorted(shared_data("books").glob("*.json")):
        chapters = json.loads(path.read_bytes())["chapters"]
        table = "\n".join(" ".join(_heading(c).split()) for c in chapters)
        text = f"Contents\n\n{table}\n\n\n" if with_table else ""
        text += _printed(chapters)
        if len(split(text).parts) != len(chapters):
            wrong.append(path.stem)
    assert wrong == []
