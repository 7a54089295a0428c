"""The commands as a person runs them, on the embedded stores, each a process of its own."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from contracts.answers import Answer, Export, SearchResult
from contracts.explanations import ExplainedAnswer
from contracts.reports import (
    BackupReport,
    CompareReport,
    DoctorReport,
    IndexReport,
    PausedWork,
    StatusReport,
    ThreadsReport,
)
from streams.owner.connecting import stop_owner
from streams.settings import Settings

pytestmark = pytest.mark.real

_DEADLINE_S = 120
_MAIN = "from streams.cli import main; main()"

CHAPTERS = {
    "1.txt": "Chapter 1\n\nIlse Brandt came down the stair to the sea. Old Marrow was waiting for "
    "her there with a lamp. “You are late,” said Marrow.\n",
    "2.txt": "Chapter 2\n\nMarrow kept the brass key in his boot. Ilse asked him for it twice, and "
    "twice he laughed at her.\n",
    "10.txt": "Chapter 10\n\nThe key was gone. “It was Marrow all along,” said Ilse Brandt.\n",
}


@dataclass(frozen=True)
class Ran:
    """A command that has ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Shell:
    """Runs storygraft on one home."""

    folder: Path

    def __call__(self, *arguments: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-c", _MAIN, *arguments, "--home", str(self.folder / "home")],
            capture_output=True,
            encoding="utf-8",
            timeout=_DEADLINE_S,
            check=False,
            cwd=self.folder,
            env=os.environ | {"LC_ALL": "C", "STORYGRAFT_OWNER_IDLE_S": "60"},
        )
        assert "Traceback" not in done.stderr
        return Ran(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    folder = tmp_path_factory.mktemp("cli")
    (folder / "sea").mkdir()
    for name, text in CHAPTERS.items():
        (folder / "sea" / name).write_text(text, "utf-8")
    yield Shell(folder)
    asyncio.run(stop_owner(Settings(home=folder / "home")))


def test_index_ask_read_and_check(shell: Shell) -> None:
    ran = shell("index", "sea", "--json")
    assert ran.code == 0, ran.err
    assert IndexReport.model_validate_json(ran.out).new == 3

    ran = shell("ask", "sea", "Where did Marrow keep the key?", "--as-of", "2", "--json")
    assert ran.code == 0, ran.err
    answer = Answer.model_validate_json(ran.out)
    assert str(answer.as_of) == "2"
    for citation in answer.citations:
        text = CHAPTERS[f"{citation.chapter_id}.txt"]
        assert text[citation.start : citation.end] == citation.quote

    ran = shell("ask", "sea", "Where did Marrow keep the key?", "--explain", "--json")
    assert ran.code == 0, ran.err
    explained = ExplainedAnswer.model_validate_json(ran.out)
    assert [each.by for each in explained.explanation.rounds] == ["search"]
    ran = shell("ask", "sea", "Where did Marrow keep the key?", "--explain", "--rounds", "2")
    assert ran.code == 0, ran.err
    assert "How it was found" in ran.out
    assert "ended: searched" in ran.out
    assert shell("ask", "sea", "Who?", "--rounds", "0").code == 2

    ran = shell("search", "sea", "the brass key", "--json")
    assert ran.code == 0, ran.err
    found = SearchResult.model_validate_json(ran.out)
    assert "brass key" in found.passages[0].text
    assert "“You are late,”" in ran.out  # UTF-8, whatever the locale is
    assert "As of chapter 3, the newest" in ran.err

    ran = shell("export", "sea", "--as-of", "2", "--text", "--json")
    assert ran.code == 0, ran.err
    assert len(ran.out.splitlines()) == 1
    export = Export.model_validate_json(ran.out)
    assert [(c.chapter_id, c.text) for c in export.chapters] == [
        ("1", CHAPTERS["1.txt"]),
        ("2", CHAPTERS["2.txt"]),
    ]
    assert "all along" not in ran.out

    ran = shell("doctor", "--json")
    assert ran.code == 0, ran.out
    assert DoctorReport.model_validate_json(ran.out).works[0].findings == ()


def test_a_tree_is_compared_with_itself_and_with_what_it_was(shell: Shell) -> None:
    (shell.folder / "exported.json").write_text(shell("export", "sea", "--json").out, "utf-8")
    ran = shell("compare", "sea", "exported.json", "--json")
    assert ran.code == 0, ran.err
    assert CompareReport.model_validate_json(ran.out).same

    ran = shell("compare", "sea@2", "sea", "--json")
    assert ran.code == 1, ran.err
    report = CompareReport.model_validate_json(ran.out)
    assert (str(report.a.as_of), str(report.b.as_of), report.by) == ("2", "3", "id")
    assert ("10", "b") in [(each.id, each.only) for each in report.differences]

    ran = shell("compare", "sea", "see")
    assert ran.code == 3
    assert "did you mean sea?" in ran.err


def test_a_bad_chapter_and_a_second_time(shell: Shell) -> None:
    (shell.folder / "sea" / "11.html").write_text("<img src='x.png'>", "utf-8")
    ran = shell("index", "sea", "--json")
    assert ran.code == 1, ran.err
    report = IndexReport.model_validate_json(ran.out)
    assert (report.new, report.unchanged, len(report.dead_letters)) == (1, 3, 1)

    ran = shell("status", "sea", "--json")
    assert ran.code == 0
    (work,) = StatusReport.model_validate_json(ran.out).works
    assert (work.chapters, str(work.indexed_to)) == (3, "3")
    assert [gap.chapter_id for gap in work.gaps] == ["11"]


def test_a_work_is_paused_and_goes_on(shell: Shell) -> None:
    ran = shell("pause", "sea")
    assert (ran.code, ran.out) == (
        0,
        "sea is paused; events that wait: 0 (storygraft resume sea).\n",
    )
    (shell.folder / "sea" / "12.txt").write_text("Chapter 12\n\nIlse sailed at noon.\n", "utf-8")
    ran = shell("index", "sea", "--json")
    assert "sea is paused; events that wait" in ran.out
    ran = shell("status", "--json")
    (paused,) = StatusReport.model_validate_json(ran.out).paused
    assert (paused.work_id, paused.paused, paused.waiting) == ("sea", True, 1)
    ran = shell("resume", "sea", "--json")
    assert (ran.code, PausedWork.model_validate_json(ran.out).paused) == (0, False)
    for _ in range(100):
        ran = shell("status", "sea", "--json")
        report = StatusReport.model_validate_json(ran.out)
        if not report.paused and report.works[0].chapters == 4:
            break
    else:
        raise AssertionError(ran.out)
    ran = shell("pause", "see")
    assert (ran.code, ran.out) == (3, "")
    assert "did you mean sea?" in ran.err


def test_what_is_there_and_what_is_not(shell: Shell) -> None:
    ran = shell("threads", "sea", "--json")
    assert ran.code == 0, ran.err
    assert ThreadsReport.model_validate_json(ran.out).threads

    ran = shell("tree", "see", "--json")
    assert (ran.code, ran.out) == (3, "")
    assert "did you mean sea?" in ran.err


def test_a_home_whose_owner_runs_is_backed_up_and_comes_back(shell: Shell) -> None:
    before = shell("export", "sea", "--text", "--json").out
    ran = shell("backup", "kept", "--json")
    assert ran.code == 0, ran.err
    assert set(BackupReport.model_validate_json(ran.out).stores) == {"log", "graph", "vectors"}
    assert shell("withdraw", "sea", "--chapter", "1").code == 0
    ran = shell("restore", "kept", "--force")
    assert ran.code == 0, ran.err
    assert shell("export", "sea", "--text", "--json").out == before
