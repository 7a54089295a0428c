"""Writes the JSON Schema of everything that is said to `contracts/schemas`, one file a message.

Run `python -m contracts.schema_export` after a change in a contract; a test keeps them current.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import TypeAdapter

from contracts import (
    answers,
    events,
    explanations,
    generations,
    log_lines,
    messages,
    parking,
    reports,
    tree,
)

FOLDER: Final = Path(__file__).parent / "schemas"
_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_Mode = Literal["validation", "serialization"]

_TAKEN: Final[Mapping[str, Any]] = {
    "chapter.published": events.ChapterPublished,
    "chapter.withdrawn": events.ChapterWithdrawn,
    "chapter.moved": events.ChapterMoved,
    "work.reordered": events.WorkReordered,
    "work.described": events.WorkDescribed,
    "work.withdrawn": events.WorkWithdrawn,
    "question.asked": events.QuestionAsked,
}
"""What publishers and askers send: read leniently, so the schema is that of validation."""

_GIVEN: Final[Mapping[str, Any]] = {
    "topic.scenes": messages.ScenesMessage,
    "topic.embedded": messages.EmbeddedMessage,
    "topic.grafts": messages.ChapterGrafted,
    "topic.answers": answers.AnswerGiven,
    "topic.parked": parking.ParkedMessage,
    "topic.generations": generations.GenerationMessage,
    "graft-record": tree.GraftRecord,
    "search": answers.SearchResult,
    "ask": answers.Answer,
    "explain": explanations.ExplainedAnswer,
    "export": answers.Export,
    "tree": reports.TreeReport,
    "threads": reports.ThreadsReport,
    "thread": reports.ThreadReport,
    "characters": reports.CharactersReport,
    "character": reports.CharacterReport,
    "path": reports.PathReport,
    "timeline": reports.TimelineReport,
    "compare": reports.CompareReport,
    "status": reports.StatusReport,
    "index": reports.IndexReport,
    "estimate": reports.EstimateReport,
    "log-line": log_lines.LogLine,
    "backup": reports.BackupReport,
    "replay-export": reports.LogExport,
    "replay-import": reports.LogImport,
    "estimate-reindex": reports.ReindexEstimate,
    "memo-import": reports.MemoImport,
    "memo-spent": reports.SpendingReport,
    "purge": reports.PurgeReport,
    "publish": reports.PublishReport,
    "topics": reports.TopicsReport,
    "withdraw": reports.WithdrawReport,
    "pause": reports.PausedWork,
    "dlq-ls": reports.LettersReport,
    "dlq-show": reports.LetterReport,
    "dlq-settle": reports.SettledReport,
    "doctor": reports.DoctorReport,
    "repair": reports.RepairReport,
    "reindex-start": reports.StartReport,
    "reindex-status": reports.GenerationsReport,
    "verify": reports.VerifyReport,
    "swap": reports.SwapReport,
    "drop": reports.DropReport,
}
"""What we write: topics, and the `--json` of each command."""


def schemas() -> dict[str, str]:
    """Return the text of every schema file by its name."""
    taken = {name: _text(name, of, "validation") for name, of in _TAKEN.items()}
    given = {name: _text(name, of, "serialization") for name, of in _GIVEN.items()}
    return {f"{name}.json": text for name, text in (taken | given).items()}


def _text(name: str, of: Any, mode: _Mode) -> str:
    schema = TypeAdapter(of).json_schema(mode=mode)
    schema = {"$schema": _DIALECT, "$id": f"storygraft:{name}", **schema}
    return json.dumps(schema, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def write(folder: Path) -> None:
    """Make `folder` hold the current schemas and no others."""
    folder.mkdir(exist_ok=True)
    current = schemas()
    for path in folder.glob("*.json"):
        if path.name not in current:
            path.unlink()
    for name, text in current.items():
        (folder / name).write_text(text, "utf-8")


if __name__ == "__main__":
    write(FOLDER)
