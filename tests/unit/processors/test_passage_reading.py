from __future__ import annotations

from processors.passage_reading import read_passage

_PASSAGE = 'He sat down. "Where is the chest?" asked the doctor.\n\nNobody knew. "Gone."'


def test_a_passage_is_cut_into_sentences_with_their_words() -> None:
    read = read_passage(_PASSAGE, "en")
    texts = [_PASSAGE[each.start : each.end] for each in read]
    assert "".join("".join(texts).split()) == "".join(_PASSAGE.split())
    assert texts[0] == "He sat down."
    assert (read[0].words, read[0].units, read[0].spoken) == (3, ("he", "sat", "down"), 0.0)


def test_speech_is_read_by_paragraph() -> None:
    read = read_passage(_PASSAGE, "en")
    by_text = {_PASSAGE[each.start : each.end]: each for each in read}
    assert by_text["Nobody knew."].spoken == 0
    assert by_text['"Gone."'].spoken == 1
    assert 0 < by_text['"Where is the chest?" asked the doctor.'].spoken < 1


def test_a_sentence_that_ends_as_a_question_asks() -> None:
    assert [each.asks for each in read_passage('"Who is there?" He waited.', "en")] == [True, False]
    assert read_passage("谁来了？", "zh")[0].asks
