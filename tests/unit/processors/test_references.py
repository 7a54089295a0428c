"""Marks of notes and pages are no words; what they lead to is kept, as a note."""

from __future__ import annotations

import pytest

from contracts.events import Format
from processors.markup import extract
from tests.unit.processors.chapters import paratext, read, sentences


def seen(body: str) -> tuple[str, dict[str, int]]:
    found = extract(body, Format.HTML)
    return found.text, {item.reason: item.count for item in found.dropped}


@pytest.mark.parametrize(
    "mark",
    [
        "<a epub:type='noteref' href='n.xhtml#1'>1</a>",
        "<sup><a href='#fn1'>[12]</a></sup>",
        "<a href='#fn1'><sup>*</sup></a>",
        "<a role='doc-noteref' href='#n'>†</a>",
        "<a href='notes.html#3'>注3</a>",
        "<a href='#back'>↩︎</a>",
        "<a href='#a'>[a]</a>",
    ],
)
def test_a_mark_of_a_note_is_left_out_and_counted(mark: str) -> None:
    assert seen(f"<p>The salt{mark} stair.</p>") == ("The salt stair.", {"note_reference": 1})


@pytest.mark.parametrize(
    "mark",
    [
        "<span class='pagenum'>[Pg 12]</span>",
        "<span epub:type='pagebreak' title='12'>12</span>",
        "<a id='p12' role='doc-pagebreak'>p. 12</a>",
    ],
)
def test_a_number_of_a_page_is_left_out_and_counted(mark: str) -> None:
    assert seen(f"<p>The salt{mark} stair.</p>") == ("The salt stair.", {"page_number": 1})


@pytest.mark.parametrize(
    "link",
    [
        "<a href='#map'>map</a>",
        "<a href='https://example.org/#1'>1</a>",
        "<a href='page.html'>1</a>",
        "<a href='#y'>1984</a>",
        "<span class='pagenum'>All that was never closed and goes on",
        "<a epub:type='noteref'>the stranger's note of last night</a>",
    ],
)
def test_a_link_that_is_text_stays_text(link: str) -> None:
    text, dropped = seen(f"<p>The {link} stair.</p>")
    assert dropped == {}
    assert text.endswith("stair.")
    assert len(text) > len("The  stair.")


@pytest.mark.parametrize(
    "box",
    [
        "aside epub:type='footnote'",
        "li role='doc-endnote'",
        "div class='x footnotes'",
        "section epub:type='endnotes'",
    ],
)
def test_what_a_note_says_is_kept_and_is_no_story(box: str) -> None:
    note = f"<{box}><p>A stair of salt. <a href='#r1'>↑</a></p></{box.partition(' ')[0]}>"
    chapter = read(f"<p>The salt<a href='#n1'>1</a> stair.</p>{note}<p>It shone.</p>", Format.HTML)
    assert chapter.text == "The salt stair.\n\nA stair of salt.\n\nIt shone."
    assert sentences(chapter) == ["The salt stair.", "It shone."]
    assert paratext(chapter) == [("author_note", "A stair of salt.")]


def test_a_thousand_nested_links_cost_little() -> None:
    body = "<a href='#x'>" * 20_000 + "It rained."
    assert seen(body)[0] == "It rained."


def test_what_is_set_far_off_the_page_is_hidden() -> None:
    for style in ("position:absolute; left:-9999px", "text-indent: -10000px"):
        assert seen(f"<p style='{style}'>Stolen.</p><p>Seen.</p>") == ("Seen.", {"hidden": 1})
    assert seen("<p style='text-indent:-20px'>Seen.</p>") == ("Seen.", {})
