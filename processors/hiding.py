"""Which parts of a page a reader does not see."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

_BRACES: Final = re.compile(r"([{}])")
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_SPACE: Final = re.compile(r"\s+|!important")
_UNSEEN: Final = re.compile(
    r"(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|opacity:0?\.?0*%?"
    r"|font-size:0(?:\.0+)?(?:px|em|rem|pt|ex|vw|vh|%)?"
    r"|(?:left|top|text-indent|margin-left):-\d{4,}(?:px)?)(?=;|$)"
)
_SIMPLE: Final = re.compile(r"[\w-]*([.#])([\w-]+)")


@dataclass(frozen=True, slots=True)
class HiddenNames:
    """Classes and ids that the page's own style sheets hide."""

    classes: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()


def hidden_names(style_sheet: str) -> HiddenNames:
    """Return what `style_sheet` hides by a class or an id alone.

    Longer selectors are left out, since they hide only somewhere; so are rules for print and
    for other media than screens.
    """
    found: dict[str, set[str]] = {".": set(), "#": set()}
    for selectors, declarations in _rules(_COMMENT.sub("", style_sheet)):
        if not _hides(declarations):
            continue
        for selector in selectors.split(","):
            match = _SIMPLE.fullmatch(selector.strip())
            if match:
                found[match.group(1)].add(match.group(2))
    return HiddenNames(frozenset(found["."]), frozenset(found["#"]))


def is_hidden(attributes: Mapping[str, str | None], names: HiddenNames) -> bool:
    """Say whether an element with these attributes is hidden with all that it holds."""
    if "hidden" in attributes and attributes["hidden"] != "until-found":
        return True
    if (attributes.get("aria-hidden") or "").strip().lower() == "true":
        return True
    if _hides(attributes.get("style") or ""):
        return True
    if names.ids and (attributes.get("id") or "") in names.ids:
        return True
    return bool(names.classes) and not names.classes.isdisjoint(
        (attributes.get("class") or "").split()
    )


def _hides(declarations: str) -> bool:
    return bool(declarations) and bool(_UNSEEN.search(_SPACE.sub("", declarations.lower())))


def _rules(style_sheet: str) -> Iterator[tuple[str, str]]:
    """Yield (selectors, declarations) of the rules that hold on a screen."""
    open_blocks: list[str] = []
    text = ""
    for part in _BRACES.split(style_sheet):
        if part == "{":
            open_blocks.append(text.rpartition(";")[2].strip())
            text = ""
        elif part == "}":
            if open_blocks:
                selectors = open_blocks.pop()
                if not selectors.startswith("@") and all(map(_is_for_screens, open_blocks)):
                    yield selectors, text
            text = ""
        else:
            text = part


def _is_for_screens(at_rule: str) -> bool:
    media = at_rule.lower()
    return media.startswith("@layer") or media in {"@media all", "@media screen"}
