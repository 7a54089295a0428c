"""A book's chapters, in order, under their names; what is no chapter is told with its reason."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path
from time import process_time

import pytest

from contracts.events import Format
from processors.text import read_chapter
from streams.inputs import epub_archive
from streams.inputs.epub import chapter_entries
from streams.inputs.epub_navigation import Entry, read_nav
from streams.inputs.reading import read_input
from streams.inputs.values import ChapterInput, Naming, UnusableInput
from tests.unit.streams.inputs.epubs import Epub, nav, ncx, page

ONE = "<h2>Chapter 1</h2><p>It rained on the town.</p>"
TWO = "<h2>Chapter 2</h2><p>It shone on the town.</p>"
THREE = "<h2>Chapter 3</h2><p>It snowed on the town.</p>"
MEND = "mend the EPUB or convert it anew"
PICTURE = "holds zero bytes, as programs and pictures do"
CHAPTERS = {"c1.xhtml": ONE, "c2.xhtml": TWO, "c3.xhtml": THREE}


def read(book: Epub, folder: Path, naming: Naming | None = None) -> ChapterInput:
    found = read_input(book.write(folder / "rain.epub"), naming or Naming())
    assert isinstance(found, ChapterInput)
    return found


def chapters(found: ChapterInput) -> list[tuple[str, str, str]]:
    return [(each.chapter_id, str(each.ordinal), each.title) for each in found.chapters]


def texts(found: ChapterInput) -> list[str]:
    return [read_chapter(chapter).text for chapter in found.chapters]


def notes(found: ChapterInput) -> list[str]:
    return [note.removeprefix("rain.epub: ").removeprefix("OEBPS/") for note in found.notes]


def troubles(found: ChapterInput) -> list[str]:
    return [str(problem) for problem in found.problems]


def test_chapters_come_in_the_order_of_the_spine(tmp_path: Path) -> None:
    book = Epub(CHAPTERS, spine=["c2.xhtml", "c1.xhtml", "c3.xhtml"])
    found = read(book, tmp_path)
    assert chapters(found) == [
        ("c2", "1", "Chapter 2"),
        ("c1", "2", "Chapter 1"),
        ("c3", "3", "Chapter 3"),
    ]
    assert {chapter.format for chapter in found.chapters} == {Format.HTML}
    assert texts(found)[0] == "Chapter 2\n\nIt shone on the town."
    assert (found.problems, found.notes) == ((), ())


def test_the_work_is_described_by_the_metadata(tmp_path: Path) -> None:
    metadata = (
        "<dc:title>The &amp; Rain</dc:title><dc:title>A subtitle</dc:title>"
        "<dc:creator opf:role='aut'>A. Nobody</dc:creator><dc:creator>B. Else</dc:creator>"
        "<dc:creator opf:role='trl'>T. Lator</dc:creator>"
        "<dc:creator id='i'>I. Lustrator</dc:creator>"
        "<meta refines='#i' property='role'>ill</meta><dc:language>de-AT</dc:language>"
    )
    found = read(Epub(CHAPTERS, metadata=metadata), tmp_path)
    described = found.described
    assert (described.work_id, described.title) == ("the-rain", "The & Rain")
    assert (described.author, described.language) == ("A. Nobody, B. Else", "de-AT")
    assert [chapter.language for chapter in found.chapters] == [None] * 3
    told = read(Epub(CHAPTERS, metadata=metadata), tmp_path, Naming("w", "Mine", "en"))
    assert (told.described.work_id, told.described.title) == ("w", "Mine")
    assert [chapter.language for chapter in told.chapters] == ["en"] * 3


def test_a_book_without_a_name_is_called_like_its_file(tmp_path: Path) -> None:
    assert read(Epub(CHAPTERS, metadata=""), tmp_path).described.title == "rain"


@pytest.mark.parametrize("of_epub_2", [False, True])
def test_titles_are_those_of_the_table_of_contents(tmp_path: Path, of_epub_2: bool) -> None:
    entries = (("1: The &amp; Rain", "c1.xhtml"), ("Sun", "c2.xhtml"), ("Snow", "./c3.xhtml#x"))
    book = Epub(CHAPTERS, ncx=ncx(*entries)) if of_epub_2 else Epub(CHAPTERS, nav=nav(*entries))
    found = read(book, tmp_path)
    assert [title for _, _, title in chapters(found)] == ["1: The & Rain", "Sun", "Snow"]


def test_what_is_no_chapter_is_told_with_the_reason(tmp_path: Path) -> None:
    front = {
        "cover.xhtml": "<p><img src='c.jpg' alt='The Rain'/></p>",
        "front.xhtml": "<h1>The Rain</h1><p>by A. Nobody</p>",
        "rights.xhtml": "<p>Copyright © 2020 A. Nobody. All rights reserved. ISBN 1.</p>",
        "plate.xhtml": "<svg><image href='m.jpg'/></svg>",
        "blank.xhtml": "<p>&#160;</p>",
        "map.svg": "<svg/>",
        "answers.xhtml": "<p>The gardener did it.</p>",
    }
    spine = [*front, "nav.xhtml", *CHAPTERS]
    spine[6] = "-answers.xhtml"
    entries = nav(*((name, name) for name in CHAPTERS))
    found = read(Epub(front | CHAPTERS, spine, nav=entries), tmp_path)
    assert [each[:2] for each in chapters(found)] == [("c1", "1"), ("c2", "2"), ("c3", "3")]
    assert notes(found) == [
        "cover.xhtml is no chapter: the cover",
        "front.xhtml is no chapter: a title page",
        "rights.xhtml is no chapter: the copyright page",
        "plate.xhtml is no chapter: only images",
        "blank.xhtml is no chapter: no text",
        "map.svg is no chapter: image/svg+xml, no page of text",
        "answers.xhtml is no chapter: off the reading order (linear is no)",
        "nav.xhtml is no chapter: the table of contents",
    ]


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({"guide": '<reference type="cover" href="p.xhtml"/>'}, "the cover"),
        ({"body": ' epub:type="frontmatter titlepage"'}, "a title page"),
        ({"section": "copyright-page"}, "the copyright page"),
        ({"landmark": "toc"}, "the table of contents"),
        ({"title": "Inhaltsverzeichnis"}, "the table of contents"),
    ],
)
def test_what_the_book_says_of_a_page_counts(
    tmp_path: Path, told: dict[str, str], reason: str
) -> None:
    body = f"<section epub:type='{told.get('section', '')}'><p>Words on a page.</p></section>"
    landmarks = (
        f'<nav epub:type="landmarks"><ol><li><a epub:type="{told.get("landmark", "")}" '
        'href="p.xhtml">P</a></li></ol></nav>'
    )
    entries = [(name, name) for name in CHAPTERS]
    if "title" in told:
        entries.insert(0, (told["title"], "p.xhtml"))
    book = Epub(
        {"p.xhtml": page(body, attributes=told.get("body", "")), **CHAPTERS},
        nav=nav(*entries, landmarks=landmarks if "landmark" in told else ""),
        guide=told.get("guide", ""),
    )
    found = read(book, tmp_path)
    assert len(found.chapters) == 3
    assert notes(found) == [f"p.xhtml is no chapter: {reason}"]


def test_real_prose_is_a_chapter_whatever_it_is_called(tmp_path: Path) -> None:
    prose = "<p>" + "It rained on the town and nobody minded it at all. " * 80 + "</p>"
    found = read(Epub({"cover.xhtml": prose, **CHAPTERS}), tmp_path)
    assert [each[0] for each in chapters(found)] == ["cover", "c1", "c2", "c3"]


def test_files_that_the_table_of_contents_leaves_out_go_on_with_a_chapter(tmp_path: Path) -> None:
    pages = {
        "c1.xhtml": ONE,
        "c1b.xhtml": "<p>And it rained on.</p>",
        "plate.xhtml": "<img src='p.jpg'/>",
        "c1c.xhtml": "<p>And on.</p>",
        "c2.xhtml": TWO,
        "extra.xhtml": "<h2>Interlude</h2><p>Nobody spoke.</p>",
    }
    book = Epub(pages, nav=nav(("One", "c1.xhtml"), ("Two", "c2.xhtml")))
    found = read(book, tmp_path)
    assert chapters(found) == [("c1", "1", "One"), ("c2", "2", "Two"), ("extra", "3", "Interlude")]
    assert texts(found)[0] == "Chapter 1\n\nIt rained on the town.\n\nAnd it rained on.\n\nAnd on."


def test_files_that_were_cut_by_size_are_one_chapter(tmp_path: Path) -> None:
    pages = {
        "a_split_000.xhtml": ONE,
        "a_split_001.xhtml": "<p>And it rained on.</p>",
        "b.xhtml": "<p>It shone.</p>",
    }
    found = read(Epub(pages), tmp_path)
    assert [each[:2] for each in chapters(found)] == [("a_split_000", "1"), ("b", "2")]
    assert texts(found)[0].endswith("And it rained on.")


def test_one_file_of_several_chapters_is_cut_at_its_anchors(tmp_path: Path) -> None:
    whole = (
        "<h1>The Rain</h1><h2 id='one'>Chapter 1</h2><p>It rained.</p>"
        "<h2><a id='two'></a>Chapter 2</h2><p>It shone.</p>"
        "<section id='three'><h2>Chapter 3</h2><p>It snowed.</p></section>"
    )
    entries = [(f"Chapter {n}", f"all.xhtml#{name}") for n, name in enumerate(
        ("one", "two", "three"), start=1)]  # fmt: skip
    book = Epub({"all.xhtml": whole}, nav=nav(*entries, ("Chapter 4", "all.xhtml#gone")))
    found = read(book, tmp_path)
    assert chapters(found) == [
        ("all#one", "1", "Chapter 1"),
        ("all#two", "2", "Chapter 2"),
        ("all#three", "3", "Chapter 3"),
    ]
    assert texts(found) == [
        "The Rain\n\nChapter 1\n\nIt rained.",
        "Chapter 2\n\nIt shone.",
        "Chapter 3\n\nIt snowed.",
    ]
    assert notes(found) == ["all.xhtml has no place 'gone'"]


def test_a_part_opens_with_its_first_chapter(tmp_path: Path) -> None:
    pages = {"p1.xhtml": "<h1>Part One</h1>", **CHAPTERS, "p2.xhtml": "<h1>Part Two</h1>"}
    entries = [("Part One", "p1.xhtml", 0)]
    entries += [(f"Chapter {n}", f"c{n}.xhtml", 1) for n in (1, 2, 3)]
    found = read(Epub(pages, nav=nav(*entries)), tmp_path)
    assert [each[:2] for each in chapters(found)] == [("c1", "1"), ("c2", "2"), ("c3", "3")]
    assert texts(found)[0] == "Part One\n\nChapter 1\n\nIt rained on the town."
    assert notes(found) == ["p2.xhtml is no chapter: a heading without a chapter after it"]


def of(*entries: tuple[str, str, int]) -> list[str]:
    return [
        entry.title
        for entry in chapter_entries(
            [
                Entry(title, href.partition("#")[0], href.partition("#")[2], depth)
                for title, href, depth in entries
            ]
        )
    ]


def test_sections_of_a_chapter_are_no_chapters() -> None:
    assert of(("Chapter 1", "a#", 0), ("The storm", "a#s", 1), ("Chapter 2", "b#", 0)) == [
        "Chapter 1",
        "Chapter 2",
    ]
    assert of(("The storm", "a#", 0), ("Waves", "a#w", 1), ("The calm", "b#", 0)) == [
        "The storm",
        "The calm",
    ]


def test_chapters_of_a_part_are_chapters() -> None:
    part = ("Part One", "a#", 0)
    assert of(part, ("The storm", "a#s", 1), ("Waves", "a#w", 1))[1:] == ["The storm", "Waves"]
    assert of(("The Rain", "a#", 0), ("Storm", "b#", 1))[1:] == ["Storm"]
    assert of(("Emma", "a#", 0), ("I", "a#1", 1), ("Persuasion", "b#", 0))[1] == "I"


def test_names_of_files_are_read_as_they_are_meant(tmp_path: Path) -> None:
    pages = {"a b/ch é.xhtml": ONE, "C2.XHTML": TWO}
    book = Epub(
        pages,
        nav=nav(("One", "a%20b/ch%20%C3%A9.xhtml"), ("Two", "../OEBPS/c2.xhtml")),
    )
    found = read(book, tmp_path)
    assert [title for _, _, title in chapters(found)] == ["One", "Two"]
    assert found.problems == ()


def test_one_bad_chapter_keeps_its_place_and_stops_nobody(tmp_path: Path) -> None:
    pages: dict[str, str | bytes] = {
        "c1.xhtml": ONE,
        "c2.xhtml": b"\x89PNG\0\0\0\1\2",
        "c4.xhtml": THREE,
    }
    found = read(Epub(pages, ["c1.xhtml", "c2.xhtml", "c3.xhtml", "c4.xhtml"]), tmp_path)
    assert [each[:2] for each in chapters(found)] == [("c1", "1"), ("c4", "4")]
    assert troubles(found) == [
        f"rain.epub, chapter c2: OEBPS/c2.xhtml is no text: it {PICTURE}; {MEND}.",
        f"rain.epub, chapter c3: OEBPS/c3.xhtml is not in the book; {MEND}.",
    ]


def test_a_bad_chapter_does_not_lend_its_pages_to_the_one_before(tmp_path: Path) -> None:
    pages = {"c1.xhtml": ONE, "c2b.xhtml": "<p>And it shone on.</p>", "c3.xhtml": THREE}
    book = Epub(
        pages,
        ["c1.xhtml", "c2.xhtml", "c2b.xhtml", "c3.xhtml"],
        nav=nav(("One", "c1.xhtml"), ("Two", "c2.xhtml"), ("Three", "c3.xhtml")),
    )
    found = read(book, tmp_path)
    assert chapters(found) == [("c1", "1", "One"), ("c3", "3", "Three")]
    assert texts(found)[0] == "Chapter 1\n\nIt rained on the town."
    assert [problem.chapter for problem in found.problems] == ["c2", "c2"]
    assert "c2b.xhtml goes on with it and is left out; mend what" in troubles(found)[1]


@pytest.mark.parametrize("content", ["<nav", "", b"\0\0\xff", "<ncx><navMap><navPoint>"])
def test_a_broken_table_of_contents_costs_only_the_titles(
    tmp_path: Path, content: str | bytes
) -> None:
    book = Epub(CHAPTERS, nav=content or " ", ncx=content or " ")
    found = read(book, tmp_path)
    assert [title for _, _, title in chapters(found)] == ["Chapter 1", "Chapter 2", "Chapter 3"]


def test_a_broken_nav_gives_way_to_the_ncx(tmp_path: Path) -> None:
    found = read(Epub(CHAPTERS, nav=b"\0\0\xff", ncx=ncx(("Rain", "c1.xhtml"))), tmp_path)
    assert found.chapters[0].title == "Rain"
    assert "its table of contents is left out" in found.notes[0]


@pytest.mark.parametrize("encoding", ["utf-16", "windows-1251", "gb18030", "iso-8859-1"])
def test_pages_in_other_encodings(tmp_path: Path, encoding: str) -> None:
    text = {"windows-1251": "Шёл дождь.", "gb18030": "下雨了。", "iso-8859-1": "Il plut à Orléans."}
    shown = text.get(encoding, "Es regnete überall.")
    document = page(f"<p>{shown}</p>").replace('encoding="utf-8"', f'encoding="{encoding}"')
    found = read(Epub({"c1.xhtml": document.encode(encoding)}), tmp_path)
    assert texts(found) == [shown]


def test_what_the_book_s_style_sheet_hides_is_not_read(tmp_path: Path) -> None:
    link = '<link rel="stylesheet" type="text/css" href="../s%20s.css"/>'
    hidden = page("<p>It rained.</p><p class='x9'>Stolen from its site.</p>", head=link)
    book = Epub({"t/c1.xhtml": hidden}, members={"OEBPS/s s.css": ".x9{display:none} p{margin:0}"})
    chapter = read_chapter(read(book, tmp_path).chapters[0])
    assert chapter.text == "It rained."
    assert [(item.reason, item.count) for item in chapter.dropped if item.reason == "hidden"] == [
        ("hidden", 1)
    ]


def encryption(algorithm: str, path: str) -> dict[str, str | bytes]:
    return {
        "META-INF/encryption.xml": "<encryption xmlns:e='http://www.w3.org/2001/04/xmlenc#'>"
        f"<e:EncryptedData><e:EncryptionMethod Algorithm='{algorithm}'/><e:CipherData>"
        f"<e:CipherReference URI='{path}'/></e:CipherData></e:EncryptedData></encryption>"
    }


def test_a_protected_book_is_refused_and_mangled_fonts_are_not(tmp_path: Path) -> None:
    aes = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"
    with pytest.raises(UnusableInput, match=r"rain\.epub: it is copy-protected.*without copy prot"):
        read(Epub(CHAPTERS, members=encryption(aes, "OEBPS/c1.xhtml")), tmp_path)
    with pytest.raises(UnusableInput, match="may be copy-protected"):
        read(Epub(CHAPTERS, members={"META-INF/encryption.xml": "<"}), tmp_path)
    font = encryption("http://www.idpf.org/2008/embedding", "OEBPS/f.otf")
    assert len(read(Epub(CHAPTERS, members=font), tmp_path).chapters) == 3
    image = encryption(aes, "OEBPS/i.jpg")
    assert len(read(Epub(CHAPTERS, members=image), tmp_path).chapters) == 3


def test_a_member_that_unpacks_to_too_much_costs_one_chapter(tmp_path: Path) -> None:
    bomb = b"<p>" + b" " * (epub_archive.MOST_MEMBER_BYTES + 1)
    found = read(Epub({"c1.xhtml": bomb, "c2.xhtml": TWO}), tmp_path)
    assert [each[:2] for each in chapters(found)] == [("c2", "2")]
    assert "unpacks to more than 16,777,216 bytes; cut it" in troubles(found)[0]


def test_a_book_that_unpacks_to_too_much_is_read_no_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(epub_archive, "MOST_BYTES", 10_000)
    pages = {f"c{n}.xhtml": f"<p>{'It rained. ' * 200}</p>" for n in range(8)}
    found = read(Epub(pages), tmp_path)
    assert 1 < len(found.chapters) < 8
    assert len(found.chapters) + len(found.problems) == 8


@pytest.mark.parametrize("href", ["../../../etc/passwd", "/etc/passwd", "..\\..\\secret.xhtml"])
def test_a_path_out_of_the_book_leads_nowhere(tmp_path: Path, href: str) -> None:
    (tmp_path / "secret.xhtml").write_text("<p>Secret.</p>")
    found = read(Epub({"c1.xhtml": ONE}, ["c1.xhtml", href]), tmp_path)
    assert len(found.chapters) == 1
    assert len(found.problems) == 1


def test_a_member_that_lies_about_itself(tmp_path: Path) -> None:
    path = Epub(CHAPTERS, method=zipfile.ZIP_STORED).write(tmp_path / "rain.epub")
    data = path.read_bytes()
    path.write_bytes(data.replace(b"It shone", b"It shnoe"))  # the checksum does not fit any more
    found = read_input(path, Naming())
    assert isinstance(found, ChapterInput)
    assert [each[:2] for each in chapters(found)] == [("c1", "1"), ("c3", "3")]
    assert troubles(found) == [
        "rain.epub, chapter c2: OEBPS/c2.xhtml is damaged; mend the EPUB or convert it anew."
    ]


def test_a_member_with_a_password(tmp_path: Path) -> None:
    path = Epub(CHAPTERS).write(tmp_path / "rain.epub")
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\1\2", data.rindex(b"OEBPS/c2.xhtml") - 60)
    struct.pack_into("<H", data, at + 8, 1)
    path.write_bytes(data)
    found = read_input(path, Naming())
    assert isinstance(found, ChapterInput)
    assert "c2.xhtml is encrypted; give a copy without a password" in troubles(found)[0]


def test_xml_that_is_nearly_xml_is_read(tmp_path: Path) -> None:
    metadata = "<dc:title>Rain & &eacute;t&eacute;</dc:title>"
    assert read(Epub(CHAPTERS, metadata=metadata), tmp_path).described.title == "Rain & été"


def test_an_entity_bomb_is_refused(tmp_path: Path) -> None:
    bomb = (
        '<!DOCTYPE p [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
        "<package><metadata><title>&b;</title></metadata></package>"
    )
    with pytest.raises(UnusableInput, match="not safe to read"):
        read(Epub(CHAPTERS, members={"OEBPS/book.opf": bomb}), tmp_path)


@pytest.mark.parametrize(
    ("members", "says"),
    [
        ({"META-INF/container.xml": "<container/>", "OEBPS/book.opf": "<p"}, "not well-formed XML"),
        ({"OEBPS/book.opf": "<package/>"}, "names no files to read"),
        ({"META-INF/container.xml": b"\xff\xfe\0"}, "container.xml is no text"),
        ({"OEBPS/c1.xhtml": b"", "OEBPS/c2.xhtml": "", "OEBPS/c3.xhtml": " "}, "holds no chapters"),
    ],
)
def test_a_book_that_cannot_be_read_says_why(
    tmp_path: Path, members: dict[str, str | bytes], says: str
) -> None:
    book = Epub({}, spine=[*CHAPTERS], members=members)
    with pytest.raises(UnusableInput, match=says):
        read(book, tmp_path)


def test_no_epub_at_all(tmp_path: Path) -> None:
    path = tmp_path / "x.epub"
    path.write_bytes(b"PK\3\4 and then nothing")
    with pytest.raises(UnusableInput, match=r"x\.epub: it is no zip file.*convert it anew"):
        read_input(path, Naming())
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "Nothing.")
    with pytest.raises(UnusableInput, match="it is no EPUB"):
        read_input(path, Naming())


def test_an_epub_under_another_name_is_an_epub(tmp_path: Path) -> None:
    path = Epub(CHAPTERS).write(tmp_path / "rain.zip")
    assert isinstance(read_input(path, Naming()), ChapterInput)


def test_the_same_file_twice_in_the_spine_is_read_once(tmp_path: Path) -> None:
    found = read(Epub(CHAPTERS, ["c1.xhtml", "c1.xhtml", "c2.xhtml"]), tmp_path)
    assert [each[:2] for each in chapters(found)] == [("c1", "1"), ("c2", "2")]


@pytest.mark.parametrize("piece", ["<", "<a href='x'>", "<nav>", "<ol>", "<!--", "&", "<a ", "</"])
def test_a_hostile_table_of_contents_is_read_in_seconds(tmp_path: Path, piece: str) -> None:
    path = tmp_path / "x.epub"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("nav.xhtml", piece * (1_000_000 // len(piece)))
    start = process_time()
    with epub_archive.Archive(path) as archive:
        read_nav(archive, "nav.xhtml")
    assert process_time() - start < 5
