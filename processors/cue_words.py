"""Words at which scenes open and close, by language. A language that is not here has none.

Written from general knowledge of the languages, not from any book that figures are reported on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from processors.background import primary

_NOTHING: Final = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Cues:
    """Patterns to search: `opening` at a block's beginning, `closing` at a block's end.

    `opening` finds what may be a new time, `dated` what hardly can be anything else; `closing`
    departure, sleep, death, silence; `leaning` matches at the very beginning where a block leans
    on what went before (a pronoun, a conjunction). `arriving` finds in a first sentence that
    somebody comes, goes or wakes; `places`, anywhere, where something is. `head` and `tail` say how
    many code points count as beginning and end: a first sentence, the last two or three.
    `joining` matches a word that hangs a clause on another. `persons` are the pronouns of each
    person, in lower case: whom the text speaks of without a name.
    """

    opening: re.Pattern[str] = _NOTHING
    dated: re.Pattern[str] = _NOTHING
    closing: re.Pattern[str] = _NOTHING
    leaning: re.Pattern[str] = _NOTHING
    joining: re.Pattern[str] = _NOTHING
    arriving: re.Pattern[str] = _NOTHING
    places: re.Pattern[str] = _NOTHING
    persons: Mapping[str, int] = field(default_factory=dict)
    head: int = 100
    tail: int = 300


def cues_of(language: str) -> Cues:
    """Return the cues of a language (a BCP 47 tag); patterns that never match if unknown."""
    return _CUES.get(primary(language), _NO_CUES)


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{''.join(pattern.split())})\b".replace("~", r"\s+"), re.IGNORECASE)


def _runs(words: str) -> re.Pattern[str]:
    return re.compile("|".join(words.split()))


def _persons(groups: str) -> Mapping[str, int]:
    """Number pronouns by the person they stand for; `|` stands between persons."""
    return MappingProxyType(
        {word: nth for nth, words in enumerate(groups.split("|")) for word in words.split()}
    )


_ENGLISH: Final = Cues(
    opening=_words(
        r"""(?:the|that|this|one|early|late|all|every|next|following|same)~(?:\w+~)?
        (?:day|morning|evening|night|afternoon|week|spring|summer|autumn|winter)
        |(?:hours?|days?|weeks?|months?|years?|minutes?)~(?:later|after|afterwards|passed|before|ago|went~by)
        |(?:after|for|in|within|about|during|until|till)~(?:an?|the|some|several|two|three|four|five|six|ten|many|half)~
        (?:\w+~)?(?:hours?|days?|weeks?|months?|years?|minutes?|while|time)
        |o['’]clock|midnight|daybreak|dawn|sunrise|sunset|dusk|noon|twilight|meanwhile|meantime
        |at~(?:last|length)|long~time|yesterday|afterwards?|breakfast|dinner|supper|lunch
        |(?:mon|tues|wednes|thurs|fri|satur|sun)day|when|once"""
    ),
    dated=_words(
        r"""(?:the|that|next|following|one|early~(?:in~the|next|that)?|late~(?:in~the|that)?|all|every|same|this)~
        (?:\w+~)?(?:day|morning|evening|night|afternoon|week|month|year|spring|summer|autumn|winter)s?
        |(?:hours?|days?|weeks?|months?|years?|minutes?|time|while)~(?:later|after|afterwards|passed|before|went~by|elapsed)
        |(?:after|for|in|within|about|during|until|till|half|a~quarter~of)~
        (?:an?|the|some|several|two|three|four|five|six|ten|many|few|half|twenty|nearly|about)~
        (?:\w+~)?(?:hours?|days?|weeks?|months?|years?|minutes?|while|time)
        |o['’]?~?clock|midnight|daybreak|dawn|sunrise|sunset|dusk|noon|twilight
        |(?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|to-?morrow
        |breakfast|dinner|supper|lunch|tea-time"""
    ),
    closing=_words(
        r"""left|gone|went~(?:away|out|off|home|to~bed)|departed|good-?(?:night|bye)|farewell
        |asleep|sleep|slept|bed|died|dead|death|fainted|unconscious|vanished|disappeared
        |(?:walked|drove|hurried|ran|rode|strode|sailed)~(?:away|off|out|home)
        |(?:closed|shut)~the~door|out~of~sight|no~more|never|at~last|silence|alone|ended"""
    ),
    leaning=_words(r"he|she|it|they|his|her|their|him|them|and|yes|no|nor|these|those"),
    joining=_words(
        r"""and|but|or|nor|so|for|yet|as|when|while|whilst|if|unless|that|which|who|whom|whose|because
        |though|although|till|until|since|than|where|whether|whereupon|after|before|then|at~this|what
        |how|why|with|without|of|to|by|upon|into|like|not|said|cried|replied|asked|answered"""
    ),
    arriving=_words(
        r"""c[ao]me|coming|entered|arrived?|arrival|reached|appeared|returned|approach(?:ed|ing)?|met|found|saw
        |opened|a?woke|awakened|knock(?:ed)?|rang|bell|visitor|began|started|set~(?:out|off)|went|turned|rose|led
        |followed|walked|drove|rode|ran|passed|hurried|crossed|climbed|descended|landed|got"""
    ),
    places=_words(
        r"""(?:in|at|into|to|on|upon|from|through|across|along|down|up|towards?|behind|near|outside|inside|beyond|over
        |under)~(?:the|an?|my|his|her|our|their|this|that)~(?:\w+~)?(?:house|room|door|street|road|garden|station
        |hall|stairs|window|shore|beach|river|woods?|forest|hill|village|town|city|church|kitchen|study|library|court
        |path|lane|moor|field|ship|boat|cabin|deck|camp|island|bridge|inn|shop|hotel|train|carriage|cab|gate|park
        |castle|palace|cottage|drawing-room|dining-room|bedroom|parlour|corridor|passage|office|laboratory|theatre
        |school|valley|country|place|water|sea|lake|cave|tower|yard|stable|square|corner|edge|top|side|end|table
        |fire)"""
    ),
    persons=_persons(
        """he him his himself | she her hers herself | i me my myself mine
        | we us our ours ourselves | they them their themselves | you your yours
        | it its"""
    ),
)

_GERMAN: Final = Cues(
    opening=_words(
        r"""(?:am|an|den|in|der|dem|eines|jeden|nächsten?|folgenden|anderen|selben)~(?:\w+~)?
        (?:tage?s?|morgens?|abends?|nachts?|nachmittags?|woche|frühjahr|frühling|sommer|herbst|winter|mittag)
        |(?:stunden?|tagen?|wochen?|monaten?|jahren?|minuten?)~(?:später|darauf|nachher|danach|vergingen)
        |(?:nach|seit|vor|binnen)~(?:ein(?:er|em|igen)|zwei|drei|vier|wenigen|mehreren|vielen)~\w+
        |uhr|mitternacht|mittag|dämmerung|sonnenaufgang|sonnenuntergang|inzwischen|unterdessen|endlich|gestern
        |(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|frühstück|abendessen|als|nachdem"""
    ),
    dated=_words(
        r"""(?:am|an|in|der|dem|eines|jeden|nächsten?|folgenden|anderen|andern|selben)~(?:\w+~)?
        (?:tage?s?|morgens?|abends?|nachts?|nachmittags?|woche|frühjahr|frühling|sommer|herbst|winter|mittag)
        |(?:stunden?|tagen?|wochen?|monaten?|jahren?|minuten?)~(?:später|darauf|nachher|danach|vergingen)
        |(?:tage|wochen|monate|jahre|stunden)~(?:waren~vergangen|vergingen|danach|später|darauf)
        |uhr|mitternacht|mittag|dämmerung|sonnenaufgang|sonnenuntergang|gestern|anfang~\w+|mitte~\w+|ende~\w+
        |(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|frühstück|abendessen"""
    ),
    closing=_words(
        r"""ging(?:en)?|fort|verließ(?:en)?|verschwand(?:en)?|abschied|verabschiedete|gute~nacht|lebe?~wohl|adieu
        |schlief(?:en)?|eingeschlafen|schlaf|bett|starb(?:en)?|gestorben|tot|tod|ohnmächtig
        |allein|schwieg(?:en)?|stille|schweigen|nie|ende"""
    ),
    leaning=_words(r"er|sie|es|ihr|ihre|sein|seine|ihn|ihm|und|ja|nein|diese[rsmn]?"),
    joining=_words(
        r"""und|aber|oder|denn|sondern|daß|dass|weil|wenn|als|ob|obwohl|bis|während|nachdem|ehe|wie|wo
        |damit|indem|so|der|die|das|dem|den|deren|dessen|welche[rsmn]?|was|wer|mit|ohne|von|zu|sagte"""
    ),
    arriving=_words(
        r"""kam(?:en)?|trat(?:en)?|erschien(?:en)?|erreichten?|kehrten?|begegneten?|fand(?:en)?|sah(?:en)?|öffneten?
        |erwachten?|klopften?|besuch|begann(?:en)?|brach(?:en)?~auf|ging(?:en)?|wandten?|erhob(?:en)?|folgten?|fuhr(?:en)?
        |ritt(?:en)?|lief(?:en)?|stieg(?:en)?|eintraf|eingetroffen|angekommen|zurück"""
    ),
    places=_words(
        r"""(?:in|an|auf|zu|nach|aus|durch|vor|hinter|neben|bei|über|unter|von)~(?:de[rmns]|die|das|eine[rmn]?|sein\w*|ihr\w*)
        ~(?:\w+~)?(?:haus\w*|zimmer|tür|straße|weg|garten|bahnhof|flur|treppe|fenster|strand|fluß|wald|hügel|dorf|stadt
        |kirche|küche|hof|feld|schiff|boot|brücke|gasthaus|wagen|zug|park|schloß|saal|tisch|platz|meer|see|turm|ecke)
        |(?:im|am|zum|zur|vom|beim)~(?:\w+~)?(?:haus\w*|zimmer|tür|straße|garten|bahnhof|flur|treppe|fenster|strand
        |fluß|wald|dorf|stadt|kirche|hof|wagen|zug|park|schloß|saal|tisch|platz|meer|see|turm)"""
    ),
    persons=_persons(
        """er ihm ihn sein seine seinen seiner seinem | sie ihr ihre ihren ihrer ihrem
        | ich mich mir mein meine meinen | wir uns unser unsere | du dich dir dein deine
        | es"""
    ),
)

_FRENCH: Final = Cues(
    opening=_words(
        r"""(?:le|ce|cet|cette|un|une|la)~(?:\w+~)?(?:jour|matin|soir|nuit|lendemain|semaine|soirée|journée)
        |(?:heures?|jours?|semaines?|mois|ans|années|minutes?)~(?:après|plus~tard|passèrent|s['’]écoulèrent)
        |(?:après|pendant|depuis|au~bout~d['’])~\w+~(?:heures?|jours?|semaines?|mois|ans|minutes?|temps)
        |minuit|midi|aube|crépuscule|cependant|enfin|hier|ensuite|lorsque|quand"""
    ),
    closing=_words(
        r"""partit|partirent|sortit|s['’]en~alla|quitta|disparut|adieu|bonsoir|bonne~nuit|s['’]endormit|dormit|lit
        |mourut|mort|morte|évanoui|seul|seule|silence|jamais|fin"""
    ),
    leaning=_words(r"il|elle|ils|elles|lui|son|sa|ses|leur|et|oui|non|ce|ces"),
    joining=_words(
        r"""et|mais|ou|ni|car|donc|que|qui|quoi|dont|où|quand|lorsque|comme|si|puisque|parce|afin|pour
        |avec|sans|de|du|des|à|dit|répondit"""
    ),
    persons=_persons(
        """il lui le | elle la | je me moi mon ma mes | nous notre nos | ils leur leurs
        | vous votre vos tu te ton ta tes"""
    ),
)

_CHINESE: Final = Cues(
    opening=_runs(
        r"""次日 翌日 第二[天日] 明日 当[日夜晚] 當[日夜晚] 是[日夜] [这這那一]天 [这這那]日
        一[日夜] 早[起晨上] 清[早晨] 天[明晓曉色] 黄昏 黃昏 半夜 三更 [一二三四五]更 [傍夜]晚
        [一二三四五六七八九十数几數幾][天日月年]之?[后後] 不[多一][时時] [过過]了 少[时頃顷]
        [却卻][说說] [且话話][说說] 话表 話表 单表 單表 忽[一日] 不题 不題 [春夏秋冬][天日间間]
        [时時][值遇] 光[阴陰] 不[觉覺] [后後][来來] 与此同时 與此同時 正[行走]"""
    ),
    closing=_runs(
        r"""去了 而去 去[讫訖] 告[辞辭别別] [辞辭][别別去] 睡[了去着著] 就[寝寢] 安[寝寢歇] 死[了去]
        身亡 不[见見]了 不题 不題 散[了去] 回去 [归歸][家去] [无無][话話语語] 且[听聽] 下回
        [离離][开開] 沉默 安[静靜]"""
    ),
    dated=_runs(
        r"""次日 翌日 第二[天日] 明日 当[日夜晚] 當[日夜晚] [这這那]一?[天日夜] 一[日夜] 早[起晨]
        清[早晨] 天[明晓曉色] 黄昏 黃昏 半夜 三更 [一二三四五]更 傍晚
        [一二三四五六七八九十数几數幾][天日月年]之?[后後前] 少[时頃顷]
        [却卻][说說] 且[说說] [话話][说說表] [单單]表 忽一日"""
    ),
    leaning=_runs(r"[他她它] [这這那] 又 便 也"),
    arriving=_runs(
        r"""[来來]到 到[了得] 走[到进進出] 回[到至来來] [进進入出][了得] 前[来來] 忽[见見听聽然]
        遇[见見着] [径徑直行]至 [早又只][见見] 起[身来來程] [醒飞飛][来來到]"""
    ),
    places=_runs(
        r"[门門殿宫宮洞山庄莊城寺观觀房楼樓府店河江海林岸路街园園庙廟][里裡中上下前后後外内內边邊]"
    ),
    head=25,
    tail=80,
)

_JAPANESE: Final = Cues(
    opening=_runs(
        r"""翌[日朝晩] 次の[日朝晩] 明くる ある[日朝晩夜] 或る?[日朝晩夜] その[日朝晩夜] 今[日朝]
        昨[日夜] [数一二三四五六七八九十]日 時間[後ほ] 後[にで] しばらく やがて 朝 昼 夕[方暮] 夜 晩
        [春夏秋冬] 頃 ころ [一二三四五六七八九十]時"""
    ),
    closing=_runs(
        r"""去[っり] 帰[っり] 出て行 寝[たて] 眠[っり] 死[んに] 別れ いなくな 消え 立ち去 黙[っり]
        静か 終[わっ]"""
    ),
    dated=_runs(
        r"""翌[日朝晩] 次の[日朝晩] 明くる ある[日朝晩夜] 或る?[日朝晩夜] その[日朝晩夜]
        [数一二三四五六七八九十]日 [一二三四五六七八九十]時 夕方 日暮"""
    ),
    leaning=_runs(r"彼 それ これ そし また しかし だが その"),
    arriving=_runs(r"[来着出入行歩]い?[たてっ] 来る 帰[っり] 戻[っり] 現れ 起き 目を覚"),
    places=_runs(r"[家室屋門庭町村寺店宅道街山川海駅]の?[にへをで中前上下外内]"),
    head=25,
    tail=80,
)

_NO_CUES: Final = Cues()
_CUES: Final[Mapping[str, Cues]] = MappingProxyType(
    {"en": _ENGLISH, "de": _GERMAN, "fr": _FRENCH, "zh": _CHINESE, "ja": _JAPANESE}
)
