"""What can be asked of an opened home: one row an operation. Each is a command and a URL.

A request is a value, and so is the answer: whoever asks need not know in which process the home
is open, nor load what answers (`streams.performing`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from contracts.answers import Answer, Export, SearchResult
from contracts.explanations import ExplainedAnswer
from contracts.forecasts import Forecast, Proposal
from contracts.frozen import Frozen
from contracts.prices import Reindexing
from contracts.reports import (
    CaughtUp,
    CharacterReport,
    CharactersReport,
    CompareReport,
    DoctorReport,
    DropReport,
    GenerationsReport,
    IndexReport,
    LetterReport,
    LettersReport,
    PathReport,
    PausedWork,
    ReindexEstimate,
    RepairReport,
    SettledReport,
    StartReport,
    StatusReport,
    SwapReport,
    ThreadReport,
    ThreadsReport,
    TimelineReport,
    TreeReport,
    VerifyReport,
    WithdrawReport,
)
from contracts.requests import (
    Chapters,
    Drop,
    EventFile,
    Everything,
    LettersAsked,
    OneCharacter,
    OneLetter,
    OneThread,
    Page,
    Pausing,
    Question,
    Reindex,
    Repair,
    Rollback,
    Settling,
    Standing,
    Story,
    Swap,
    Timeline,
    TwoCharacters,
    TwoTrees,
    WholeStory,
    Withdrawal,
)
from contracts.verifying import Verification

Q = TypeVar("Q", bound=Frozen)
A = TypeVar("A", bound=Frozen)


class Watcher(Protocol):
    """Whoever wants to see how far it is."""

    def begin(self, total: int) -> None:
        """Work on `total` records begins; called again when there are more."""

    def passed(self, stage: str, words: int) -> None:
        """A stage is done with a record that brought a text of `words` words, or none (0)."""


class Nobody:
    """Watches nothing."""

    def begin(self, total: int) -> None:
        """See `Watcher.begin`."""

    def passed(self, stage: str, words: int) -> None:
        """See `Watcher.passed`."""


NOBODY: Final = Nobody()


@dataclass(frozen=True, slots=True)
class Operation(Generic[Q, A]):
    """Something that a home can be asked; its name is also the last part of its URL.

    One that `writes` runs alone, and tells a `Watcher` how far it is; so does one that `lasts`,
    beside everything else.
    """

    name: str
    request: type[Q]
    answer: type[A]
    told: str
    writes: bool = False
    lasts: bool = False

    @property
    def is_watched(self) -> bool:
        """Whether it tells how far it is."""
        return self.writes or self.lasts


class Caller(Protocol):
    """Asks a home, wherever it is open."""

    async def call(self, operation: Operation[Q, A], request: Q, watcher: Watcher = NOBODY) -> A:
        """Return the answer to `request`.

        Raises:
            StorygraftError: whatever the operation raises.
        """


ASK: Final = Operation("ask", Question, Answer, "Answer a question, cited, or abstain.")
EXPLAIN: Final = Operation(
    "explain", Question, ExplainedAnswer, "Answer a question, and say what was looked at and why."
)
SEARCH: Final = Operation(
    "search", Question, SearchResult, "Find the passages that bear on a question."
)
TREE: Final = Operation("tree", Story, TreeReport, "The storylines as a tree.")
THREADS: Final = Operation("threads", Page, ThreadsReport, "The plot threads.")
THREAD: Final = Operation("thread", OneThread, ThreadReport, "One thread's scenes.")
CHARACTERS: Final = Operation("characters", Page, CharactersReport, "Everybody in the story.")
CHARACTER: Final = Operation("character", OneCharacter, CharacterReport, "One person of the story.")
PATH: Final = Operation("path", TwoCharacters, PathReport, "How two characters are linked.")
TIMELINE: Final = Operation(
    "timeline", Timeline, TimelineReport, "Chapters and scenes in story order."
)
EXPORT: Final = Operation("export", WholeStory, Export, "Everything a story holds.")
COMPARE: Final = Operation(
    "compare", TwoTrees, CompareReport, "Whether two trees are the same, and where not."
)
STATUS: Final = Operation(
    "status", Standing, StatusReport, "What is indexed, waits, is held or dead."
)
DOCTOR: Final = Operation(
    "doctor", Standing, DoctorReport, "Whether what is stored is sound.", writes=True
)
REPAIR: Final = Operation("repair", Repair, RepairReport, "Mend what is not sound.", writes=True)
WITHDRAW: Final = Operation("withdraw", Withdrawal, WithdrawReport, "Take chapters back.")
PAUSE: Final = Operation("pause", Pausing, PausedWork, "Let a work's events wait.")
RESUME: Final = Operation("resume", Pausing, PausedWork, "Let a paused work go on.")
LETTERS: Final = Operation(
    "dlq-ls", LettersAsked, LettersReport, "Dead letters: what could not be read, and why."
)
LETTER: Final = Operation("dlq-show", OneLetter, LetterReport, "One dead letter.")
SETTLE: Final = Operation(
    "dlq-settle", Settling, SettledReport, "Send dead letters again, or drop them."
)
FORECAST: Final = Operation(
    "forecast", Proposal, Forecast, "What a change would do and cost; nothing is done."
)
ESTIMATE: Final = Operation(
    "estimate-reindex", Reindexing, ReindexEstimate, "What a new generation would cost."
)
INDEX: Final = Operation("index", Chapters, IndexReport, "Index a work's chapters.", writes=True)
INDEX_EVENTS: Final = Operation(
    "index-events", EventFile, IndexReport, "Index a file of events.", writes=True
)
CATCH_UP: Final = Operation(
    "catch-up", Everything, CaughtUp, "Take all that waits through the stages.", writes=True
)
REINDEX: Final = Operation(
    "reindex", Reindex, StartReport, "Begin a generation beside the live one.", writes=True
)
GENERATIONS: Final = Operation(
    "generations", Everything, GenerationsReport, "How the generations of the index stand."
)
VERIFY: Final = Operation(
    "verify", Verification, VerifyReport, "Compare a generation with the live one.", lasts=True
)
SWAP: Final = Operation("swap", Swap, SwapReport, "Make another generation live.", writes=True)
ROLLBACK: Final = Operation(
    "rollback", Rollback, SwapReport, "Make the generation before live again.", writes=True
)
DROP: Final = Operation("drop", Drop, DropReport, "Delete a generation.", writes=True)

OPERATIONS: Final[tuple[Operation[Any, Any], ...]] = (
    ASK,
    EXPLAIN,
    SEARCH,
    TREE,
    THREADS,
    THREAD,
    CHARACTERS,
    CHARACTER,
    PATH,
    TIMELINE,
    EXPORT,
    COMPARE,
    STATUS,
    DOCTOR,
    REPAIR,
    WITHDRAW,
    PAUSE,
    RESUME,
    LETTERS,
    LETTER,
    SETTLE,
    FORECAST,
    ESTIMATE,
    INDEX,
    INDEX_EVENTS,
    CATCH_UP,
    REINDEX,
    GENERATIONS,
    VERIFY,
    SWAP,
    ROLLBACK,
    DROP,
)
