"""A folder as people have it: folders in it, links, archives, files that are no chapters."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from streams.inputs import text_file
from streams.inputs.reading import read_input
from streams.inputs.values import ChapterInput, Naming, UnusableInput


def read(path: Path) -> ChapterInput:
    found = read_input(path, Naming("w"))
    assert isinstance(found, ChapterInput)
    return found


def written(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("It rained.")
    return folder


def ids(found: ChapterInput) -> list[tuple[str, str]]:
    return [(str(chapter.chapter_id), str(chapter.ordinal)) for chapter in found.chapters]


def test_folders_in_the_folder_are_read_in_natural_order(tmp_path: Path) -> None:
    written(tmp_path, "vol10/1.txt", "vol2/ch10.txt", "vol2/ch9.md", "vol1/a/b.txt", "prologue.txt")
    found = read(tmp_path)
    assert ids(found) == [
        ("prologue", "1"),
        ("vol1/a/b", "2"),
        ("vol2/ch9", "3"),
        ("vol2/ch10", "4"),
        ("vol10/1", "5"),
    ]
    assert [chapter.title for chapter in found.chapters][2:4] == ["ch9", "ch10"]
    assert found.notes == ()


def test_equal_names_in_two_folders_are_two_chapters(tmp_path: Path) -> None:
    assert len(read(written(tmp_path, "1/1.txt", "2/1.txt")).chapters) == 2


def test_hidden_files_and_files_about_the_work_are_no_chapters(tmp_path: Path) -> None:
    written(tmp_path, "1.txt", "._1.txt", ".git/x.txt", "README.md", "a/LICENSE.txt", "a/.keep")
    hidden = ("._1.txt", "README.md", "a/LICENSE.txt")
    found = read(tmp_path)
    assert ids(found) == [("1", "1")]
    assert found.notes == (
        f"{tmp_path.name}: passed over, being no chapters: 3 entries ({', '.join(hidden)})",
    )


def test_links_to_files_are_files_and_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    written(tmp_path, "book/1.txt", "elsewhere/2.txt")
    book = tmp_path / "book"
    (book / "2.txt").symlink_to(tmp_path / "elsewhere" / "2.txt")
    (book / "loop").symlink_to(book)
    (book / "out.txt").symlink_to(tmp_path / "elsewhere")
    found = read(book)
    assert ids(found) == [("1", "1"), ("2", "2")]
    assert found.notes == ("book: passed over, being no chapters: 2 entries (loop, out.txt)",)


def test_a_link_to_nothing_keeps_its_place(tmp_path: Path) -> None:
    written(tmp_path, "1.txt", "3.txt")
    (tmp_path / "2.txt").symlink_to(tmp_path / "gone.txt")
    (tmp_path / "4.txt").symlink_to(tmp_path / "4.txt")
    found = read(tmp_path)
    assert ids(found) == [("1", "1"), ("3", "3")]
    assert [str(problem) for problem in found.problems] == [
        "2.txt: it cannot be read (No such file or directory); see its rights.",
        "4.txt: it cannot be read (Too many levels of symbolic links); see its rights.",
    ]


def test_what_is_no_file_is_never_opened(tmp_path: Path) -> None:
    written(tmp_path, "1.txt")
    os.mkfifo(tmp_path / "2.txt")
    (tmp_path / "3.txt").symlink_to("/dev/zero")
    assert ids(read(tmp_path)) == [("1", "1")]


def test_a_folder_that_cannot_be_opened_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, "1.txt", "shut/2.txt")
    scandir = os.scandir

    def refusing(path: str) -> object:
        if Path(path).name == "shut":
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    found = read(tmp_path)
    assert ids(found) == [("1", "1")]
    assert [str(problem) for problem in found.problems] == [
        "shut: the folder cannot be opened (Permission denied); see its rights."
    ]


def test_a_file_too_large_to_hold_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_file, "_MOST_BYTES", 20)
    written(tmp_path, "1.txt")
    (tmp_path / "2.txt").write_text("It rained on and on.\n")
    found = read(tmp_path)
    assert ids(found) == [("1", "1")]
    assert str(found.problems[0]) == "2.txt: it is larger than 20 bytes; cut it in parts."


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("a.epub", r"but a\.epub: index it by itself"),
        ("a.zip", r"but a\.zip: unpack it and index the folder"),
        ("b/a.azw3", r"but b/a\.azw3: convert it to \.epub or \.txt"),
        ("a.jpg", r"they are files named \*\.txt"),
    ],
)
def test_a_folder_of_other_things_says_what_to_do(tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(UnusableInput, match=says):
        read(written(tmp_path, name))


def test_books_beside_chapters_are_told(tmp_path: Path) -> None:
    found = read(written(tmp_path, "1.txt", "all.epub"))
    assert found.notes == (
        f"{tmp_path.name}: passed over, being no chapters: 1 entry (all.epub)",
        f"{tmp_path.name}: to have .epub files indexed, index it by itself",
    )


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("a.pdf", "convert it"),
        ("a.rar", "unpack it"),
        ("a.xyz", "of a kind that is not known"),
    ],
)
def test_a_file_that_cannot_be_read_says_what_to_do(tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(UnusableInput, match=says):
        read(written(tmp_path, name) / name)


@pytest.mark.parametrize("content", ["", " \n", "\ufeff"])
def test_an_empty_file_is_a_problem(tmp_path: Path, content: str) -> None:
    for name in ("1.txt", "2.md", "3.html"):
        (tmp_path / name).write_text(content)
        alone = read(tmp_path / name)
        assert (alone.chapters, len(alone.problems)) == ((), 1)
    assert [problem.chapter for problem in read(tmp_path).problems] == ["1", "2", "3"]


def test_a_path_that_is_none() -> None:
    with pytest.raises(UnusableInput, match="There is no"):
        read(Path("a\0b.txt"))
