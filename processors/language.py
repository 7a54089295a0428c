"""The language of a chapter: what its publisher says, else what the text itself shows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from py3langid.langid import MODEL_FILE, LanguageIdentifier

UNDETERMINED: Final = "und"
"""Too short or too strange to tell: read with the rules for English, its terms unstemmed."""

_TAG: Final = re.compile(r"([A-Za-z]{2,3})(?:[-_][A-Za-z0-9_-]*)?")
_ISO_639_1: Final = (
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy "
    "da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu "
    "hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb "
    "lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om "
    "or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv "
    "sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu"
)
_NO_LANGUAGE: Final = frozenset({"und", "mul", "mis", "zxx", "xxx"})
# Three letters where BCP 47 wants two, as catalogues write them; Chinese is cut as one language.
_SHORTER: Final[Mapping[str, str]] = {
    "ara": "ar", "ces": "cs", "chi": "zh", "cmn": "zh", "cze": "cs", "dan": "da", "deu": "de",
    "dut": "nl", "ell": "el", "eng": "en", "fin": "fi", "fra": "fr", "fre": "fr", "ger": "de",
    "gre": "el", "heb": "he", "hin": "hi", "hun": "hu", "ind": "id", "ita": "it", "jpn": "ja",
    "kor": "ko", "nld": "nl", "nor": "no", "pol": "pl", "por": "pt", "ron": "ro", "rum": "ro",
    "rus": "ru", "spa": "es", "swe": "sv", "tha": "th", "tur": "tr", "ukr": "uk", "vie": "vi",
    "zho": "zh",
}  # fmt: skip

_LETTER: Final = re.compile(r"[^\W\d_]")
_KANA: Final = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]")
_HANGUL: Final = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")
_HAN: Final = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")

# Where a third of the letters are of these scripts, the rest are names and loan words.
_CJK_SHARE: Final = 1 / 3
# Japanese prose is half kana; Chinese quoting a Japanese name stays far below this.
_KANA_SHARE: Final = 0.1
# Below ten letters there is nothing to go by but names and cries.
_MIN_LETTERS: Final = 10
_MIN_CONFIDENCE: Final = 0.6
# Four stretches from all over the chapter: its head may be a title or a translator's note.
_STRETCHES: Final = 4
_STRETCH: Final = 250

# Languages that serials are written in. Their pidgins, dialects and dead relatives are left
# out: short texts would be taken for those.
_CANDIDATES: Final = (
    "af ar az be bg bn ca cs cy da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy id is it "
    "ka kk km kn ko lo lt lv mk ml mn mr ms my ne nl no pa pl pt ro ru sk sl sq sr sv sw ta te th "
    "tl tr uk ur uz vi ja zh"
)


def language_of(declared: str | None, text: str) -> str:
    """Return the primary language subtag, in lower case, of a chapter with this text.

    A declared BCP 47 tag counts unless it names no language; else the text alone decides.
    """
    return _declared(declared or "") or detected_language(text)


def _declared(tag: str) -> str | None:
    match = _TAG.fullmatch(tag.strip())
    if match is None:
        return None
    primary = match.group(1).lower()
    primary = _SHORTER.get(primary, primary)
    if primary in _NO_LANGUAGE or (len(primary) == 2 and primary not in _ISO_639_1.split()):
        return None
    return primary


def detected_language(text: str) -> str:
    """Return the primary subtag of the language that `text` shows, or `und`.

    Scripts decide between Chinese, Japanese and Korean; an identifier of languages between
    those with alphabets.
    """
    sample = _sample(text)
    letters = len(_LETTER.findall(sample))
    han, kana, hangul = (len(script.findall(sample)) for script in (_HAN, _KANA, _HANGUL))
    if letters and han + kana + hangul >= _CJK_SHARE * letters:
        return _east_asian(han, kana, hangul)
    if letters < _MIN_LETTERS:
        return UNDETERMINED
    language, confidence = _identifier().classify(sample)
    return str(language) if confidence >= _MIN_CONFIDENCE else UNDETERMINED


def _east_asian(han: int, kana: int, hangul: int) -> str:
    if hangul > han + kana:
        return "ko"
    return "ja" if kana >= _KANA_SHARE * (han + kana) else "zh"


def _sample(text: str) -> str:
    if len(text) <= _STRETCHES * _STRETCH:
        return text
    step = (len(text) - _STRETCH) // (_STRETCHES - 1)
    starts = [step * number for number in range(_STRETCHES)]
    return "\n".join(text[start : start + _STRETCH] for start in starts)


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    """Load the model that comes with the package; it takes a second or two, once."""
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(_CANDIDATES.split())
    return identifier
