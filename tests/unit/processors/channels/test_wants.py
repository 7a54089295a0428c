from __future__ import annotations

import pytest

from processors.channels.wants import Want, wants_of
from processors.questions import analyse


@pytest.mark.parametrize(
    ("question", "wants"),
    [
        ("How old is the miller's son?", {Want.AGE}),
        ("How long did the siege last?", {Want.DURATION}),
        ("How many weeks did the siege last?", {Want.DURATION}),
        ("At what hour did the bell ring?", {Want.CLOCK, Want.MOMENT}),
        ("On what date was the bridge closed?", {Want.DATE}),
        ("When did the ferry sink?", {Want.MOMENT}),
        ("How many lanterns hung on the pier?", {Want.NUMBER}),
        ("How many times did the bell ring?", {Want.TIMES, Want.NUMBER}),
        ("How often did Hedda cross the river?", {Want.TIMES, Want.NUMBER}),
        ("How is Hedda related to the harbour master?", {Want.RELATION}),
        ("Whose uncle keeps the ledger?", {Want.RELATION}),
        ("What was Osk to the ferryman?", {Want.RELATION}),
        ("Who is the brother of the ferryman?", {Want.RELATION}),
        ("How did the ferryman's wife feel when the bridge fell?", set()),
        ("What did Hedda do when her brother left?", set()),
        ("Since when had Osk owned the ledger?", {Want.MOMENT}),
        ("Where was the ledger hidden?", set()),
        ("What did the ferryman throw overboard?", set()),
    ],
)
def test_a_questions_words_say_what_form_of_answer_it_wants(
    question: str, wants: set[Want]
) -> None:
    assert set(wants_of(analyse(question, "en"))) == wants


@pytest.mark.parametrize(
    ("question", "language", "want"),
    [
        ("Wie alt ist der Müller?", "de", Want.AGE),
        ("Wann sank die Fähre?", "de", Want.MOMENT),
        ("Wie viele Laternen hingen am Pier?", "de-AT", Want.NUMBER),
        ("猴王有几个徒弟？", "zh", Want.NUMBER),
        ("唐僧何时出发？", "zh", Want.MOMENT),
    ],
)
def test_german_and_chinese_questions_are_served(question: str, language: str, want: Want) -> None:
    assert want in wants_of(analyse(question, language))


def test_a_language_without_rules_wants_nothing() -> None:
    assert wants_of(analyse("How many? 何人いますか", "ja")) == ()
