"""Whatever a file holds, reading it ends in events, in problems, or in words for its owner."""

from __future__ import annotations

import json
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contracts.errors import PermanentError
from processors.text import read_chapter
from streams.inputs.json_lines import read_lines
from streams.inputs.reading import read_input
from streams.inputs.values import ChapterInput, EventInput, Naming, UnusableInput
from tests.unit.streams.inputs.epubs import Epub, nav

WHATEVER = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
SUFFIXES = [".txt", ".md", ".html", ".json", ".jsonl", ".epub", ".zip", ".dat", ""]
# Pieces that the readers look for, so that arbitrary files get past their first lines.
PIECES = st.sampled_from(
    ["<p>", "</p>", "<!--", "<", ">", "&#x110000;", "&amp;", "---\n", "title: x\n", "# One\n", "\0",
     "Chapter 1\n", "第一章\n", "<?xml?>", "<html", "charset=gb2312", "{", "}", "[", '"', "\ud800",
     '{"kind":"x","work_id":"w"}', '{"chapters":[{"index":1,"text":"a"}]}', "\r",
     "\n\n", "It rained."]
)  # fmt: skip
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=20)), max_size=12).map("".join)
CONTENTS = st.one_of(
    st.binary(max_size=400),
    TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")),
    TEXTS.map(lambda text: text.encode("utf-16", "replace")),
)


def read_or_told(path: Path) -> ChapterInput | EventInput | str:
    """Read `path`, or return what its owner is told."""
    try:
        return read_input(path, Naming())
    except UnusableInput as error:
        return str(error)


def read_whole(path: Path) -> None:
    """Read `path` and all that comes of it, as indexing does."""
    found = read_or_told(path)
    if isinstance(found, str):
        assert path.name in found
        return
    if isinstance(found, EventInput):
        assert all(line.value for line in read_lines(found.path))
        return
    assert found.chapters or found.problems
    for problem in found.problems:
        assert problem.trouble
        assert problem.remedy
    for chapter in found.chapters:
        with suppress(PermanentError):  # as for a page of pictures
            assert read_chapter(chapter).text


@pytest.mark.parametrize("suffix", SUFFIXES)
@WHATEVER
@given(content=CONTENTS)
def test_any_file(tmp_path: Path, suffix: str, content: bytes) -> None:
    path = tmp_path / f"file{suffix}"
    path.write_bytes(content)
    read_whole(path)


@WHATEVER
@given(contents=st.lists(CONTENTS, min_size=1, max_size=3))
def test_any_files_of_a_folder(tmp_path: Path, contents: list[bytes]) -> None:
    for number, content in enumerate(contents):
        (tmp_path / f"{number}{SUFFIXES[number]}").write_bytes(content)
    read_whole(tmp_path)


@WHATEVER
@given(
    value=st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.dictionaries(
                st.sampled_from(["id", "title", "chapters", "index", "text", "format", "kind"]),
                inner,
            ),
        ),
        max_leaves=12,
    )
)
def test_any_json(tmp_path: Path, value: object) -> None:
    path = tmp_path / "file.json"
    path.write_text(json.dumps(value))
    read_whole(path)


@WHATEVER
@given(data=st.data())
def test_any_epub(tmp_path: Path, data: st.DataObject) -> None:
    path = Epub(
        {"c1.xhtml": data.draw(CONTENTS), "c2.xhtml": "<h2 id='x'>Two</h2><p>It rained.</p>"},
        nav=data.draw(st.one_of(st.just(b" "), CONTENTS)) or nav(("One", "c1.xhtml")),
        ncx=data.draw(st.one_of(st.just(b""), CONTENTS)),
        metadata=data.draw(st.sampled_from(["", "<dc:title/>", "<dc:title>&x;</dc:title>", "<"])),
        members=data.draw(
            st.dictionaries(
                st.sampled_from(
                    ["META-INF/container.xml", "META-INF/encryption.xml", "OEBPS/book.opf", "../x"]
                ),
                CONTENTS,
                max_size=1,
            )
        ),
    ).write(tmp_path / "file.epub")
    read_whole(path)


@WHATEVER
@given(at=st.integers(0, 10_000), byte=st.integers(0, 255), cut=st.integers(0, 200))
def test_any_damage_to_an_epub(tmp_path: Path, at: int, byte: int, cut: int) -> None:
    pages = {f"c{n}.xhtml": f"<h2>Chapter {n}</h2><p>It rained.</p>" for n in range(3)}
    path = Epub(pages, nav=nav(("One", "c0.xhtml"))).write(tmp_path / "file.epub")
    data = bytearray(path.read_bytes())
    data[at % len(data)] = byte
    path.write_bytes(data[: len(data) - cut] if cut < 50 else data)
    read_whole(path)


@WHATEVER
@given(names=st.lists(st.text(min_size=1, max_size=12), max_size=4, unique=True))
def test_any_names_in_a_zip(tmp_path: Path, names: list[str]) -> None:
    path = tmp_path / "file.epub"
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr("x" + name.encode("utf-8", "replace").decode(), b"x")
    read_whole(path)
