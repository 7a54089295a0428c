"""What an EPUB says of itself: its names, its files in reading order, and its navigation."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from streams.inputs.epub_archive import Archive, Unreadable
from streams.inputs.epub_navigation import Entry, read_nav, read_ncx
from streams.inputs.epub_xml import attribute, content, each, parsed

_CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"
_PACKAGE_TYPE: Final = "application/oebps-package+xml"
_NCX_TYPE: Final = "application/x-dtbncx+xml"
_FONT_MANGLING: Final = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_OTHER_ROLES: Final = frozenset({"trl", "ill", "edt", "nrt", "bkp", "cov", "bkd", "pbl"})


@dataclass(frozen=True, slots=True)
class File:
    """A file of the book. `path` is its member's name, `id` is what the package calls it."""

    id: str
    path: str
    media_type: str
    properties: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Spine:
    """A file in reading order; `linear` is false for what is off the path, such as answers."""

    file: File
    linear: bool


@dataclass(frozen=True, slots=True)
class Package:
    """A book as it describes itself. `roles` says what some paths are, such as a cover."""

    title: str
    author: str
    language: str
    spine: tuple[Spine, ...]
    navigation: tuple[Entry, ...]
    roles: Mapping[str, str]
    notes: tuple[str, ...]


def read_package(archive: Archive) -> Package:
    """Read the description of a book; a navigation that cannot be read is only noted.

    Raises:
        Unreadable: it is protected, or no EPUB, or does not say what its chapters are.
    """
    path = _package_path(archive)
    root = parsed(archive.text(path), path)
    folder = posixpath.dirname(path)
    files = {
        file.id: file
        for item in each(root, "item")
        if (file := _file(archive, folder, item)).id and attribute(item, "href")
    }
    spine = tuple(_spine(root, files))
    if not spine:
        raise Unreadable(f"{path} names no files to read")
    _refuse_protected(archive, {path, *(one.file.path for one in spine)})
    navigation, roles, notes = _navigation(archive, root, files)
    return Package(
        title=_named(root, "title"),
        author=_author(root),
        language=_named(root, "language"),
        spine=spine,
        navigation=navigation,
        roles=_guide(archive, folder, root) | roles,
        notes=notes,
    )


def _package_path(archive: Archive) -> str:
    if _CONTAINER in archive:
        container = parsed(archive.text(_CONTAINER), _CONTAINER)
        roots = [*each(container, "rootfile")]
        roots.sort(key=lambda root: attribute(root, "media-type") != _PACKAGE_TYPE)
        for root in roots:
            if attribute(root, "full-path"):
                return archive.located(attribute(root, "full-path"))
    packages = [name for name in archive.names() if name.casefold().endswith(".opf")]
    if not packages:
        raise Unreadable(f"it is no EPUB: neither {_CONTAINER} nor a package (.opf) is in it")
    return min(packages, key=lambda name: (name.count("/"), name))


def _file(archive: Archive, folder: str, item: Element) -> File:
    return File(
        id=attribute(item, "id"),
        path=archive.located(attribute(item, "href"), folder),
        media_type=attribute(item, "media-type").casefold(),
        properties=frozenset(attribute(item, "properties").split()),
    )


def _spine(root: Element, files: Mapping[str, File]) -> Iterator[Spine]:
    """Yield each file once; a reference to nothing becomes a file that is not there."""
    seen: set[str] = set()
    for reference in each(root, "itemref"):
        idref = attribute(reference, "idref")
        if idref and idref not in seen:
            seen.add(idref)
            file = files.get(idref) or File(idref, f"(the item {idref})", "")
            yield Spine(file, attribute(reference, "linear").casefold() != "no")


def _refuse_protected(archive: Archive, needed: set[str]) -> None:
    """Raise where a file that must be read is encrypted; mangled fonts trouble nobody."""
    if _ENCRYPTION not in archive:
        return
    remedy = "index a copy without copy protection (DRM)"
    try:
        root = parsed(archive.text(_ENCRYPTION), _ENCRYPTION)
    except Unreadable as error:
        raise Unreadable(f"it may be copy-protected: {error.trouble}", remedy) from error
    for data in each(root, "EncryptedData"):
        methods = {attribute(method, "Algorithm") for method in each(data, "EncryptionMethod")}
        paths = {
            archive.located(attribute(found, "URI")) for found in each(data, "CipherReference")
        }
        if methods.isdisjoint(_FONT_MANGLING) and (not paths or not paths.isdisjoint(needed)):
            raise Unreadable("it is copy-protected: its text is encrypted", remedy)


def _navigation(
    archive: Archive, root: Element, files: Mapping[str, File]
) -> tuple[tuple[Entry, ...], dict[str, str], tuple[str, ...]]:
    """Return the table of contents, the roles of files, and what was wrong with it."""
    notes: list[str] = []
    entries: list[Entry] = []
    roles: dict[str, str] = {}
    for file in _navigation_files(root, files):
        roles.setdefault(file.path, "toc")
        if entries:
            continue
        try:
            if file.media_type == _NCX_TYPE:
                entries = read_ncx(archive, file.path)
            else:
                entries, found = read_nav(archive, file.path)
                roles |= found
        except Unreadable as error:
            notes.append(f"its table of contents is left out: {error.trouble}")
    return tuple(entries), roles, tuple(notes)


def _navigation_files(root: Element, files: Mapping[str, File]) -> list[File]:
    """Return the navigation document of EPUB 3, then the NCX of EPUB 2."""
    named = [attribute(spine, "toc") for spine in each(root, "spine")]
    navs = [file for file in files.values() if "nav" in file.properties]
    ncxs = [file for id_, file in files.items() if id_ in named or file.media_type == _NCX_TYPE]
    return navs + ncxs


def _guide(archive: Archive, folder: str, root: Element) -> dict[str, str]:
    """Return the roles that EPUB 2 gives to files."""
    return {
        archive.located(attribute(found, "href").partition("#")[0], folder): kind
        for guide in each(root, "guide")
        for found in each(guide, "reference")
        if (kind := attribute(found, "type").casefold())
    }


def _named(root: Element, what: str) -> str:
    for metadata in each(root, "metadata"):
        for element in each(metadata, what):
            if content(element):
                return content(element)
    return ""


def _author(root: Element) -> str:
    """Return the creators, without those who only translated, drew or edited."""
    roles = {
        attribute(meta, "refines").removeprefix("#"): content(meta)
        for meta in each(root, "meta")
        if attribute(meta, "property") == "role"
    }
    names = [
        content(creator)
        for creator in each(root, "creator")
        if (attribute(creator, "role") or roles.get(attribute(creator, "id"), ""))
        not in _OTHER_ROLES
    ]
    return ", ".join(dict.fromkeys(name for name in names if name))
