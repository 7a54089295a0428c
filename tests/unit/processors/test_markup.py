from contextlib import suppress
from time import process_time

import pytest

from contracts.errors import PermanentError
from contracts.events import Format
from contracts.scenes import Dropped
from processors.hiding import hidden_names, is_hidden
from processors.markup import extract
from replay.evaluation.shared_data import shared_data
from tests.unit.processors.chapters import paratext, read, sentences

HTML, MARKDOWN = Format.HTML, Format.MARKDOWN


def text(body: str, format_: Format = HTML) -> str:
    return extract(body, format_).text


def dropped(body: str, format_: Format = HTML) -> dict[str, int]:
    return {item.reason: item.count for item in extract(body, format_).dropped}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ("<p>One<p>Two", "One\n\nTwo"),
        ("<div>One<div>Two</div>Three</div>", "One\n\nTwo\n\nThree"),
        ("One<br>two<br/>three", "One\ntwo\nthree"),
        ("One<br><br>Two<br>\n<br> Three", "One\n\nTwo\n\nThree"),
        ("<p>One<br></p><p><br></p><p>&nbsp;</p><p>Two</p>", "One\n\nTwo"),
        ("<p>un<i>afraid</i> <b>and</b>\n  calm</p>", "unafraid and calm"),
        ("<p>One</p><hr/><p>Two</p>", "One\n\n* * *\n\nTwo"),
        ("<p>One</p><p>◇◆◇</p><hr><p>Two</p>", "One\n\n* * *\n\nTwo"),
        ('<p>One</p><p><img src="divider.png" alt=""></p><p>Two</p>', "One\n\n* * *\n\nTwo"),
        ("<pre>One\nline.\n\nTwo.</pre>", "One\nline.\n\nTwo."),
        ("<p style='white-space: pre-wrap'>One\ntwo</p>", "One\ntwo"),
        ("Plain text.\n\nSent as <b>HTML</b>.", "Plain text.\n\nSent as HTML."),
        ("<ol start=3><li>salt<li>stair</ol>", "3. salt\n\n4. stair"),
        ("<table><tr><td>Level<td>9</tr><tr><td>Keys</td></tr></table>", "Level 9\n\nKeys"),
        ("<p>&ldquo;A &amp;amp; b&#33;&rdquo; 1 < 2</p>", "“A &amp; b!” 1 < 2"),
        ("<p>Cafe\u0301</p>", "Caf\u00e9"),
        ("\ufeff<p>One</p>", "One"),
        ("<p>a</p></div></span></b><p>b</p>", "a\n\nb"),
        ("<p>one<!-- two --> three</p><!doctype x><?y?><p>four", "one three\n\nfour"),
        ("<b><p>one</b> two</p>", "one two"),
        ('<?xml version="1.0"?><title/><p>One<span/></p><div/><p>Two</p>', "One\n\nTwo"),
    ],
)
def test_what_a_reader_of_html_sees(body: str, expected: str) -> None:
    assert text(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("One\ntwo\n\nThree", "One two\n\nThree"),
        ("# Chapter 1\n\nOne *is* **here**.", "Chapter 1\n\nOne is here."),
        ("One\n\n---\n\nTwo\n\n***\n\nThree", "One\n\n* * *\n\nTwo\n\n* * *\n\nThree"),
        ("One  \ntwo", "One\ntwo"),
        ("1986. A year.", "1986. A year."),
        ("> quoted\n\nnot", "quoted\n\nnot"),
        ("One <span hidden>no</span>two [link](http://x)", "One two link"),
        ("---\ntitle: x\ntags:\n  - a\n---\nOne", "One"),
        ("    set in\n    as code", "set in\nas code"),
    ],
)
def test_what_a_reader_of_markdown_sees(body: str, expected: str) -> None:
    assert text(body, MARKDOWN) == expected


@pytest.mark.parametrize(
    ("gone", "reason"),
    [
        ("<script>if (a<b) x('</p>')</script>", "script"),
        ("<style>.a{}</style>", "style"),
        ("<!-- no -->", "comment"),
        ("<!-->", "comment"),
        ("<title>no</title>", "title"),
        ("<span style='display: none'>no</span>", "hidden"),
        ("<span style='color:red;VISIBILITY:hidden'>no</span>", "hidden"),
        ("<span style='font-size:0px'>no</span>", "hidden"),
        ("<span style='opacity:0'>no</span>", "hidden"),
        ("<i hidden>no</i>", "hidden"),
        ("<b aria-hidden=true>no</b>", "hidden"),
        ("<rt>no</rt>", "ruby"),
        ("<rp>(</rp>", "ruby_parenthesis"),
        ("<img src=x alt=no>", "image"),
        ("<svg><text>no</text></svg>", "image"),
        ("<button>no</button>", "control"),
        ("<select><option>no</select>", "control"),
        ("<noscript>no</noscript>", "noscript"),
        ("<iframe>no</iframe>", "embedded"),
        ("<template>no</template>", "template"),
    ],
)
def test_what_nobody_sees_is_left_out_and_counted(gone: str, reason: str) -> None:
    body = f"<p>Salt {gone}stair</p>"

    assert text(body) == "Salt stair"
    assert dropped(body) == {reason: 1}


def test_classes_that_the_page_s_own_style_hides() -> None:
    body = (
        "<style>/* .b{display:none} */ p.a, #c {speak:never; display:none !important}\n"
        "@media print {.d{display:none}} .e .f{display:none} @media screen{.g{display:none}}"
        "</style><p class='x a'>1<p class=b>2<p id=c>3<p class=d>4<p class=f>5<p class=g>6"
    )

    assert text(body) == "2\n\n4\n\n5"
    assert dropped(body) == {"hidden": 3, "style": 1}


def test_a_style_sheet_that_is_broken_hides_nothing() -> None:
    assert hidden_names("}}} .a{ {{").classes == frozenset()
    assert not is_hidden({"class": "a", "style": "display"}, hidden_names(".a{color:red}"))


def test_styles_that_only_look_like_hiding_do_not_hide() -> None:
    for style in ("font-size:0.9em", "opacity:0.5", "display:nonesuch", "opacity:.05"):
        assert text(f"<p style='{style}'>seen</p>") == "seen", style


@pytest.mark.parametrize(
    "body", ["<p><img src=x></p>", "<script>x</script>", "<p>&nbsp;\u200b</p>"]
)
def test_markup_without_text_is_refused_with_advice(body: str) -> None:
    with pytest.raises(PermanentError, match=r"no text that a reader could see.*publish"):
        extract(body, HTML)


@pytest.mark.corpus
def test_the_anti_theft_paragraph_is_dropped_and_notes_are_marked() -> None:
    path = shared_data("input_shapes", "fixtures", "royalroad_chapter.html")
    chapter = read(path.read_text(encoding="utf-8"), HTML)

    assert chapter.dropped == (Dropped(reason="hidden", count=1), Dropped(reason="style", count=1))
    assert [reason for reason, _ in paratext(chapter)] == ["heading", "author_note", "author_note"]
    assert sentences(chapter)[1:3] == ["Marrow — Level 9 Locksmith", "Keys held: 3"]


def test_a_box_of_notes_is_a_note_whatever_it_says() -> None:
    chapter = read(
        "<div class='author-note'><p>Ilse is fine.</p></div><p>She left.</p>"
        "<blockquote id=endnotes3><p>Next week: salt.</p></blockquote>",
        HTML,
    )

    assert paratext(chapter) == [
        ("author_note", "Ilse is fine."),
        ("author_note", "Next week: salt."),
    ]
    assert sentences(chapter) == ["She left."]


def test_a_heading_element_is_a_heading_at_the_head_and_story_later() -> None:
    chapter = read("<h2>The Well</h2><p>She left.</p><h3>Status</h3><p>Keys: 3.</p>", HTML)

    assert paratext(chapter) == [("heading", "The Well")]
    assert sentences(chapter) == ["She left.", "Status", "Keys: 3."]


HOSTILE = {
    "nested": (HTML, "<div>"),
    "misnested": (HTML, "<span><div>x</span></div>"),
    "unclosed formatting": (HTML, "<p><font color=%d>x</p>"),
    "attributes": (HTML, " a%d"),
    "lists": (HTML, "<ul><li>"),
    "options": (HTML, "<select><option>a"),
    "tables": (HTML, "<table>x"),
    "ruby": (HTML, "<rt>"),
    "comments": (HTML, "<!--"),
    "quotes": (HTML, "<p a='"),
    "brackets": (HTML, "<"),
    "styles": (HTML, "<style>a{"),
    "links": (MARKDOWN, "![a]("),
    "stars": (MARKDOWN, "*a **b "),
    "ticks": (MARKDOWN, "`a ``b "),
    "spaces": (MARKDOWN, "          "),
    "quoted": (MARKDOWN, ">"),
    "front matter": (MARKDOWN, "a:  b\n   \n"),
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_markup_costs_no_more_than_its_length(name: str) -> None:
    """Four times the length: the square would cost sixteen times as much; noise is allowed for."""
    format_, unit = HOSTILE[name]
    lead = "---\n" if name == "front matter" else "<div " if name == "attributes" else ""

    def cost(size: int) -> float:
        count = size // len(unit)
        units = (unit % n for n in range(count)) if "%d" in unit else (unit for _ in range(count))
        body = f"{lead}{''.join(units)} Ilse came."
        start = process_time()
        with suppress(PermanentError):  # the text may be swallowed, if only it is quick
            extract(body, format_)
        return process_time() - start

    assert cost(80_000) < 10 * cost(20_000) + 0.5


def test_a_megabyte_of_nesting_is_read_in_seconds() -> None:
    start = process_time()
    body = "<div>" * 100_000 + "Ilse came." + "</div>" * 100_000

    assert text(body) == "Ilse came."
    assert process_time() - start < 10
