"""The XML files of an EPUB: container, package document, NCX, encryption list.

Many books hold files that are nearly XML: HTML's named characters, a lone ampersand, an
encoding that the parser does not know. Those are read; entity bombs and outer entities never are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import name2codepoint
from typing import Final
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from streams.inputs.epub_archive import Unreadable

_DECLARATION: Final = re.compile(r"\A\s*<\?xml[^>]*\?>")
_AMPERSAND: Final = re.compile(
    r"&(?!#\d|#x[0-9a-f]|(?:amp|lt|gt|quot|apos);)(?:(\w{1,32});)?", re.IGNORECASE
)


def parsed(text: str, name: str) -> Element:
    """Return the root element of the member `name`.

    Raises:
        Unreadable: it is not XML, nor nearly.
    """
    # The text is decoded already: what it says of its bytes would only mislead the parser.
    text = _DECLARATION.sub("", text).lstrip().replace("\0", "")
    try:
        return _root(text)
    except ParseError:
        pass
    try:
        return _root(_AMPERSAND.sub(_character, text))
    except ParseError as error:
        raise Unreadable(f"{name} is not well-formed XML") from error


def _root(text: str) -> Element:
    try:
        root: Element = fromstring(text)
    except (DefusedXmlException, ValueError, LookupError) as error:
        raise Unreadable("it holds XML that is not safe to read") from error
    return root


def _character(match: re.Match[str]) -> str:
    code = name2codepoint.get(match[1] or "")
    return f"&#{code};" if code else f"&amp;{match[0][1:]}"


def kind(element: Element) -> str:
    """Return an element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def each(element: Element, wanted: str) -> Iterator[Element]:
    """Yield the elements called `wanted` under `element`, whatever their namespace."""
    return (found for found in element.iter() if kind(found) == wanted)


def attribute(element: Element, wanted: str) -> str:
    """Return an attribute, whatever its namespace; an empty text where there is none."""
    for name, value in element.attrib.items():
        if name.rpartition("}")[2] == wanted:
            return value.strip()
    return ""


def content(element: Element) -> str:
    """Return the text inside an element, on one line."""
    return " ".join("".join(element.itertext()).split())
