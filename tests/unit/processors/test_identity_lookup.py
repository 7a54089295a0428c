from __future__ import annotations

import pytest

from processors.identity_lookup import defines, who_is
from processors.questions import analyse
from processors.terms import terms_of
from tests.unit.processors.indexed import Story, chapter, indexed

CHAPTERS = [
    chapter(
        1,
        'Lemuel Thrupp wound the station clock. "Snow by noon," said Lemuel Thrupp to the boy.\n\n'
        'Parthenia Gough thought of Edvin Pell. "Edvin Pell owes me a letter," she said.',
    ),
    chapter(
        2,
        "Lemuel Thrupp went out to the ridge. Lemuel Thrupp read the thermometer there.\n\n"
        "Edvin Pell had sent another postcard, and Parthenia Gough pinned it up.",
    ),
    chapter(
        3,
        "The Inspector laid Edvin Pell's postcard beside the log that Lemuel Thrupp kept.\n\n"
        "The hand was the same. Lemuel Thrupp was Edvin Pell.",
    ),
]


@pytest.fixture
async def story() -> Story:
    return await indexed(CHAPTERS)


@pytest.mark.parametrize("question", ["Who was Lemuel Thrupp?", "Who is Edvin Pell?"])
async def test_a_reveal_is_the_answer_once_it_is_told(story: Story, question: str) -> None:
    answer = await story.answerer.answer(await story.view(3), question, 500)
    assert answer.answer == "Lemuel Thrupp was Edvin Pell."
    assert "identity" in answer.channels
    assert [citation.chapter_id for citation in answer.citations] == ["c3"]


@pytest.mark.parametrize("question", ["Who was Lemuel Thrupp?", "Who is Edvin Pell?"])
async def test_a_secret_keeps_until_it_is_told(story: Story, question: str) -> None:
    answer = await story.answerer.answer(await story.view(2), question, 500)
    assert answer.abstained
    assert answer.citations == ()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who was Lemuel Thrupp?", True),
        ("Who is Edvin Pell really?", True),
        ("Who gave Lemuel Thrupp the lantern?", False),
        ("Where is Lemuel Thrupp?", False),
        ("Who is the stationmaster?", False),
    ],
)
def test_a_question_for_a_person_is_known(question: str, expected: bool) -> None:
    assert who_is(analyse(question, "en")) is expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Lemuel Thrupp was the weather observer.", True),
        ("Lemuel Thrupp, the weather observer, coughed.", True),
        ("All that afternoon Lemuel Thrupp was out on the ridge.", False),
    ],
)
def test_a_definition_is_known(sentence: str, expected: bool) -> None:
    assert defines(sentence, frozenset(terms_of("Thrupp", "en")), "en") is expected
