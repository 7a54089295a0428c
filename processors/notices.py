"""Chapters that may be no chapters: short bodies that read like a notice or a paywall's stub.

They are indexed as published; the warning is for the operator.
"""

from __future__ import annotations

import re
from typing import Final

from contracts.scenes import Warned
from contracts.words import count_words

# A notice is short; a stub shows a few paragraphs before it stops.
_NOTICE_WORDS: Final = 300
_STUB_WORDS: Final = 600
# No text of so few words has more code points.
_LONGEST: Final = 8_000
_TAIL: Final = 400

_NOTICE_TITLE: Final = re.compile(
    r"(?i)not\s+a\s+(?:real\s+)?chapter|\bhiatus\b|\bannouncement|\bnotice\b|\b(?:author|a)['’/]?s?"
    r"['’]?\s*n(?:ote)?s?\b|\bschedule\b|\bbreak\s+week|请假|請假|公告|通知|停更|断更|上架感言|完本感言|"
    r"お知らせ|休載|공지|ankündigung|avis\s+aux\s+lecteurs|aviso"
)
_NOTICE_BODY: Final = re.compile(
    r"(?i)\bno\s+(?:new\s+)?(?:chapters?|updates?)\s+(?:this|today|tomorrow|tonight|next|until|for)\b|"
    r"\b(?:on|a|short|brief|indefinite)\s+hiatus\b|\btaking\s+a\s+(?:short\s+|little\s+)?break\s+from\s+"
    r"(?:writing|posting|this\s+(?:story|fic))|\b(?:next|new)\s+chapter\s+(?:will\s+be|is)\s+"
    r"(?:delayed|late|postponed|out|up|posted|released)|\bupdate\s+schedule\b|"
    r"\bthis\s+(?:chapter|page|post)\s+(?:is|was|has\s+been)\s+"
    r"(?:a\s+placeholder|not\s+a\s+chapter|removed|deleted)|"
    r"(?:今天|今日|明天|本周|这周).{0,8}(?:请假|請假|不更|没有更|無更|停更|休息一)|请假(?:一天|两天|条|條)|"
    r"(?:停更|断更|斷更)(?:一|两|几|\d|通知)|本日.{0,6}(?:休載|更新はお休み)|更新を?お休み"
)
_PAYWALL: Final = re.compile(
    r"(?i)\b(?:subscribe|sign\s*up|sign\s*in|log\s*in|register|purchase|pay|upgrade|join)\b.{0,40}"
    r"\b(?:to|and)\s+(?:read|continue|unlock|access|see|view|keep\s+reading)\b|"
    r"\bunlock\s+(?:this|the\s+(?:full|rest|next))\b|\bthis\s+(?:chapter|content|episode|part)\s+is\s+"
    r"(?:locked|only\s+(?:available|for)|premium|for\s+(?:members|subscribers|patrons))|"
    r"\b(?:read|continue\s+reading)\s+(?:more|the\s+(?:rest|full\s+chapter))\s+(?:on|at|with)\b|"
    r"\b(?:become\s+a|available\s+(?:only\s+)?to)\s+(?:patrons?|members?|subscribers?)\b|"
    r"(?:订阅|訂閱|购买|購買|充值|登录|登錄|解锁|解鎖).{0,10}(?:阅读|閱讀|全文|本章|后续|後續|章节|章節)|"
    r"(?:本章|以下|余下|剩余).{0,10}(?:付费|付費|收费|收費|VIP|需要?[订訂][阅閱])|"
    r"(?:続き|全文)(?:を|は).{0,12}(?:会員|有料|購入|ログイン|登録)|会員限定"
)


def notice_warnings(title: str, text: str) -> tuple[Warned, ...]:
    """Return the warnings that a chapter with this title and text deserves."""
    if len(text) > _LONGEST:
        return ()
    words = count_words(text)
    warnings: list[Warned] = []
    if words <= _NOTICE_WORDS and (_NOTICE_TITLE.search(title) or _NOTICE_BODY.search(text)):
        warnings.append(Warned.LOOKS_LIKE_NOTICE)
    if words <= _STUB_WORDS and _PAYWALL.search(text[-_TAIL:]):
        warnings.append(Warned.LOOKS_LIKE_PAYWALL)
    return tuple(warnings)
