"""Shapes of paragraphs that speak to the readers and do not tell the story.

Each shape looks at one paragraph. Where a note may stand, and how far it goes, is decided in
`processors.paratext`.
"""

from __future__ import annotations

import re
from typing import Final

_LEAD: Final = r"[\W_]{0,6}"
_STOP: Final = r"(?:\s*[:：.)\]】）*_—–-]|\s*$)"
_MARKER: Final = re.compile(
    rf"""{_LEAD}(?:
        (?i:(?:the\s+)?(?:author|translator|editor)['’]?s?['’]?\s+
            (?:notes?|corner|comments?|thoughts|ramblings?)){_STOP}
      | (?i:notes?\s+from\s+(?:the\s+|your\s+)?(?:author|translator|editor)){_STOP}
      | (?i:end\s+notes?|chapter\s+(?:end\s+)?notes?|translation\s+notes?|tl\s*notes?){_STOP}
      | (?i:[ate]\s?/\s?n)\b
      | (?:AN|TLN|T\.N\.|A\.N\.|E\.N\.|N/A|N\.A\.|N/T)\s*[:：]
      | (?i:anmerkungen?\s+(?:des|der)\s+(?:autors|autorin|übersetzers)){_STOP}
      | (?i:note\s+de\s+l['’]aute?ur[es]*|nota\s+de(?:l|\s+la)\s+autora?|nota\s+dell['’]autor\w+
          | nota\s+d[oa]\s+autora?|примечани[ея]\s+автора|от\s+автора){_STOP}
      | 作者有[话話][要]?[说說講讲] | 作者的?[话話]\s*[:：] | (?:作者|[译譯]者?)[注註]\s*[:：]
      | あとがき | [前後]書き | 作者より | 訳者?注 | 작가의?\s?말 | 작가\s?후기
    )""",
    re.VERBOSE,
)
_BRACKETED: Final = re.compile(r"[*_\s]*([\[(（【{])")
_CLOSERS: Final = {"[": "]", "(": ")", "（": "）", "【": "】", "{": "}"}

_ASIDE: Final = re.compile(
    rf"""{_LEAD}(?:
        (?i:thank(?:s|\s+you)(?:\s+(?:so\s+much|all|everyone|again|very\s+much))*\s+for\s+
            (?:reading|all\s+(?:the|your)\s+(?:comments|reviews|support|votes)
             |(?:the|your)\s+(?:comments|reviews|votes)))
      | (?i:(?:please|don['’]t\s+forget\s+to|remember\s+to|be\s+sure\s+to)\s+
            (?:vote\b|review\b|rate\b|comment\b|follow\b|favou?rite\b|subscribe\b|like\s+and\b
             |leave\s+(?:a|your)\s+(?:review|comment|rating)))
      | (?i:vote\s+(?:for\s+(?:me|this\s+story)|on\s+top\s+web\s?fiction|and\s+comment)\b)
      | (?i:if\s+you\s+(?:enjoy(?:ed)?|like[d]?|are\s+enjoying)\s+(?:this|the|my)\s+
            (?:chapter|story|fic|book|novel)\s*[,.!:])
      | (?i:(?:support\s+me|read\s+ahead|advance[d]?\s+chapters|early\s+access).{{0,60}}\bpatreon)
      | (?i:(?:join|check\s+out)\s+(?:my|our|the)\s+(?:patreon|discord|ko-?fi)\b)
      | (?i:(?:https?://)?(?:www\.)?(?:patreon|discord|ko-fi)\.(?:com|gg)/)
      | (?i:bonus\s+chapter\s+for\b)
      | (?i:see\s+you\s+(?:all\s+)?(?:in|at)\s+the\s+next\s+chapter)
      | (?i:(?:the\s+)?next\s+(?:chapter|update|part)\s+
            (?:will\s+be|comes?|is\s+coming|drops|goes)\b)
      | (?:PS|Ps|ps|P\.S\.)\s*[:：]\s*[\u4e00-\u9fff]
      | 求(?:月票|推荐|推薦|收藏|订阅|訂閱|打赏|打賞|票|评论|評論)
      | 感[谢謝].{{0,30}}(?:打[赏賞]|月票|推[荐薦]票|[盟舵堂]主)
      | (?:ブックマーク|評価|感想).{{0,20}}(?:お願い|お待ち|いただ)
      | (?:お読み|読んで)(?:いただき|くださり|下さり)
    )""",
    re.VERBOSE,
)
_VOTES: Final = re.compile(r"求(?:月票|推[荐薦]票?|收藏|[订訂][阅閱]|打[赏賞])")
_ASIDE_LIMIT: Final = 400
_VOTES_LIMIT: Final = 80

_OVER: Final = re.compile(
    r"[\W_]*(?:(?i:to\s+be\s+continued|tbc|end\s+of\s+(?:the\s+)?(?:chapter|part)(?:\s+\w+)?)"
    r"|本章完|未完待[续續]|つづく|続く|(?:第.{1,8}章)?完)[\W_]*"
)
_WORK_TAKEN: Final = re.compile(
    r"(?i)\b(?:story|tale|narrative|novel|chapter|content|book|text|work)\b.{0,80}"
    r"\b(?:stolen|unlawfully|illicitly|pilfered|purloined|misappropriated|without\s+(?:the\s+)?"
    r"(?:author|permission|consent|authorization|approval))"
    r"|\b(?:stolen|unauthorized|unlawfully|illicitly|pilfered|purloined|misappropriated)\b.{0,80}"
    r"\b(?:story|tale|narrative|novel|chapter|content|book|text|work|use|usage|reproduction)\b"
)
_WHERE_TAKEN: Final = re.compile(
    r"(?i)\b(?:amazon|royal\s?road|original\s+(?:site|source|platform)|report\b.{0,40}"
    r"\b(?:sight|violation|occurrence|it|this|any|instance|infringement)|author['’]s\s+consent)"
)
_PROTEST_LIMIT: Final = 300

_SPEECH: Final = frozenset("\"“„«»「『‘'—–")


def opens_note(paragraph: str) -> bool:
    """Say whether the paragraph begins by naming itself a note of the author or translator."""
    return bool(_MARKER.match(paragraph))


def is_bare_marker(paragraph: str) -> bool:
    """Say whether the paragraph is such a name and nothing more, so that the note follows."""
    match = _MARKER.match(paragraph)
    return match is not None and not re.search(r"\w", paragraph[match.end() :])


def note_bracket(paragraph: str) -> str | None:
    """Return what closes the note that the paragraph opens in a bracket; None if it opens none."""
    match = _BRACKETED.match(paragraph)
    return _CLOSERS[match.group(1)] if match and opens_note(paragraph) else None


def is_aside(paragraph: str) -> bool:
    """Say whether the paragraph thanks, asks for votes or points to the next chapter."""
    if len(paragraph) > _ASIDE_LIMIT or opens_with_speech(paragraph):
        return False
    asks = len(paragraph) <= _VOTES_LIMIT and _VOTES.search(paragraph)
    return bool(asks or _ASIDE.match(paragraph))


def is_closing_line(paragraph: str) -> bool:
    """Say whether the paragraph only says that the chapter ends here."""
    return bool(_OVER.fullmatch(paragraph))


def is_theft_protest(paragraph: str) -> bool:
    """Say whether the paragraph is what sites hide in chapters against those who copy them."""
    if len(paragraph) > _PROTEST_LIMIT or opens_with_speech(paragraph):
        return False
    return bool(_WORK_TAKEN.search(paragraph) and _WHERE_TAKEN.search(paragraph))


def opens_with_speech(paragraph: str) -> bool:
    """Say whether somebody in the story speaks the paragraph's first words."""
    return paragraph[0] in _SPEECH
