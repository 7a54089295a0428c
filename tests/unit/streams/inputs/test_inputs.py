"""Every shape of input becomes the same events, and one bad file costs one chapter."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from contracts.events import Format, chapter_event
from replay.evaluation.shared_data import shared_data
from streams.inputs.building import described
from streams.inputs.json_lines import read_lines
from streams.inputs.reading import read_input
from streams.inputs.values import ChapterInput, EventInput, Naming, UnusableInput, slug


def chapters_of(path: Path, **naming: str) -> ChapterInput:
    found = read_input(path, Naming(**naming))
    assert isinstance(found, ChapterInput)
    return found


def written(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        data = content if isinstance(content, bytes) else content.encode()
        (folder / name).write_bytes(data)
    return folder


def ids(found: ChapterInput) -> list[tuple[str, str]]:
    return [(chapter.chapter_id, str(chapter.ordinal)) for chapter in found.chapters]


def test_a_folder_is_read_in_natural_order(tmp_path: Path) -> None:
    names = ["ch10.txt", "ch2.md", "ch1.html", "ch１１.txt", ".hidden.txt", "cover.jpg"]
    found = chapters_of(written(tmp_path, dict.fromkeys(names, "It rained.")), work_id="w")
    assert ids(found) == [("ch1", "1"), ("ch2", "2"), ("ch10", "3"), ("ch１１", "4")]
    assert [chapter.format for chapter in found.chapters[:3]] == [
        Format.HTML,
        Format.MARKDOWN,
        Format.TEXT,
    ]
    assert found.notes == (
        f"{tmp_path.name}: passed over, being no chapters: 2 entries (.hidden.txt, cover.jpg)",
    )


def test_a_body_is_the_file_to_the_last_line_end(tmp_path: Path) -> None:
    text = "\r\nChapter 1\r\n\r\nIt rained.\rStill.\n\n"
    found = chapters_of(written(tmp_path, {"1.txt": text}), work_id="w")
    assert found.chapters[0].body == text
    assert found.chapters[0].title == "Chapter 1"


def test_one_bad_file_stops_nobody_and_keeps_its_place(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "1.txt": "It rained.",
        "2.txt": b"\x89PNG\0\0\0\1\2",
        "3.txt": " \n ",
        "4.txt": "第四章".encode("gb18030"),
        "4.md": "The same name again.",
    }
    found = chapters_of(written(tmp_path, files), work_id="w")
    assert ids(found) == [("1", "1"), ("4", "4")]
    shown = [str(problem) for problem in found.problems]
    assert [problem.split(":")[0] for problem in shown] == [
        "2.txt",
        "3.txt, chapter 3",
        "4.txt, chapter 4",
    ]
    assert "the body is empty" in shown[1]
    assert "from 4.md" in shown[2]


def test_an_encoding_that_was_guessed_is_told(tmp_path: Path) -> None:
    found = chapters_of(
        written(tmp_path, {"1.txt": "第一章 下楼。我们在这里。".encode("gb18030")}), work_id="w"
    )
    assert found.notes == ("1.txt: read as gb18030",)


def test_titles_of_files(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "1.txt": "It rained.",
        "2.md": "# The *Sea*\n\nIt rained.",
        "3.html": "<title>Site</title><h1>The &amp; <i>Land</i></h1><p>It rained.",
        "4.txt": "Chapter 4\n\nThe Sky\n\nIt rained.",
    }
    found = chapters_of(written(tmp_path, files), work_id="w")
    assert [chapter.title for chapter in found.chapters] == [
        "1",
        "The *Sea",
        "The & Land",
        "Chapter 4 The Sky",
    ]


def test_a_folder_without_chapters_says_what_chapters_are(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match=r"\*\.txt"):
        read_input(tmp_path, Naming())


def test_one_text_file(tmp_path: Path) -> None:
    prose = "It rained on the town and nobody minded it at all. " * 9
    head = "Title: The Rain\r\nAuthor: A. Nobody\r\n\r\n"
    text = f"{head}CHAPTER I\r\n\r\n{prose}\r\n\r\nCHAPTER II\r\n\r\n{prose}"
    (tmp_path / "rain.txt").write_bytes(text.encode())
    found = chapters_of(tmp_path / "rain.txt")
    assert (found.described.work_id, found.described.author) == ("the-rain", "A. Nobody")
    assert ids(found) == [("1", "1"), ("2", "2")]
    assert text.endswith("".join(chapter.body for chapter in found.chapters))


def test_a_preface_is_chapter_0(tmp_path: Path) -> None:
    prose = "It rained on the town and nobody minded it at all. " * 30
    path = tmp_path / "rain.txt"
    path.write_text(f"{prose}\n\nChapter 1\n\n{prose}\n\nChapter 2\n\n{prose}")
    assert ids(chapters_of(path)) == [("0", "0"), ("1", "1"), ("2", "2")]


def test_a_serial(tmp_path: Path) -> None:
    serial = {
        "id": "rain",
        "title": "The Rain",
        "language": "en",
        "chapters": [
            {"index": 0, "label": "I", "title": None, "text": "It rained.", "part": 3},
            {"index": 1.5, "title": "Sun", "text": "It shone.", "number": 7},
            {"index": "x", "text": "It snowed."},
            {"index": 2, "text": " "},
            {"index": 1.5, "text": "Twice."},
        ],
    }
    path = tmp_path / "s.json"
    path.write_text(json.dumps(serial))
    found = chapters_of(path)
    assert ids(found) == [("0", "0"), ("1.5", "1.5")]
    assert [(c.title, c.language) for c in found.chapters] == [("I", "en"), ("Sun", "en")]
    assert [problem.chapter for problem in found.problems] == ["number 3", "2", "1.5"]
    assert chapters_of(path, work_id="mine").described.work_id == "mine"


@pytest.mark.corpus
def test_every_book_is_a_serial() -> None:
    for path in sorted(shared_data("books").glob("*.json")):
        found = chapters_of(path)
        assert found.problems == ()
        assert found.described.work_id == path.stem


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.json", "{", "is no serial"),
        ("a.json", '{"chapters": []}', "at least 1 item"),
        ("a.epub", "x", "no zip file"),
        ("a.pages", "x", "kind that is not known"),
        ("a.jsonl", "{}", "leave out --work"),
    ],
)
def test_what_cannot_be_used_says_so(tmp_path: Path, name: str, content: str, says: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(UnusableInput, match=says):
        read_input(tmp_path / name, Naming(work_id="w"))
    with pytest.raises(UnusableInput, match="There is no"):
        read_input(tmp_path / "nowhere.txt", Naming())


def test_event_lines_are_passed_on_byte_for_byte(tmp_path: Path) -> None:
    path = tmp_path / "e.jsonl"
    lines = [
        b'{"kind": "work.withdrawn", "work_id":"w", "seq": 1}',
        b"rubbish",
        b'{"work_id":"v\xff"',
    ]
    path.write_bytes(b"\xef\xbb\xbf" + lines[0] + b"\r\n\r\n  \n" + b"\n".join(lines[1:]))
    assert read_input(path, Naming()) == EventInput(path)
    found = list(read_lines(path))
    assert [line.value for line in found] == lines
    assert [line.work_id for line in found] == ["w", None, None]
    assert [line.number for line in found] == [1, 4, 5]


def test_a_lines_source_knows_the_lines_before_it(tmp_path: Path) -> None:
    def sources(content: bytes) -> list[str]:
        path = tmp_path / "e.jsonl"
        path.write_bytes(content)
        return [line.source for line in read_lines(path)]

    once = sources(b"a\nb\na\n")
    assert len(set(once)) == 3
    assert sources(b"a\n\nb\r\na\nc\n")[:3] == once
    assert sources(b"a\nB\na\n")[1] != once[1]
    assert sources(b"a\nB\na\n")[2] != once[2]


@pytest.mark.corpus
def test_the_lifecycle_is_read_whole() -> None:
    found = list(read_lines(shared_data("input_shapes", "fixtures", "events_lifecycle.jsonl")))
    assert len(found) == 29
    empty = [line.number for line in found if b'"body": ""' in line.value]
    for line in found:
        if line.number not in empty:
            chapter_event.validate_json(line.value)


def test_slugs() -> None:
    assert slug("The Fifty-Seventh Fish!") == "the-fifty-seventh-fish"
    assert slug("西游记") == "西游记"
    assert slug("  ÉLÈVE  №５ ") == "élève-no5"
    assert slug("…") == ""
    with pytest.raises(UnusableInput, match="--work"):
        described(Naming(), "…")
