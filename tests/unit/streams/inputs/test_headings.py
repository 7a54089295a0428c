"""Which lines are headings, and which only look like one."""

from __future__ import annotations

import pytest

from streams.inputs.headings import Heading, HeadingKind, find_headings
from streams.inputs.numerals import value_of


def only(line: str) -> Heading | None:
    found = find_headings(line)
    assert len(found) <= 1
    return found[0] if found else None


@pytest.mark.parametrize(
    ("line", "number", "title"),
    [
        ("CHAPTER I", 1, ""),
        ("Chapter 12.", 12, ""),
        ("CHAPTER IV. The Cyclone", 4, "The Cyclone"),
        ("Chapter Twenty-One: Home", 21, "Home"),
        ("  Chapter the First", 1, ""),
        ("## Chapter 3 – Fire ##", 3, "Fire"),
        ("**Chapter 4**", 4, ""),
        ("Ch. 2", 2, ""),
        ("chapter.844 完", 844, "完"),
        ("Letter 1", 1, ""),
        ("Chapter 11.5", 11.5, ""),
        ("Kapitel 3", 3, ""),
        ("第一章 下楼", 1, "下楼"),
        ("　　第两百一十八章 钥匙", 218, "钥匙"),
        ("第壹章 重复的旧写法", 1, "重复的旧写法"),
        ("第一回：灵根育孕源流出，心性修持大道生", 1, "灵根育孕源流出,心性修持大道生"),
        ("第218話　鍵", 218, "鍵"),
        ("第２１８話　鍵", 218, "鍵"),
        ("番外 第1章 猫", 1, "猫"),
        ("第三章重逢", 3, "重逢"),
        ("【第三章】", 3, ""),
        ("Prologue", None, ""),
        ("THE EPILOGUE", None, ""),
        ("Interlude: Marrow", None, "Marrow"),
        ("序章", None, ""),
        ("プロローグ", None, ""),
    ],
)
def test_headings_of_chapters(line: str, number: float | None, title: str) -> None:
    found = only(line)
    assert found is not None, line
    assert (found.kind, found.number, found.title) == (HeadingKind.CHAPTER, number, title)


@pytest.mark.parametrize(
    "line",
    [
        "Chapter two was found, torn, under the stair.",
        "Chapter 7 of the manual says nothing of it",
        "Letter I wrote her yesterday",
        "Chapters and verses",
        "第一封信放在门口。",
        "第四本书记载着锁匠的名字，可惜没人读过它。",
        "第一回见面的时候，他没有说话。",
        "第二章，他想，写得不好",
        "introductions were made",
        "序列号在门后",
        "I went home.",
        "Civil war had broken out",
    ],
)
def test_prose_is_no_heading(line: str) -> None:
    assert only(line) is None


@pytest.mark.parametrize(
    "line", ["PART ONE--The Old Buccaneer", "Book II", "第二卷 井", "卷三", "Vol. 2"]
)
def test_divisions(line: str) -> None:
    found = only(line)
    assert found is not None
    assert found.kind is HeadingKind.DIVISION


@pytest.mark.parametrize("line", ["I", "XIV.", "3", "三", "2. The Pool of Tears"])
def test_numbers_alone(line: str) -> None:
    found = only(line)
    assert found is not None
    assert found.kind is HeadingKind.NUMBER


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("XIV", 14),
        ("IIII", 4),
        ("MCMXCIX", 1999),
        ("ninety-nine", 99),
        ("the twentieth", 20),
        ("forty second", 42),
        ("十", 10),
        ("二十", 20),
        ("一百零八", 108),
        ("两千三百", 2300),
        ("一万二千", 12000),
        ("二一八", 218),
        ("廿一", 21),
        ("12", 12),
        ("IC", None),
        ("", None),
        ("of", None),
    ],
)
def test_values(text: str, value: float | None) -> None:
    assert value_of(text) == value
