"""Where sentences end inside a paragraph, in scripts with and without spaces.

What closes a quotation or a bracket after an end mark stays with the sentence. Sentences end
inside quotations too: long speeches hold turns of the story, and scenes are cut between
sentences only. What follows a quotation and depends on it stays with it: a dialogue tag with a
small first letter ("Where?" he asked.) or with a name ("Where?" Holmes asked.), a Chinese one
(“你来了。”守门人说。), a Japanese と.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from contracts.words import CJK
from processors.full_stops import REACH, FullStops
from processors.lines import INVISIBLE

_WIDE_MARKS: Final = frozenset("。！？｡")
_MARKS: Final = "?!‽⁇⁈⁉⸮؟۔।॥։።᙮。！？｡.…"
# Begins with a set of characters, which lets the search pass over all others at once.
_CANDIDATE: Final = re.compile(
    rf"""
    (?P<marks> [{_MARKS}] (?: (?<=\.)(?:[ \u00a0]\.){{2,}} | [{_MARKS}]* ) )
    (?P<close> (?:
        ["'”’»›)\]}}」』）】》〉〕］｣*_~～♪{INVISIBLE}]
        | [“‘«‹](?![\w"'“„])               # German closes with what English opens with
        | [\u00a0\u2009\u200a\u202f](?:[”’]|["'»›](?!\w))
        | [ ][»›](?!\w)                     # French sets its marks off
        | </p>
    )* )
    (?= (?P<space>\s*)
        (?P<open> (?: [“"'‘„‚«‹»›(\[{{<*_#「『【《〈〔（［｢¿¡•·♪~～{INVISIBLE}] | [—–―-]+\s? )* )
        (?P<next> .? ) )
    """,
    re.VERBOSE | re.DOTALL,
)
_IS_CJK: Final = re.compile(rf"[{CJK}]")
_QUOTES: Final = frozenset("\"'”’»›)」』）】》｣“‘«‹]*_")
# A mark that begins speech, so that a sentence may end before it even without a space between.
_OPENS_SPEECH: Final = frozenset("“„«「『‘")
_CONTINUES: Final = frozenset(",;:.!?)]}…/\\&%，、；：）」』”’。！？")

# "Where?" Holmes asked: a tag of English that begins with a name, or with "I".
_SAID_BY: Final = re.compile(
    r"(?:I|(?:(?:Mr|Mrs|Dr|St)\.\s|(?!(?:He|She|It|They|We|You|The|This|That|Nobody|Everybody)\b))"
    r"[A-Z][\w'’-]+(?:\s(?:[A-Z][\w'’-]*|de|von|of))*)\s"
    r"(?:asked|said|cried|exclaimed|replied|answered|demanded|shouted|whispered|inquired|enquired|"
    r"murmured|muttered|screamed|remarked|ejaculated|interrupted)\b"
    r"(?!\s(?:nothing|no|so|that|this|it|yes|good)\b)"
)
_SAID: Final = re.compile(
    r"[^\s，。！？：；“”「」『』\"]{0,12}?(?<![听聽闻聞见見传傳据據分虽雖知])[说說道问問答叫喊骂罵叹嘆吼喝嚷]"
    r"(?:[着著了道]|一[声聲])?[。，！,]"
)
_QUOTED: Final = re.compile(
    r"(?:と|って|という|とか|なんて)(?!ころ|き|にかく|ても|うとう|りあえず|もかく)"
)
_STRAIGHT_BEFORE: Final = frozenset("：:，,、（(")


def sentence_ends(text: str, start: int, end: int, stops: FullStops) -> Iterator[int]:
    """Yield the offsets after which a new sentence begins in the paragraph `[start, end)`."""
    closing: frozenset[int] | None = None
    for match in _CANDIDATE.finditer(text, start, end):
        marks, close, space, opening, following = match.groups()
        if not following or following in _CONTINUES:
            continue
        if marks == "." and space and following.isupper() and not (close or opening):
            if _stops(text, start, match, stops):  # nine in ten, so they are asked about first
                yield match.end()
            continue
        if not _is_wide(text, match):
            if _ends_spaced(text, start, match, stops):
                yield match.end()
            continue
        if closing is None:
            closing = _closing_quotes(text, start, end)
        cut = _wide_cut(text, match, closing)
        if cut is not None:
            yield cut


def _is_wide(text: str, match: re.Match[str]) -> bool:
    """Say whether the mark stands in a script without spaces."""
    marks, _, space, _, following = match.groups()
    if marks[-1] in _WIDE_MARKS:
        return True
    if space or not _IS_CJK.match(following):
        return False
    return marks != "." or bool(_IS_CJK.match(text[match.start() - 1 : match.start()]))


def _ends_spaced(text: str, start: int, match: re.Match[str], stops: FullStops) -> bool:
    marks, close, space, opening, following = match.groups()
    if not space:
        return opening[:1] in _OPENS_SPEECH and (marks != "." or opening[0] not in "‘«")
    after = match.end("open")
    trails_off = marks[-2:] in {"..", " ."} or marks[-1] == "…"
    if following.islower():
        depends = bool(opening) or trails_off or any(mark in _QUOTES for mark in close)
        if depends and not opening.strip("—–―- "):
            return False
    elif trails_off and not close and stops.is_always_capital(text[after : after + 2]):
        return False  # "I ... I do not know"
    if marks != ".":
        quoted = not opening and any(mark in _QUOTES for mark in close)
        return not (quoted and _SAID_BY.match(text, after))
    return _stops(text, start, match, stops)


def _stops(text: str, start: int, match: re.Match[str], stops: FullStops) -> bool:
    """Say whether the full stop that was matched ends a sentence, by the words beside it."""
    stop, after = match.start(), match.end("open")
    return stops.ends(text[max(start, stop - REACH) : stop], text[after : after + REACH])


def _wide_cut(text: str, match: re.Match[str], closing: frozenset[int]) -> int | None:
    """Return where the sentence ends that a wide mark may end, if it does."""
    close, cut = match["close"], match.end()
    straight = close.find('"')
    while straight >= 0:
        if match.start("close") + straight not in closing:
            cut = match.start("close") + straight
            close = close[:straight]
            break
        straight = close.find('"', straight + 1)
    if not close:
        trails_off = not match["marks"].strip("….")
        return None if trails_off and not match["space"] and not match["open"] else cut
    if any(mark in _QUOTES for mark in close) and not match["space"]:
        return None if _SAID.match(text, cut) or _QUOTED.match(text, cut) else cut
    return cut


def _closing_quotes(text: str, start: int, end: int) -> frozenset[int]:
    """Return which straight double quotes of a paragraph close: every other one.

    One after a colon or a comma opens, whatever was before it.
    """
    closing: list[int] = []
    is_open = False
    at = text.find('"', start, end)
    while at >= 0:
        if is_open and text[at - 1] not in _STRAIGHT_BEFORE:
            closing.append(at)
            is_open = False
        else:
            is_open = True
        at = text.find('"', at + 1, end)
    return frozenset(closing)
