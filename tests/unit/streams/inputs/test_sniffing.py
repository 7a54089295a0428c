"""Formats are told by what a text shows: HTML in text files and serials, front matter."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from contracts.events import Format
from processors.text import read_chapter
from replay.evaluation.shared_data import shared_data
from streams.inputs.encodings import declared_encoding, decode
from streams.inputs.reading import read_input
from streams.inputs.sniffing import front_matter, sniffed
from streams.inputs.values import ChapterInput, Naming


def read(path: Path) -> ChapterInput:
    found = read_input(path, Naming("w"))
    assert isinstance(found, ChapterInput)
    return found


@pytest.mark.parametrize(
    "text",
    [
        "<!DOCTYPE html><html><body>It rained.</body></html>",
        "\n<?xml version='1.0'?>\n<html xmlns='http://www.w3.org/1999/xhtml'/>",
        "<p>It rained.</p>\n\n<p>It shone.</p>\n\n<p>It snowed.</p>",
        "It rained.<br>It shone.<br/>It snowed.",
        "It <i>rained</i> and\n\nit <em>shone</em>.",
        "&quot;It rained,&quot; she said.",
        "Tom &amp; Ann&#8217;s",
    ],
)
def test_html_is_told_by_its_marks(text: str) -> None:
    assert sniffed(text) is Format.HTML


@pytest.mark.parametrize(
    "text",
    [
        "It rained.",
        "<System> You have 3 < 4 keys > none. <Level up!> <b>",
        "She typed <br> and the page broke.\n\nIt rained.",
        "One <p> two.\n\nThree.\n\nFour.\n\nFive <p>.\n\nSix.\n\nSeven.\n\nEight.",
        "Tom & Ann; Q&A; AT&T; &c.; &nbsp; was all it said",
        "a <3 b, c >3 d; <i>only once</i>",
    ],
)
def test_text_that_only_mentions_marks_is_text(text: str) -> None:
    assert sniffed(text) is Format.TEXT


@pytest.mark.corpus
def test_no_book_is_taken_for_html() -> None:
    for path in sorted(shared_data("books").glob("*.json"))[:12]:
        assert {chapter.format for chapter in read(path).chapters} == {Format.TEXT}


def test_a_text_file_that_holds_html_is_read_as_html(tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_text("<p>It rained.</p><p>It&nbsp;shone.</p>")
    (tmp_path / "2.txt").write_text("It rained.")
    found = read(tmp_path)
    assert [chapter.format for chapter in found.chapters] == [Format.HTML, Format.TEXT]
    assert found.notes == ("1.txt: read as HTML, which it holds",)
    assert read_chapter(found.chapters[0]).text == "It rained.\n\nIt\u00a0shone."


def test_a_text_file_of_chapters_in_html_is_cut_and_read_as_html(tmp_path: Path) -> None:
    path = tmp_path / "w.txt"
    path.write_text(
        "Chapter 1\n<p>It rained.</p><p>On.</p>\nChapter 2\n<p>It shone.</p><p>On.</p>\n"
    )
    found = read(path)
    assert [read_chapter(chapter).text for chapter in found.chapters] == [
        "Chapter 1\n\nIt rained.\n\nOn.",
        "Chapter 2\n\nIt shone.\n\nOn.",
    ]


def test_a_serial_says_its_format_or_shows_it(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    chapters = [
        {"index": 1, "text": "<p>It <b>rained</b>.</p><p>On.</p>"},
        {"index": 2, "text": "It rained."},
        {"index": 3, "text": "It *rained*.", "format": "markdown"},
        {"index": 4, "text": "It rained.", "format": "rtf"},
    ]
    path.write_text(json.dumps({"id": "w", "chapters": chapters}))
    found = read(path)
    assert [each.format.value for each in found.chapters] == ["html", "text", "markdown"]
    assert found.notes == ("w.json: 1 of 3 chapters read as HTML, which they hold",)
    assert [problem.chapter for problem in found.problems] == ["number 4"]
    path.write_text(json.dumps({"id": "w", "format": "markdown", "chapters": chapters[:2]}))
    assert [each.format.value for each in read(path).chapters] == ["markdown", "markdown"]


def test_front_matter_names_a_chapter_and_is_not_its_text(tmp_path: Path) -> None:
    (tmp_path / "1.md").write_text('---\ntitle: "The Rain"\ntags:\n- wet\n---\n\nIt rained.\n')
    (tmp_path / "2.md").write_text("---\ndraft: true\n---\n# The Sun\n\nIt shone.\n")
    found = read(tmp_path)
    assert [chapter.title for chapter in found.chapters] == ["The Rain", "The Sun"]
    assert [read_chapter(chapter).text for chapter in found.chapters] == [
        "It rained.",
        "The Sun\n\nIt shone.",
    ]


def test_front_matter_names_a_work(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text("---\ntitle: The Rain\nauthor: A. Nobody\n---\n\nIt rained.\n")
    described = read(path).described
    assert (described.title, described.author) == ("The Rain", "A. Nobody")


def test_a_rule_is_no_front_matter() -> None:
    assert front_matter("---\nIt rained.\n---\n") == ({}, 0)
    assert front_matter("--- a: b") == ({}, 0)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [("koi8-r", "Шёл дождь."), ("euc-kr", "비가 왔다."), ("windows-1250", "Pršelo, žáku.")],
)
def test_a_page_is_believed_in_what_it_says_of_its_encoding(
    tmp_path: Path, encoding: str, text: str
) -> None:
    path = tmp_path / "1.html"
    path.write_bytes(f'<meta charset="{encoding}"><p>{text}</p>'.encode(encoding))
    assert read_chapter(read(path).chapters[0]).text == text


def test_a_page_that_says_latin_1_and_is_utf_8_is_utf_8() -> None:
    page = '<meta charset="iso-8859-1"><p>Il plut à Orléans.</p>'.encode()
    assert decode(page, declared_encoding(page)).text.endswith("<p>Il plut à Orléans.</p>")


@pytest.mark.parametrize("name", ["punycode", "unicode_escape", "hex", "idna", "nothing", "utf-8"])
def test_codecs_that_no_page_is_written_in_are_not_believed(name: str) -> None:
    assert declared_encoding(f'<meta charset="{name}">'.encode()) == ""
