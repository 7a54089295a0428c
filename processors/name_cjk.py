"""Names of persons in Chinese and Japanese, which mark them by no capital.

Chinese: who stands before a verb of saying at the start of a clause, again and again, or bears
a family name there. Japanese: who is given an honorific. Both then count wherever they stand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from contracts.scenes import ChapterText
from processors.background import word_probabilities
from processors.name_capitals import NamedSpot
from processors.name_tables import word_table

_HAN: Final = "\u4e00-\u9fff"
_SAYS: Final = "道|曰|说|說|问|問|喊|叫|答|笑"
_CLAUSE: Final = re.compile(
    rf"(?<![{_HAN}])([{_HAN}]{{2,9}}?)(?:{_SAYS})[：:，]?\s*[“\"「『‘']"
    rf"|(?<=[”\"」』])([{_HAN}]{{2,9}}?)(?:{_SAYS})[。，：]"
)
"""A clause that leads into speech or follows it: the speaker stands first in it."""

_SPEAKER_LENGTHS: Final = (2, 3, 4)
_NO_NAME_CHARACTERS: Final = frozenset(
    "我你您他她它们這这那哪此其之的了着過过又也就都只不没沒有在把被向對对与與和同及并並却卻便即"
    "才再还還更最很太甚怎什么麼谁誰何一二三两兩几幾众眾个個位些每各某说說道曰问問答叫喊笑哭怒喝骂罵"
    "见見听聽看想知是非正忽且因若如似使教让讓令请請慌忙急连連心口手头頭眼低高大声聲上下前后後里裡内"
    "出入来來去起回到从從往于於以为為所得地将將既已曾未时時日夜"
)
_NAME_FIRST: Final = frozenset("三大二一太上高")
"""Characters of the list above with which a name may begin after all: 三藏, 大圣, 太宗."""

_NOBODY: Final = word_table(
    """老者 老儿 老叟 老人 妇人 婆婆 女子 小妖 怪物 妖魔 妖怪 老妖 和尚 徒弟 师父 先生 夫人
    小姐 少年 男子 汉子 青年 老板 店家 小二 掌柜 丫鬟 公子 姑娘 书生 大汉 士兵 一齐 启奏
    合掌 呵呵 哈哈 二神 暗自"""
)
"""Who anyone may be, and words of manner that stand before a verb of saying."""

_SURNAMES: Final = frozenset(
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范"
    "彭郎鲁韦昌马苗凤花方俞任袁柳酆鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾"
    "孟平黄和穆萧尹姚邵湛汪祁毛禹狄米贝明臧计伏成戴谈宋茅庞熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危"
    "江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯管卢莫经房裘缪干解应宗丁宣邓郁单杭洪包诸左石崔"
    "吉龚程嵇邢滑裴陆荣翁荀羊惠甄曲家封靳段富乌焦巴牧隗山谷车侯宓蓬全班仰秋仲伊宫宁仇栾暴甘厉戎祖武"
    "符刘景詹束龙叶幸司韶黎薄印宿白怀蒲邰从鄂索咸籍赖卓蔺屠蒙池乔胥能苍双闻莘党翟谭贡劳逄姬申扶堵冉"
    "宰郦雍却璩桑桂濮牛寿通边扈燕冀浦尚农温别庄晏柴瞿阎充慕连茹习宦艾鱼容向古易慎戈廖庾终暨居衡步都"
    "耿满弘匡国文寇广禄阙东欧殳沃利蔚越夔隆师巩厍聂晁勾敖融冷訾辛阚那简饶空曾沙养鞠须丰巢关蒯相查"
    "趙錢孫吳鄭馮陳衛蔣韓楊許呂張嚴華謝鄒蘇範彭魯韋馬鳳費賀湯羅畢樂傅齊顧黃蕭貝計談龐紀項"
)
_OFTEN: Final = 2
_EXTENDS: Final = 0.6
"""A longer candidate replaces the shorter one it begins with when it has this share of it."""

_HONORIFIC: Final = "さん|さま|君|先生|氏|様|ちゃん|殿|嬢|夫人"
_HONOURED: Final = re.compile(
    rf"(?:(?<![{_HAN}])([{_HAN}]{{2,4}})|([ァ-ヺ][ァ-ヺー・]{{1,19}}))(?:{_HONORIFIC})(?![{_HAN}])"
)
_NO_JAPANESE_NAMES: Final = word_table(
    "旦那 主人 学校 博士 令嬢 叔父 伯父 叔母 伯母 祖父 祖母 奥様 皆様 教師 校長 丁稚 車屋 客人"
)
_HONOURED_SHARE: Final = 0.2
"""A common word is a name where so many of its uses bear an honorific."""


def named_in_chinese(chapter: ChapterText) -> tuple[NamedSpot, ...]:
    """Return the names of persons in a Chinese chapter, in order."""
    leads = Counter(
        head[:length]
        for leading, following in _CLAUSE.findall(chapter.text)
        for head in (leading or following,)
        for length in _SPEAKER_LENGTHS
        if len(head) >= length
    )
    speakers = {
        name: count for name, count in leads.items() if _may_name(name) and _speaks(name, count)
    }
    names = [name for name, count in speakers.items() if not _is_cut(name, count, speakers)]
    return _standing(chapter, [name for name in names if chapter.text.count(name) > 1])


def named_in_japanese(chapter: ChapterText) -> tuple[NamedSpot, ...]:
    """Return the names of persons in a Japanese chapter, in order."""
    honoured = Counter(han or kana for han, kana in _HONOURED.findall(chapter.text))
    names = [name for name, count in honoured.items() if _honours(name, count, chapter.text)]
    return _standing(chapter, names)


def _honours(name: str, count: int, text: str) -> bool:
    """Say whether what stands before an honorific is a name: not 御客さん, not 今日先生."""
    uses = text.count(name)
    if uses < _OFTEN or name[0] in "御お諸" or name[-1] == "君" or name in _NO_JAPANESE_NAMES:
        return False
    return name not in word_probabilities("ja") or count >= _HONOURED_SHARE * uses


def _may_name(name: str) -> bool:
    first, rest = name[0], name[1:]
    if name[:2] in _NOBODY:
        return False
    if first in _NO_NAME_CHARACTERS and first not in _NAME_FIRST:
        return False
    return not any(character in _NO_NAME_CHARACTERS for character in rest)


def _speaks(name: str, count: int) -> bool:
    return count >= _OFTEN or (name[0] in _SURNAMES and len(name) > 2)


def _is_cut(name: str, count: int, speakers: Mapping[str, int]) -> bool:
    """Say whether `name` is the beginning of a name (孙行 of 孙行者), or more than a name."""
    if any(
        len(other) == len(name) + 1 and other.startswith(name) and often >= _EXTENDS * count
        for other, often in speakers.items()
    ):
        return True
    shorter = max(speakers.get(name[:length], 0) for length in range(1, len(name)))
    return count < _EXTENDS * shorter


def _standing(chapter: ChapterText, names: Iterable[str]) -> tuple[NamedSpot, ...]:
    """Return where `names` stand in the story text, the longest where several begin."""
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    if not longest_first:
        return ()
    pattern = re.compile("|".join(map(re.escape, longest_first)))
    return tuple(
        NamedSpot(match.start(), match.end(), match.group())
        for span in chapter.sentences
        for match in pattern.finditer(chapter.text, span.start, span.end)
    )
