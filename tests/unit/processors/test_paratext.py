import pytest

from processors.author_notes import is_theft_protest
from processors.headings import has_heading_shape, is_title
from processors.separators import is_separator
from tests.unit.processors.chapters import assert_well_formed, paratext, read, sentences

STORY = "Ilse counted the steps down to the water and found one more than the day before."
STORIES = "\n\n".join([STORY] * 12)


@pytest.mark.parametrize(
    "line",
    [
        "* * *",
        "***",
        "---",
        "———",
        "◇",
        "◆◇◆",
        "＊＊＊",
        "###",
        "~~~",
        "• • •",
        "§",
        "⁂",
        "#",
        "*",
        "=====",
        "_________",
        "xXx",
        "oOo",
        "o-o-o",
        "XXX",
        "x x x",
        "❦",
        "☆☆☆",
        "—",
        "<>",
        ". . .",
        "🌸🌸🌸",
        "※",
        "-oOo-",
        "◇\u3000◇\u3000◇",
        "***\u200b",
        "────",
        "\\*\\*\\*",
    ],
)
def test_separators(line: str) -> None:
    assert is_separator(line)
    assert paratext(read(f"{STORY}\n\n{line}\n\n{STORY}")) == [("separator", line)]


@pytest.mark.parametrize(
    "line",
    [
        "...",
        "……",
        "!!!",
        "?!",
        "“……”",
        '"..."',
        "“——”",
        "😂",
        "Ooo",
        "OOO",
        "xx",
        "I",
        "——！",
        "「」",
        "[...]",
        "a * b",
        "\u0301",
        "X",
    ],
)
def test_silence_and_cries_are_story(line: str) -> None:
    assert not is_separator(line)
    assert paratext(read(f"{STORY}\n\n{line}\n\n{STORY}")) == []


@pytest.mark.parametrize(
    "line",
    [
        "Chapter 1",
        "CHAPTER IV.",
        "Chapter IV: The Trial",
        "Chapter Twelve",
        "Prologue",
        "# Chapter 2",
        "Chapter 12.5 - Interlude: Marrow",
        "Epilogue 1 part 1/3",
        "Vol. 2 Chapter 1",
        "IV",
        "— 3 —",
        "第一回：灵根育孕源流出，心性修持大道生",
        "第壹章 重复",
        "第两百一十八章 钥匙",
        "番外 第1章 猫",
        "第3章 你是谁？",
        "第218話\u3000鍵",
        "９\u3000スキル検証",
        "chapter.844 完",
        "Глава 5",
        "제1장",
        "Kapitel 3",
        "3. The Salt Stair",
        "CHAPTER THE LAST",
        "Chapter XXI THE TWIN RULES",
        "序章",
    ],
)
def test_headings(line: str) -> None:
    assert has_heading_shape(line)
    assert paratext(read(f"{line}\n\n{STORY}"))[0] == ("heading", line)


@pytest.mark.parametrize(
    "line",
    [
        "Chapter two was found in the drawer, half burnt.",
        "Part of the plan was simple.",
        "He left.",
        "第一封信放在门口。",
        "第四本书记载着锁匠的名字，可惜没人读过它。",
        "第一回见面的时候，他还小。",
        "Letter I wrote yesterday came back.",
        "12 days later",
        "1986. A year of wonders.",
        "Act two went well.",
        "Interlude over, they left.",
        "Part 2 of the plan failed.",
        "A",
    ],
)
def test_prose_that_begins_like_a_heading_is_story(line: str) -> None:
    assert not has_heading_shape(line)
    assert paratext(read(f"{line}\n\n{STORY}")) == []


@pytest.mark.parametrize(
    ("line", "title", "expected"),
    [
        ("The Salt Stair", "3. The Salt Stair", True),
        ("3. The Salt Stair", "The Salt Stair", True),
        ("Marrow", "Chapter 12.5 - Interlude: Marrow", True),
        ("THE SALT STAIR", "The Salt Stair", True),
        ("IV. Home", "Home", True),
        ("Home was where", "Home", False),
        ("He", "He", True),
        ("He left", "", False),
    ],
)
def test_titles(line: str, title: str, *, expected: bool) -> None:
    assert is_title(line, title) is expected


def test_headings_stand_at_the_head_only() -> None:
    chapter = read(f"第一卷 盐阶\n第一章 下楼\n{STORY}\n第二章 下楼\n{STORY}")

    assert paratext(chapter) == [("heading", "第一卷 盐阶\n第一章 下楼")]
    assert "第二章 下楼" in sentences(chapter)


def test_the_title_alone_is_story_where_nothing_else_is() -> None:
    assert sentences(read("He died.", title="He died.")) == ["He died."]


def test_the_line_under_a_heading_belongs_to_it() -> None:
    chapter = read(f"CHAPTER I\nDown the Well\n\n{STORY}")

    assert paratext(chapter) == [("heading", "CHAPTER I\nDown the Well")]


def test_a_list_is_no_pile_of_headings() -> None:
    chapter = read("\n".join(f"{n}. Salt for the stair" for n in range(1, 9)))

    assert len(chapter.sentences) >= 4


def test_numbers_that_count_the_sections_are_headings() -> None:
    chapter = read(f"I.\n\n{STORY}\n\nII.\n\n{STORY}\n\nIII.\n\n{STORY}")

    assert paratext(chapter) == [("heading", "I."), ("heading", "II."), ("heading", "III.")]
    assert chapter.stretch_starts == (1, 2, 3)


def test_numbers_that_count_down_or_side_by_side_are_story() -> None:
    assert paratext(read(f"{STORY}\n\n3\n\n{STORY}\n\n2\n\n{STORY}\n\n1\n\n{STORY}")) == []
    assert paratext(read(f"{STORY}\n\n1\n\n2\n\n3\n\n{STORY}")) == []


@pytest.mark.parametrize(
    "note",
    [
        "Author's note: this one was hard.",
        "A/N: thanks all",
        "AN: sorry!",
        "**Author’s Note**\n\nHi.",
        "T/N: salt is slang here.",
        "Translator's note: salt.",
        "作者有话说：谢谢大家。",
        "あとがき",
        "Thanks for reading!",
        "Please vote if you like it.",
        "Don't forget to vote!",
        "求月票，求推荐！",
        "PS：明天请假",
        "今天两更，求月票",
        "See you in the next chapter!",
        "https://patreon.com/x",
        "A/N: long.\n\nIt goes on here.\n\nAnd here it ends.",
    ],
)
def test_notes_at_the_end_run_to_the_end(note: str) -> None:
    chapter = read(f"{STORIES}\n\n{note}")

    assert paratext(chapter) == [("author_note", note)]
    assert_well_formed(chapter)


def test_a_note_at_the_end_stops_at_a_separator() -> None:
    chapter = read(f"{STORIES}\n\nA/N: one.\n\nTwo.\n\n* * *\n\n{STORY}")

    assert paratext(chapter) == [("author_note", "A/N: one.\n\nTwo."), ("separator", "* * *")]
    assert sentences(chapter)[-1] == STORY


def test_where_somebody_speaks_after_it_a_note_is_its_own_paragraph() -> None:
    chapter = read(f"{STORIES}\n\nA/N: one.\n\n“Come,” said Ilse.\n\n{STORY}")

    assert paratext(chapter) == [("author_note", "A/N: one.")]


def test_notes_at_the_head_reach_a_heading_or_a_near_separator() -> None:
    heading = read(f"A/N: hello.\n\nMore of it.\n\nStill more.\n\nChapter 3\n\n{STORIES}")
    near = read(f"Author's Note\n\nHello.\n\n---\n\n{STORIES}")
    neither = read(f"A/N: hello.\n\n{STORIES}\n\n---\n\n{STORY}")

    assert paratext(heading) == [
        ("author_note", "A/N: hello.\n\nMore of it.\n\nStill more."),
        ("heading", "Chapter 3"),
    ]
    assert paratext(near) == [("author_note", "Author's Note\n\nHello."), ("separator", "---")]
    assert paratext(neither) == [("author_note", "A/N: hello."), ("separator", "---")]


def test_a_note_in_a_bracket_of_its_own_may_stand_anywhere() -> None:
    chapter = read(f"{STORIES}\n\n[T/N: salt is slang.\n\nSo is stair.]\n\n{STORIES}")

    assert paratext(chapter) == [("author_note", "[T/N: salt is slang.\n\nSo is stair.]")]


@pytest.mark.parametrize(
    "line",
    [
        "Author's note: mid-chapter.",
        "Author's notes were scattered on the table.",
        "An: old man.",
        "“Please vote for me,” he said.",
        "Thanks to her lamp she saw it.",
        "Please vote, he thought.",
        "If you like the story of the fox, listen.",
        "PS: I love you.",
    ],
)
def test_notes_are_not_looked_for_in_the_middle(line: str) -> None:
    assert paratext(read(f"{STORIES}\n\n{line}\n\n{STORIES}")) == []


@pytest.mark.parametrize(
    "line",
    [
        "“Please vote for me,” he said.",
        "Thanks to her lamp she saw it.",
        "P.S. I love you.",
        "A note from the author lay there.",
        "He asked them: please vote.",
    ],
)
def test_story_that_ends_a_chapter_is_no_note(line: str) -> None:
    assert paratext(read(f"{STORIES}\n\n{line}")) == []


def test_what_closes_a_chapter_is_a_notice() -> None:
    assert paratext(read(f"{STORIES}\n\n（本章完）", language="zh")) == [("notice", "（本章完）")]
    assert paratext(read(f"{STORIES}\n\nTo be continued...\n\nA/N: hi")) == [
        ("notice", "To be continued..."),
        ("author_note", "A/N: hi"),
    ]


def test_what_sites_write_against_thieves_is_a_notice_wherever_it_stands() -> None:
    protest = "The tale has been stolen; if detected on Amazon, report the violation."

    assert paratext(read(f"{STORY}\n\n{protest}\n\n{STORY}")) == [("notice", protest)]
    assert not is_theft_protest("The book was stolen from the library.")
    assert not is_theft_protest(f"“{protest}”")
