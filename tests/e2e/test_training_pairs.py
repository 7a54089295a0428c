"""The teacher's answers on a book become pairs that a small model can be trained on."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from contracts.events import WorkDescribed
from contracts.ids import WorkId
from processors.litseg.judging import Judged
from processors.litseg.reading import read_answer
from replay.training_pairs import main, save_pairs
from streams.inputs.values import ChapterInput
from streams.settings import Settings, UnusableSettings
from tests.model_server import ModelServer
from tests.model_server.gold import GoldScript, gold_chapters

BOOK = "time-machine"


@pytest.fixture
def given() -> ChapterInput:
    return ChapterInput(WorkDescribed(work_id=WorkId(BOOK), title=BOOK), gold_chapters(BOOK))


@pytest.mark.corpus
async def test_every_chapter_of_a_book_is_a_valid_pair_and_is_paid_once(
    model_server: ModelServer, tmp_path: Path, given: ChapterInput
) -> None:
    memo = f"sqlite:{tmp_path / 'memo'}"
    with model_server.anew(script=GoldScript(BOOK)) as server:
        settings = Settings(home=tmp_path, memo=memo, model=server.url, model_name=server.model)
        first, again = io.StringIO(), io.StringIO()
        saved = await save_pairs(settings, given, first)
        asked = server.calls
        await save_pairs(settings, given, again)
        assert server.calls == asked == 3 * len(given.chapters)
        assert {heard.temperature for heard in server.heard} == {1.0}
    assert first.getvalue() == again.getvalue()
    assert (saved.pairs, saved.valid) == (len(given.chapters), len(given.chapters))
    for line in first.getvalue().splitlines():
        pair = json.loads(line)
        count = pair["last_sentence"] - pair["first_sentence"] + 1
        assert (pair["reward"], pair["valid"]) == (0.0, True)
        assert Judged.of(read_answer(pair["messages"][2]["content"]), count).valid


@pytest.mark.corpus
async def test_without_a_model_there_is_nobody_to_teach(
    tmp_path: Path, given: ChapterInput
) -> None:
    with pytest.raises(UnusableSettings, match="set `model`"):
        await save_pairs(Settings(home=tmp_path), given, io.StringIO())


def test_an_input_that_is_not_there_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "nowhere"), str(tmp_path / "out")]) == 1
    assert "nowhere" in capsys.readouterr().err
