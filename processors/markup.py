"""The text of a chapter that was published as Markdown or HTML."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from markdown_it import MarkdownIt

from contracts.errors import PermanentError
from contracts.events import Format, is_blank
from contracts.scenes import Dropped
from processors.extraction import Extraction, Hint
from processors.hiding import hidden_names
from processors.markup_cleaning import clean
from processors.page_reading import SCENE_BREAK, Block, read_page

_FRONT_MATTER: Final = re.compile(
    r"---[ \t]*+\n(?:[\w-]++:.*+\n|[ \t].*+\n|-[ \t].*+\n)++---[ \t]*+\n", re.ASCII
)
_BLANK_LINE: Final = re.compile(r"(\n[ \t]*\n)")
# Some rules of Markdown cost the square of these marks in one block. No prose has so many.
_MARKS: Final = "[]*_~`|!<"
_MAX_MARKS: Final = 1_000
_ESCAPED: Final = re.compile(rf"([{re.escape(_MARKS)}])")


def extract(body: str, format_: Format) -> Extraction:
    """Return what a reader sees of `body`, and what of it was left out.

    The text is NFC; paragraphs have a blank line between them, lines within one a line end;
    rules and ornaments are paragraphs `* * *`.

    Raises:
        PermanentError: there is nothing to read.
    """
    dropped: Counter[str] = Counter()
    html = body.removeprefix("\ufeff")
    if format_ is Format.MARKDOWN:
        html = _html(html, dropped)
    page = clean(html)
    dropped.update(page.dropped)
    blocks = read_page(page.html, hidden_names(page.style_sheets), dropped)
    extraction = _joined(blocks, dropped)
    if is_blank(extraction.text):
        raise PermanentError(_nothing_to_read(format_, extraction.dropped))
    return extraction


def _html(markdown: str, dropped: Counter[str]) -> str:
    front = _FRONT_MATTER.match(markdown)
    if front:
        dropped["front_matter"] += 1
        markdown = markdown[front.end() :]
    blocks = _BLANK_LINE.split(markdown)
    for number, block in enumerate(blocks):
        if len(block) > _MAX_MARKS and sum(map(block.count, _MARKS)) > _MAX_MARKS:
            blocks[number] = _ESCAPED.sub(r"\\\1", block)
    return str(_markdown().render("".join(blocks)))


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def _joined(blocks: Sequence[Block], dropped: Counter[str]) -> Extraction:
    texts: list[str] = []
    hints: list[Hint] = []
    at = 0
    last = ""
    for block in blocks:
        text = unicodedata.normalize("NFC", block.text)
        if text == last == SCENE_BREAK:
            continue
        if block.heading or block.note:
            hints.append(Hint(at, at + len(text), block.heading, block.note))
        texts.append(text)
        at += len(text) + 2
        last = text
    counts = tuple(Dropped(reason=reason, count=n) for reason, n in sorted(dropped.items()))
    return Extraction("\n\n".join(texts), tuple(hints), counts)


def _nothing_to_read(format_: Format, dropped: Sequence[Dropped]) -> str:
    counts = ", ".join(f"{item.count} {item.reason}" for item in dropped)
    seen = f" (left out: {counts})" if counts else ""
    return (
        f"the {format_} body holds no text that a reader could see{seen}: publish the chapter "
        "with its text, or take it back with chapter.withdrawn"
    )
