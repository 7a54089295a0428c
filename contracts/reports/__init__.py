"""What the command line says as JSON beside answers and exports, by subject.

Programs lean on these shapes.
"""

from __future__ import annotations

from contracts.reports.changing import (
    EstimateReport,
    IndexReport,
    MemoImport,
    PublishReport,
    PurgedChapter,
    PurgeReport,
    TopicLine,
    TopicsReport,
    WithdrawReport,
)
from contracts.reports.comparing import (
    ComparedTree,
    CompareReport,
    Difference,
    Part,
)
from contracts.reports.reading import (
    CharacterLine,
    CharacterReport,
    CharactersReport,
    Companion,
    Revealed,
    SceneLine,
    ThreadLine,
    ThreadReport,
    ThreadsReport,
    TreeNode,
    TreeReport,
)
from contracts.reports.soundness import (
    DoctorReport,
    Finding,
    FindingKind,
    RepairReport,
    WorkFindings,
    WorkRepairs,
)
from contracts.reports.standing import (
    ChapterOutcome,
    ChapterWarnings,
    DeadLetterLine,
    Hold,
    StageLag,
    StatusReport,
    Tie,
    WorkStatus,
)

__all__ = [
    "ChapterOutcome",
    "ChapterWarnings",
    "CharacterLine",
    "CharacterReport",
    "CharactersReport",
    "Companion",
    "CompareReport",
    "ComparedTree",
    "DeadLetterLine",
    "Difference",
    "DoctorReport",
    "EstimateReport",
    "Finding",
    "FindingKind",
    "Hold",
    "IndexReport",
    "MemoImport",
    "Part",
    "PublishReport",
    "PurgeReport",
    "PurgedChapter",
    "RepairReport",
    "Revealed",
    "SceneLine",
    "StageLag",
    "StatusReport",
    "ThreadLine",
    "ThreadReport",
    "ThreadsReport",
    "Tie",
    "TopicLine",
    "TopicsReport",
    "TreeNode",
    "TreeReport",
    "WithdrawReport",
    "WorkFindings",
    "WorkRepairs",
    "WorkStatus",
]
