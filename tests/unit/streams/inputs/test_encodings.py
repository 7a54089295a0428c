"""Texts are read as what they were written in."""

from __future__ import annotations

import json

import pytest

from replay.evaluation.shared_data import shared_data
from streams.inputs.encodings import NotText, decode

FIXTURES = {
    "ch_big5.txt": ("big5", "第一章 下樓"),
    "ch_gb18030.txt": ("gb18030", "第一章 下楼"),
    "ch_gbk.txt": ("gb18030", "第一章 下楼"),
    "ch_shift_jis.txt": ("cp932", "第一章"),
    "ch_utf-16.txt": ("utf-16", "第一章 下楼"),
}


@pytest.mark.parametrize("name", FIXTURES)
def test_even_two_lines_are_enough(name: str) -> None:
    encoding, first = FIXTURES[name]
    found = decode(shared_data("input_shapes", "fixtures", "encodings", name).read_bytes())
    assert (found.encoding, found.text.split("\n")[0]) == (encoding, first)


def test_utf8_with_a_stray_byte_stays_utf8() -> None:
    path = shared_data("input_shapes", "fixtures", "encodings", "utf8_with_one_latin1_byte.txt")
    found = decode(path.read_bytes())
    assert (found.encoding, found.stray_bytes) == ("utf-8", 1)
    assert "café" in found.text
    assert "“Why?”" in found.text


FRENCH = "Le café était fermé; élève à l’école, où ça «coûte»… "
POLISH = "Zażółć gęślą jaźń, wszyscy poszli już do domu i było cicho. "
RUSSIAN = "Все счастливые семьи похожи друг на друга, каждая несчастлива по-своему. "
KOREAN = "그는 어제 집에 갔다. 나는 그것을 몰랐다. "


@pytest.mark.parametrize("times", [1, 50])
@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (FRENCH, "cp1252"),
        (POLISH, "cp1250"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (KOREAN, "cp949"),
        ("Plain as day. ", "ascii"),
        ("Plain as day.\r\n", "utf-16-le"),
        ("Plain as day.\r\n", "utf-16-be"),
        ("Le café. ", "utf-8-sig"),
        ("Le café. ", "utf-32"),
    ],
)
def test_other_scripts(text: str, encoding: str, times: int) -> None:
    assert decode((text * times).encode(encoding)).text == text * times


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("book", "encoding"),
    [
        ("journey-to-the-west", "gb18030"),
        ("journey-to-the-west", "utf-16-le"),
        ("wagahai-wa-neko-de-aru", "cp932"),
        ("wagahai-wa-neko-de-aru", "euc_jp"),
    ],
)
def test_chapters_of_novels(book: str, encoding: str) -> None:
    serial = json.loads(shared_data("cjk", f"{book}.json").read_bytes())
    for chapter in serial["chapters"][:5]:
        data = chapter["text"].encode(encoding, errors="ignore")
        assert decode(data).text == data.decode(encoding)


def test_nothing_is_a_text() -> None:
    assert decode(b"").text == ""


def test_line_ends_stay() -> None:
    assert decode("a\r\nb\rc\n".encode("utf-16")).text == "a\r\nb\rc\n"


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" * 9, b"\xff\xfea", b"PK\x03\x04\0\0\1"]
)
def test_pictures_and_programs_are_no_text(data: bytes) -> None:
    with pytest.raises(NotText):
        decode(data)
