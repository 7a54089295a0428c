"""The shapes in which real chapters arrive: what a reader sees of each, whole, once, in order.

The expectations were written by hand, from the files.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from contracts.ids import WorkId
from graph.exporting import export
from replay.evaluation.shared_data import shared_data
from streams import indexing
from streams.inputs.headings import HeadingKind, find_headings
from streams.inputs.reading import read_input
from streams.inputs.values import ChapterInput, Naming
from streams.operations import NOBODY
from streams.wiring import open_home
from tests.e2e.homes import in_memory

pytestmark = pytest.mark.corpus
WORK = WorkId("w")


@dataclass(frozen=True)
class Seen:
    """A chapter as a reader gets it back; `aside` is what is no story, by its first reason."""

    title: str
    text: str
    aside: tuple[tuple[str, str], ...] = ()
    dropped: tuple[tuple[str, int], ...] = ()


def fixture(*parts: str) -> Path:
    return shared_data("input_shapes", "fixtures", *parts)


async def seen(path: Path, folder: Path) -> list[Seen]:
    """Index what lies at `path` and read it back."""
    given = read_input(path, Naming(WORK))
    assert isinstance(given, ChapterInput)
    assert given.problems == ()
    async with open_home(in_memory(folder)) as home:
        report = await indexing.index(home, given, NOBODY)
        assert not report.dead_letters
        assert not report.held
        work = await home.tree.load(WORK)
        assert work is not None
        shown = await export(await home.view(WORK, None), with_text=True)
        return [
            Seen(
                record.title,
                chapter.text or "",
                tuple(
                    (p.reason.value, (chapter.text or "")[p.start : p.end])
                    for p in chapter.paratext
                ),
                tuple((item.reason, item.count) for item in record.dropped),
            )
            for chapter, record in zip(shown.chapters, work.live_chapters(), strict=True)
        ]


BREAK = ("separator", "* * *")
AO3_HEAD = (
    "Chapter Summary\n\nIlse goes down.\n\nChapter Notes\n\n"
    "Sorry this is late! Ilse is NOT dead, promise.\n\n"
    "See the end of the chapter for more notes."
)
PAGES = {
    "ao3_chapter.html": Seen(
        "Chapter 3: The Salt Stair",
        f"Chapter 3: The Salt Stair\n\n{AO3_HEAD}\n\n"
        "Ilse counted the steps. There were forty-one, and the last was wet.\n\n* * *\n\n"
        "“You came,” said the keeper.\n\nChapter End Notes\n\nNext week: Marrow gets the key.",
        (
            ("heading", "Chapter 3: The Salt Stair"),
            ("author_note", AO3_HEAD),
            BREAK,
            ("author_note", "Chapter End Notes\n\nNext week: Marrow gets the key."),
        ),
        (("comment", 2),),
    ),
    "fanficfare_chapter.xhtml": Seen(
        "3. The Salt Stair",
        "3. The Salt Stair\n\nIlse counted the steps.\n\n* * *\n\nThe keeper waited.",
        (("heading", "3. The Salt Stair"), BREAK),
        (("title", 1),),
    ),
    "royalroad_chapter.html": Seen(
        "Chapter 12.5 - Interlude: Marrow",
        "Chapter 12.5 - Interlude: Marrow\n\nBonus chapter for hitting 500 followers!\n\n"
        "Marrow oiled the key.\n\nMarrow — Level 9 Locksmith\n\nKeys held: 3\n\n"
        "She put the third key under the loose brick.\n\nVote on top web fiction!",
        (
            ("heading", "Chapter 12.5 - Interlude: Marrow"),
            ("author_note", "Bonus chapter for hitting 500 followers!"),
            ("author_note", "Vote on top web fiction!"),
        ),
        (("hidden", 1), ("style", 1)),
    ),
    "wattpad_storytext.html": Seen(
        "wattpad_storytext",
        "Ilse\ndid not\nanswer.\n\nLevel up! She was unafraid.\n\nA whole chapter\nin one pre tag.",
    ),
    "ruby.html": Seen(
        "ruby",
        "錬金術師のイルゼは鍵を受け取った。\n\nイルゼ（いるぜ）は笑った。",
        (),
        (("ruby", 1), ("ruby_parenthesis", 2)),
    ),
    "scene_breaks.html": Seen(
        "scene_breaks",
        "One.\n\n* * *\n\nTwo.\n\nThree.\n\nFour.\n\n* * *\n\nFive.\n\n* * *\n\nSix.\n\n* * *\n\n"
        "Seven.\n\n* * *\n\nEight.\n\n* * *\n\nNine.",
        (BREAK,) * 6,
        (("image", 1),),
    ),
    # Its characters are written as HTML writes them: one level is read, as a browser would.
    "entities.txt": Seen(
        "entities",
        '"You came," she said. "I did" Tom &amp; Ann &lt;status&gt; '
        "\\u0026quot;Key\\u0026#39;s here\\u0026quot; \\u0026mdash; fin\\r\\rNext",
    ),
    "weird_unicode.txt": Seen(
        "Chapter\u00a01",
        "Chapter\u00a01\r\nIlse\u200b counted\u00a0the steps.\u2060—There were 41.\r"
        "Old Mac line end.\nMr.\u202fMarrow said „Komm“, «viens», ‘come’… “Now.”\n"
        "co\u00adop soft hyphen; e\u0301 vs \u00e9; ﬁne ligature; ９ full width; I\u0307 dotted.\n"
        "قالت إلسا: «لقد جئت». ثم أغلقت الباب.\nאילסה ספרה את המדרגות.\n"
        "\u202bmixed RTL mark\u202c 🧂\u200d🔑 emoji join\n",
        (("heading", "Chapter\u00a01"),),
    ),
}


@pytest.mark.parametrize("name", PAGES)
async def test_a_reader_gets_all_of_a_chapter_once_in_order(tmp_path: Path, name: str) -> None:
    assert await seen(fixture(name), tmp_path) == [PAGES[name]]


async def test_a_chinese_novel_is_cut_at_its_headings_and_nowhere_else(tmp_path: Path) -> None:
    first = (
        "第一卷 盐阶\r\n第一章 下楼\r\n"
        "\u3000\u3000伊尔莎数着台阶。一共四十一级，最后一级是湿的。\r\n"
        "\u3000\u3000第一封信放在门口。\r\n第四本书记载着锁匠的名字，可惜没人读过它。\r\n"
    )
    said = {
        "第一章 下楼": (first, "第一卷 盐阶\r\n第一章 下楼"),
        "第壹章 重复的旧写法": ("\u3000\u3000“你来了。”守门人说。\r\n", ""),
        "第两百一十八章 钥匙": ("\u3000\u3000马罗给了她第三把钥匙！\r\n", ""),
        "第一章 卷内重新编号": (
            "第二卷 井\r\n第一章 卷内重新编号\r\n\u3000\u3000水是黑的……\r\n",
            "第二卷 井\r\n第一章 卷内重新编号",
        ),
        "番外 第1章 猫": ("\u3000\u3000猫不在乎。\r\n", ""),
        "chapter.844 完": ("\u3000\u3000没有人说话。\r\n", ""),
    }
    assert await seen(fixture("novel_cn.txt"), tmp_path) == [
        Seen(
            title,
            text if heading else f"{title}\r\n{text}",
            (("heading", heading or title),),
        )
        for title, (text, heading) in said.items()
    ]


ENCODED = {
    "ch_big5.txt": ("第一章 下樓\n伊爾莎數著台階。", "big5"),
    "ch_gb18030.txt": ("第一章 下楼\n伊尔莎数着台阶。😀", "gb18030"),
    "ch_gbk.txt": ("第一章 下楼\n伊尔莎数着台阶。", "gb18030"),
    "ch_shift_jis.txt": ("第一章\nイルゼは階段を数えた。", "cp932"),
    "ch_utf-16.txt": ("第一章 下楼\n伊尔莎数着台阶。", "utf-16"),
    "utf8_with_one_latin1_byte.txt": (
        "Chapter 1\nThe café was shut. “Why?”\n",
        "UTF-8, but for 1 stray byte read as Windows-1252",
    ),
}


@pytest.mark.parametrize("name", ENCODED)
async def test_texts_in_other_encodings_are_read_and_it_is_told(tmp_path: Path, name: str) -> None:
    text, encoding = ENCODED[name]
    (chapter,) = await seen(fixture("encodings", name), tmp_path)
    assert chapter.text == text
    assert chapter.aside == (("heading", text.split("\n")[0]),)
    given = read_input(fixture("encodings", name), Naming(WORK))
    assert isinstance(given, ChapterInput)
    assert given.notes[0] == f"{name}: read as {encoding}"


async def test_a_chapter_of_pictures_is_a_dead_letter_that_says_so(tmp_path: Path) -> None:
    given = read_input(fixture("image_only.html"), Naming(WORK))
    assert isinstance(given, ChapterInput)
    async with open_home(in_memory(tmp_path)) as home:
        (letter,) = (await indexing.index(home, given, NOBODY)).dead_letters
    assert "no text that a reader could see (left out: 2 image)" in letter.reason
    assert "chapter.withdrawn" in letter.reason


async def test_a_whole_folder_of_shapes_is_one_work(tmp_path: Path) -> None:
    given = read_input(fixture(), Naming(WORK))
    assert isinstance(given, ChapterInput)
    assert [str(chapter.chapter_id) for chapter in given.chapters] == [
        "ao3_chapter",
        "encodings/ch_big5",
        "encodings/ch_gb18030",
        "encodings/ch_gbk",
        "encodings/ch_shift_jis",
        "encodings/ch_utf-16",
        "encodings/utf8_with_one_latin1_byte",
        "entities",
        "fanficfare_chapter",
        "image_only",
        "novel_cn",
        "royalroad_chapter",
        "ruby",
        "scene_breaks",
        "wattpad_storytext",
        "weird_unicode",
    ]
    assert given.problems == ()
    assert given.notes[-1] == (
        "fixtures: passed over, being no chapters: 2 entries (events_lifecycle.jsonl, titles.jsonl)"
    )


def test_a_serial_written_as_text_and_tags_is_read_as_html(tmp_path: Path) -> None:
    path = shared_data("cjk", "journey_raw_ch1-2.txt")
    given = read_input(path, Naming(WORK))
    assert isinstance(given, ChapterInput)
    assert [chapter.format.value for chapter in given.chapters] == ["html", "html"]
    assert given.notes == (f"{path.name}: read as HTML, which it holds",)


HEADINGS = {
    "Chapter 1": (1, ""),
    "Chapter 1: The Salt Stair": (1, "The Salt Stair"),
    "Ch. 2": (2, ""),
    "Chapter 11.5": (11.5, ""),
    "第218話　鍵": (218, "鍵"),
    "第二百一十八章 钥匙": (218, "钥匙"),
    "第两百一十八章 钥匙": (218, "钥匙"),
    "第壹章 重复": (1, "重复"),
    "番外 第1章 猫": (1, "猫"),
    "chapter.844 完": (844, "完"),
    "Capítulo 4": (4, ""),
    "Глава 5": (5, ""),
    "Chapter 0: Prologue": (0, "Prologue"),
    "CHAPTER THE LAST": (None, ""),
}


def test_titles_that_are_headings_open_chapters() -> None:
    lines = fixture("titles.jsonl").read_text("utf-8").splitlines()
    titles = [json.loads(line)["title"] for line in lines]
    for title, (number, name) in HEADINGS.items():
        assert title in titles
        (heading,) = find_headings(title)
        assert (heading.kind, heading.number, heading.title) == (HeadingKind.CHAPTER, number, name)


async def test_every_title_is_kept_as_it_came(tmp_path: Path) -> None:
    lines = fixture("titles.jsonl").read_text("utf-8").splitlines()
    titles = [json.loads(line)["title"] for line in lines]
    serial = {
        "id": WORK,
        "chapters": [
            {"index": n, "title": title, "text": f"{title}\n\nIlse counted {n} steps."}
            for n, title in enumerate(titles)
        ],
    }
    path = tmp_path / "titles.json"
    path.write_text(json.dumps(serial))
    chapters = await seen(path, tmp_path)
    assert [chapter.title for chapter in chapters] == titles
    for n, chapter in enumerate(chapters):
        assert chapter.text == f"{titles[n]}\n\nIlse counted {n} steps."
        assert chapter.aside == ((("heading", titles[n]),) if titles[n] else ())
