"""HTML made safe to parse: shallow, with few attributes, without what nobody reads.

An HTML parser must follow rules that cost the square of the input on hostile pages (a megabyte
of nested tags takes minutes, unclosed formatting fills the memory). So the parser only ever
sees markup written here, in linear time: no nesting beyond a fixed depth, no formatting
elements (they are spans here), no attributes but those that tell what is read, no scripts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Final, NamedTuple

# Browsers stop nesting at 512; real pages stay below 60, and the parser's cost grows with it.
_MAX_DEPTH: Final = 200
# How far down an end tag looks for its start: enough for any mistake that a person makes.
_MAX_SKIPPED: Final = 16

_VALUE: Final = r"""(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?)?+"""
_TOKEN: Final = re.compile(
    rf"""<(?:
        (?P<comment>!--)(?:-?>|.*?(?:--!?>|\Z))
      | (?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)
        (?P<attributes>(?:[\s/]*+[^\s/>][^\s/>=]*+{_VALUE})*+)(?P<closed>[\s/]*+)>?
      | [!?/][^>]*+>?
    )""",
    re.VERBOSE | re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(rf"([^\s/>][^\s/>=]*+)({_VALUE})")
_MAX_ATTRIBUTES: Final = 64
_XHTML: Final = re.compile(
    r"\s*<\?xml|.{0,1000}xmlns\s*=\s*[\"']http://www\.w3\.org/1999/xhtml", re.DOTALL
)


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_KEPT_ATTRIBUTES: Final = _names(
    "class id style hidden aria-hidden start value src alt href role epub:type"
)
_BLOCKS: Final = _names(
    "address article aside blockquote details dialog div dl fieldset figcaption figure footer "
    "h1 header hgroup legend main nav ol pre section summary table ul"
)
# Elements whose end tag may be missing: the parser closes them itself, so they do not nest.
_SELF_ENDING: Final = _names("p li dt dd tr td th thead tbody tfoot caption")
_VOID: Final = _names("br hr img wbr")
_RUBY: Final = _names("ruby rb rt rtc rp")
_UNREAD: Final = _names(
    "html head body meta link base param source track area col colgroup frame frameset option "
    "optgroup"
)
_ALIASES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("h2", "h3", "h4", "h5", "h6"), "h1"),
    **dict.fromkeys(("xmp", "listing", "plaintext"), "pre"),
    **dict.fromkeys(("center", "form"), "div"),
    **dict.fromkeys(("dir", "menu"), "ul"),
    "image": "img",
}
# Dropped with what they hold. Where the end tag is missing, the first kind holds all the rest.
_RAW: Final[Mapping[str, str]] = {
    "script": "script", "style": "style", "title": "title", "textarea": "control",
    "iframe": "embedded", "noembed": "embedded", "noframes": "embedded",
}  # fmt: skip
_DROPPED: Final[Mapping[str, str]] = {
    "select": "control", "button": "control", "input": "control", "object": "embedded",
    "audio": "embedded", "video": "embedded", "canvas": "embedded", "embed": "embedded",
    "svg": "image", "noscript": "noscript", "template": "template",
}  # fmt: skip
_WITHOUT_CONTENT: Final = _names("input embed")


class Tag(NamedTuple):
    """A tag at `html[start:end]`; its name is in small letters, its attributes as they stand."""

    start: int
    end: int
    name: str
    attributes: str
    is_end: bool


def tags(html: str) -> Iterator[Tag]:
    """Yield the tags of any markup, however broken, in linear time; comments are passed over."""
    for token in _TOKEN.finditer(html):
        if token["name"]:
            name, is_end = token["name"].lower(), bool(token["end"])
            yield Tag(token.start(), token.end(), name, token["attributes"], is_end)


def attributes_of(text: str) -> dict[str, str]:
    """Return the attributes of a tag with their entities read; the first of a name counts."""
    found: dict[str, str] = {}
    for number, (name, value) in enumerate(_written_attributes(text)):
        if number >= _MAX_ATTRIBUTES:
            break
        found.setdefault(name, unescape(value))
    return found


def _written_attributes(text: str) -> Iterator[tuple[str, str]]:
    for match in _ATTRIBUTE.finditer(text):
        value = match.group(2).strip().removeprefix("=").strip()
        yield match.group(1).lower(), value[1:-1] if value[:1] in {'"', "'"} else value


@dataclass(frozen=True, slots=True)
class CleanMarkup:
    """HTML that is safe to parse, the style sheets that stood in it, and what was left out."""

    html: str
    style_sheets: str
    dropped: Counter[str]


def clean(html: str) -> CleanMarkup:
    """Rewrite `html`, however broken, in time that grows with its length and no faster."""
    writer = _Writer(is_xhtml=_XHTML.match(html) is not None)
    done = 0
    while (token := _TOKEN.search(html, done)) is not None:
        writer.text(html[done : token.start()])
        done = token.end()
        if token["comment"]:
            writer.dropped["comment"] += 1
        elif token["name"]:
            name = token["name"].lower()
            name = _ALIASES.get(name, name)
            if token["end"]:
                writer.end(name)
            elif name in _RAW or name in _DROPPED:
                done = writer.drop(name, html, done, is_closed="/" in token["closed"])
            else:
                writer.start(name, token["attributes"], is_closed="/" in token["closed"])
    writer.text(html[done:])
    return CleanMarkup("".join(writer.parts), "\n".join(writer.style_sheets), writer.dropped)


@dataclass(slots=True)
class _Writer:
    """The rewritten page so far; `open` are the names of the elements that nest, outer first."""

    is_xhtml: bool
    parts: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    style_sheets: list[str] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    without_end: set[str] = field(default_factory=set)

    def text(self, text: str) -> None:
        """Write what stands between tags."""
        if text:
            self.parts.append(text.replace("<", "&lt;"))

    def start(self, name: str, attributes: str, *, is_closed: bool) -> None:
        """Write a start tag."""
        if name in _UNREAD:
            return
        if name in _VOID or name in _SELF_ENDING:
            self.parts.append(f"<{name}{_kept(attributes)}>")
        else:
            nests = name in _BLOCKS or name in _RUBY
            if len(self.open) >= _MAX_DEPTH:
                if nests and self.parts[-1] != "<p>":
                    self.parts.append("<p>")  # too deep, but still apart from what is before it
                return
            shown = name if nests else "span"
            self.open.append(shown)
            self.parts.append(f"<{shown}{_kept(attributes)}>")
        if is_closed and self.is_xhtml and name not in _VOID:
            self.end(name)

    def end(self, name: str) -> None:
        """Write the end tags that end the innermost `name`, and what is open inside it."""
        if name in _SELF_ENDING:
            self.parts.append(f"</{name}>")
            return
        if name == "br":
            self.parts.append("<br>")
            return
        shown = name if name in _BLOCKS or name in _RUBY else "span"
        for depth, inner in enumerate(reversed(self.open[-_MAX_SKIPPED:]), start=1):
            if inner == shown:
                self.parts.extend(f"</{self.open.pop()}>" for _ in range(depth))
                return
            if shown == "span" or inner == "table":
                return

    def drop(self, name: str, html: str, start: int, *, is_closed: bool) -> int:
        """Leave out an element whose start tag ends at `start`; return where reading goes on."""
        self.dropped[_RAW.get(name) or _DROPPED[name]] += 1
        if is_closed or name in _WITHOUT_CONTENT:
            return start
        end = None
        if name not in self.without_end:
            end = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(html, start)
        if end is None:
            self.without_end.add(name)
            return len(html) if name in _RAW else start
        if name == "style":
            self.style_sheets.append(html[start : end.start()])
        return end.start()


def _kept(attributes: str) -> str:
    """Return the attributes that tell what is read, written anew; the first of a name counts."""
    kept: dict[str, str] = {}
    for number, (name, value) in enumerate(_written_attributes(attributes)):
        if number >= _MAX_ATTRIBUTES:
            break
        if name in _KEPT_ATTRIBUTES and name not in kept:
            kept[name] = value.replace('"', "&quot;").replace("<", "&lt;")
    return "".join(f' {name}="{value}"' for name, value in kept.items())
