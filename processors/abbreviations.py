"""What Punkt has to know of a language: its abbreviations, and words that open sentences.

Written by hand from general knowledge of the languages, not learnt from any text. Lower case,
without the last full stop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Habits:
    """How a language uses the full stop.

    `abbreviations` are followed by a name as often as not. `before_numbers` are abbreviations
    only before a number ("No. 5", but "No. He left."). `after_numbers` follow an ordinal
    ("3. Mai"). `openers` are words that are no names: after an abbreviation, a capital on one
    of them means a new sentence. `letters` are words of one letter, so no initials; `capitals`
    are those of them that have a capital anywhere.
    """

    abbreviations: frozenset[str]
    before_numbers: frozenset[str] = frozenset()
    after_numbers: frozenset[str] = frozenset()
    openers: frozenset[str] = frozenset()
    letters: frozenset[str] = frozenset()
    capitals: frozenset[str] = frozenset()


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ENGLISH: Final = Habits(
    abbreviations=_words(
        "mr mrs ms messrs mssrs dr drs prof rev revd hon rt st ste sr jr capt cpt col gen lt lieut "
        "sgt sergt serjt cpl maj cmdr comdr cdr adm gov sen rep pres supt insp det esq mme mlle "
        "mlles mm mgr fr bp wm chas thos jas jos geo robt saml benj edw alex m.d ph.d b.a m.a d.d "
        "ll.d d.sc f.r.s q.c k.c m.p r.n p.m a.m a.d b.c u.s u.k u.n u.s.a d.c l.a n.y i.e e.g "
        "viz v vs etc cf al inc ltd co corp bros dept ave blvd rd mt ft approx est assn univ"
    ),
    before_numbers=_words(
        "no nos vol vols fig figs ch chap chaps pp p pt sec art ser ex lv lvl jan feb mar apr jun "
        "jul aug sep sept oct nov dec"
    ),
    openers=_words(
        "i he she it we they you his her its our their your my this that these those the a an and "
        "but or so then there here what who whom whose which when where why how if as at in on by "
        "for from with to of after before while until since because although though once now not "
        "no yes oh well let do did does is are was were had has have could would should can must "
        "may might shall all some many most each every another both few such one two three even "
        "just only still again never perhaps maybe suddenly however meanwhile"
    ),
    letters=_words("i"),
    capitals=_words("i"),
)

_GERMAN: Final = Habits(
    abbreviations=_words(
        "hr hrn fr frl dr prof st geb gest bzw usw u.a d.h z.b z d u o s i v m ca evtl ggf inkl "
        "str tel vgl jh jhd jhdt mio mrd etc ev kath hl lt hptm obltn geh kgl exz dipl ing abt "
        "bd hrsg o.ä u.ä v.chr n.chr sog resp rev"
    ),
    before_numbers=_words("nr kap s bd art abs"),
    after_numbers=_words(
        "januar jänner februar märz april mai juni juli august september oktober november "
        "dezember jahrhundert jahrhunderts kapitel tag tage mal teil klasse stock armee korps "
        "regiment regiments division bataillon kompanie geburtstag lebensjahr"
    ),
    openers=_words(
        "ich du er sie es wir ihr der die das den dem des ein eine einer eines einem einen und "
        "aber oder doch denn so da dann wenn als wie was wer wo warum wann ob nun noch nur auch "
        "nicht kein keine mein dein sein unser dieser diese dieses dort hier ja nein ach nach vor "
        "mit von zu in an auf aus bei für über unter alle man"
    ),
)

_FRENCH: Final = Habits(
    abbreviations=_words(
        "mm mme mmes mlle mlles mgr me dr pr st ste sts etc cf av bd fig ex p.ex j.-c c.-à-d env "
        "éd vol chap ch cie sr"
    ),
    before_numbers=_words("no n° nº p pp art t"),
    openers=_words(
        "je tu il elle on nous vous ils elles le la les un une des du de ce cet cette ces mon ma "
        "mes ton ta tes son sa ses notre votre leur et mais ou donc or ni car si quand comme que "
        "qui quoi où pourquoi comment alors puis ensuite enfin ici là oui non ah oh à au aux dans "
        "en par pour sur sous avec sans après avant"
    ),
)

_SPANISH: Final = Habits(
    abbreviations=_words(
        "sr sra srs sres srta srtas dr dra dres d.ª dña prof ud uds vd vds ee.uu etc pág p.ej av "
        "avda sto sta fr excmo excma ilmo ilma gral cap cía lic ing"
    ),
    before_numbers=_words("no núm nº pág pp vol cap"),
    openers=_words(
        "yo tú él ella usted nosotros ellos ellas el la los las lo un una unos unas y pero o ni si "
        "cuando como que qué quién dónde donde por porque entonces luego después antes aquí allí "
        "sí no ah oh en de del a al con sin para sobre su sus mi mis tu tus este esta ese esa"
    ),
    letters=_words("y o a e"),
)

_ITALIAN: Final = Habits(
    abbreviations=_words(
        "sig sig.ra sig.na sigg dott dott.ssa dr prof prof.ssa avv ing on mons ecc cfr es d.c a.c "
        "ss gen col cap rag geom cav comm"
    ),
    before_numbers=_words("n pag pagg p vol cap art"),
    openers=_words(
        "io tu lui lei egli ella noi voi loro essi il lo la i gli le un uno una e ma o se quando "
        "come che chi dove perché allora poi dopo prima qui là sì no ah oh in di a da con su per "
        "tra fra non è era si mi ti ci vi"
    ),
    letters=_words("è e o a i"),
)

_PORTUGUESE: Final = Habits(
    abbreviations=_words(
        "sr sra srs srta dr dra d prof profa exmo exma v.ex etc pág av sto sta gen cap cel ten eng"
    ),
    before_numbers=_words("no nº núm pág pp vol cap"),
    openers=_words(
        "eu tu ele ela nós vós eles elas você vocês o a os as um uma e mas ou se quando como que "
        "quem onde porque então depois antes aqui ali sim não ah oh em de do da no na com sem para"
    ),
    letters=_words("e o a é"),
)

_DUTCH: Final = Habits(
    abbreviations=_words(
        "dhr mevr mw mr dr drs prof ds ir ing jhr st bijv o.a d.w.z m.a.w i.p.v t.o.v enz ca evt "
        "mej wed lt kapt gen"
    ),
    before_numbers=_words("nr blz p art hfst"),
    openers=_words(
        "ik jij je hij zij ze het wij we jullie u de een en maar of dus want toen dan als wat wie "
        "waar waarom hoe nu nog niet geen ja nee ach in op aan met van voor na er daar hier"
    ),
)

_RUSSIAN: Final = Habits(
    abbreviations=_words(
        "т.е т.д т.п т.к т.н т д п др проф гр ул руб коп стр см св г г-н г-жа им акад гл кн мл ст"
    ),
    before_numbers=_words("№ с стр гл п"),
    openers=_words(
        "он она оно они мы вы ты но а и да нет не что кто где когда как если потом тогда здесь там "
        "это этот эта эти все его её их мой моя наш в на с у к по за от до из о об при после перед"
    ),
    letters=_words("я в и а о к с у"),
)

_POLISH: Final = Habits(
    abbreviations=_words(
        "p dr prof ks np itd itp m.in tzn tj ul św inż mgr hr por kpt płk gen r w tzw ok im"
    ),
    before_numbers=_words("nr str s rozdz art"),
    openers=_words(
        "ja ty on ona ono my wy oni one ale i a lecz gdy kiedy jak co kto gdzie nie tak"
    ),
    letters=_words("i a o w z u"),
)

_NORDIC: Final = Habits(
    abbreviations=_words(
        "hr fr frk dr prof bl.a t.ex f.eks d.v.s dvs o.s.v osv m.m m.fl f.d s.k ca kl st kapt lt "
        "esim ks jne ym tri"
    ),
    before_numbers=_words("nr sid s kap"),
    openers=_words(
        "jag du han hon den det vi ni de jeg hun og och men så då når när hva vad hvem vem hvor "
        "var en ett et ei hän se me te he ja mutta"
    ),
)

HABITS: Final[Mapping[str, Habits]] = {
    "de": _GERMAN,
    "en": _ENGLISH,
    "es": _SPANISH,
    "fr": _FRENCH,
    "it": _ITALIAN,
    "nl": _DUTCH,
    "pl": _POLISH,
    "pt": _PORTUGUESE,
    "ru": _RUSSIAN,
    **dict.fromkeys(("da", "fi", "nb", "nn", "no", "sv"), _NORDIC),
}

DEFAULT: Final = _ENGLISH
"""For every other language and for `und`: most such texts that use Latin letters are English."""
