"""Books made for a test: a page is what stands in its body, unless it is bytes or a document."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

XHTML = '<?xml version="1.0" encoding="utf-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml">'
_CONTAINER = (
    '<?xml version="1.0"?><container version="1.0" '
    'xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile '
    'full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/>'
    "</rootfiles></container>"
)


def page(body: str, *, head: str = "", attributes: str = "") -> str:
    """Return a page of XHTML."""
    return (
        f"{XHTML}<head><title>The Rain</title>{head}</head><body{attributes}>{body}</body></html>"
    )


def nav(*entries: tuple[str, str] | tuple[str, str, int], landmarks: str = "") -> str:
    """Return a navigation document of entries (title, address, depth)."""
    lines = ["<ol>"]
    at = 0
    for title, href, *deep in entries:
        depth = deep[0] if deep else 0
        lines += ["<li><ol>"] * (depth - at) + ["</ol></li>"] * (at - depth)
        lines.append(f'<li><a href="{href}">{title}</a></li>')
        at = depth
    lines += ["</ol></li>"] * at + ["</ol>"]
    return page(f'<nav epub:type="toc">{"".join(lines)}</nav>{landmarks}')


def ncx(*entries: tuple[str, str]) -> str:
    """Return the table of contents of EPUB 2."""
    points = "".join(
        f"<navPoint><navLabel><text>{title}</text></navLabel><content src='{href}'/></navPoint>"
        for title, href in entries
    )
    return (
        '<?xml version="1.0"?><!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" '
        '"http://www.daisy.org/z3986/2005/ncx-2005-1.dtd">'
        f'<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>{points}</navMap></ncx>'
    )


@dataclass
class Epub:
    """A book; `spine` holds names of pages, those with a `-` before them with linear="no"."""

    pages: Mapping[str, str | bytes]
    spine: Sequence[str] = ()
    nav: str | bytes = ""
    ncx: str | bytes = ""
    metadata: str = "<dc:title>The Rain</dc:title><dc:creator>A. Nobody</dc:creator>"
    guide: str = ""
    members: Mapping[str, str | bytes] = field(default_factory=dict)
    method: int = zipfile.ZIP_DEFLATED

    def write(self, path: Path) -> Path:
        """Write the book to `path`."""
        with zipfile.ZipFile(path, "w", self.method) as archive:
            archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
            for name, content in self._members().items():
                archive.writestr(name, content)
        return path

    def _members(self) -> dict[str, str | bytes]:
        pages = {
            f"OEBPS/{name}": content
            if isinstance(content, bytes) or content.startswith(("<?xml", "<html", "<!"))
            else page(content)
            for name, content in self.pages.items()
        }
        extra = {"OEBPS/nav.xhtml": self.nav, "OEBPS/toc.ncx": self.ncx}
        given = {name: content for name, content in extra.items() if content}
        return {
            "META-INF/container.xml": _CONTAINER,
            "OEBPS/book.opf": self._package(),
            **pages,
            **given,
            **self.members,
        }

    def _package(self) -> str:
        spine = self.spine or [*self.pages]
        hrefs = dict.fromkeys([*self.pages, *(name.lstrip("-") for name in spine)])
        hrefs.pop("nav.xhtml", None)
        items = "".join(
            f'<item id="{_id(href)}" href="{href.replace(" ", "%20")}" media-type="{_type(href)}"/>'
            for href in hrefs
        )
        if self.nav:
            items += (
                '<item id="nav" properties="nav" href="nav.xhtml" '
                'media-type="application/xhtml+xml"/>'
            )
        if self.ncx:
            items += '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
        refs = "".join(
            f'<itemref idref="{_id(name.lstrip("-"))}"{NOT_LINEAR if name[0] == "-" else ""}/>'
            for name in spine
        )
        toc = ' toc="ncx"' if self.ncx else ""
        return (
            '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" '
            'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">'
            f"<metadata>{self.metadata}</metadata><manifest>{items}</manifest>"
            f"<spine{toc}>{refs}</spine><guide>{self.guide}</guide></package>"
        )


NOT_LINEAR = ' linear="no"'


def _id(href: str) -> str:
    return href.rpartition(".")[0].replace(" ", "-") or "none"


def _type(href: str) -> str:
    return "image/svg+xml" if href.endswith(".svg") else "application/xhtml+xml"
