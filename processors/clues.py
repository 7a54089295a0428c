"""What speaks for a sentence as the evidence of an answer: each clue is a column of numbers.

How the sentences of a pool are read is in `processors.clue_reading`, what each clue is worth in
`processors.clue_weights`. A "share" is of the rarity of all the question's terms, 0 to 1; a
"part" is of the best sentence of the pool.
"""

from __future__ import annotations

from enum import StrEnum


class Clue(StrEnum):
    """A clue; its value is its name in tables of weights."""

    # Its passage and scene, as they were found.
    PASSAGE = "passage"
    SCENE = "scene"
    PASSAGE_RANK = "passage_rank"
    SCENE_RANK = "scene_rank"
    CHAPTER = "chapter"
    # The question's terms: in the sentence, and with one, four and eight on either side.
    TERMS = "terms"
    TERMS_NEXT = "terms_next"
    TERMS_NEAR = "terms_near"
    TERMS_AROUND = "terms_around"
    TERMS_PART = "terms_part"
    TERMS_NEAR_PART = "terms_near_part"
    NAMES_NEAR = "names_near"
    NAMES_AROUND = "names_around"
    # Words like the question's: in the sentence, and with one, three and eight on either side.
    LIKE = "like"
    LIKE_NEXT = "like_next"
    LIKE_NEAR = "like_near"
    LIKE_AROUND = "like_around"
    LIKE_PART = "like_part"
    LIKE_NEXT_PART = "like_next_part"
    LIKE_NEAR_PART = "like_near_part"
    LIKE_AROUND_PART = "like_around_part"
    # What it means as a whole.
    MEANING = "meaning"
    MEANING_NEXT = "meaning_next"
    MEANING_PART = "meaning_part"
    MEANING_NEXT_PART = "meaning_next_part"
    MEANING_OF_PASSAGE = "meaning_of_passage"
    MEANING_OF_SCENE = "meaning_of_scene"
    # Signs of the kind of answer that is asked for.
    SIGN = "sign"
    SIGN_NEXT = "sign_next"
    SIGN_OF_NUMBER = "sign_of_number"
    SIGN_OF_TIME = "sign_of_time"
    # Its form and its place.
    LENGTH = "length"
    SPOKEN = "spoken"
    ASKS = "asks"
    CHAPTER_END = "chapter_end"
