"""What a worker counts, as Prometheus reads it."""

from __future__ import annotations

from contracts.answers import Answer, AnswerGiven, Spent
from contracts.frozen import Frozen
from contracts.ids import WorkId
from contracts.messages import ChapterGrafted, Outcome
from contracts.ordinals import Ordinal
from contracts.parking import EventParked
from contracts.ports import Record
from contracts.reports import LaneProgress
from contracts.scenes import Repairs
from streams.dead_letters import Failure, FailureKind
from streams.flow import Place
from streams.identity import NOBODY
from streams.metrics import Metrics
from streams.parking import ParkedWork
from streams.runner import Step
from tests.unit.streams.stand_ins import published, segment

RECORD = Record("chapters", 0, b"w", b"", (), 0)
HELD = LaneProgress(
    stage="graft",
    topic="embedded.g1",
    partition=2,
    position=3,
    end=10,
    queued=4,
    quiet_s=61.0,
    held_s=60.5,
    reason="the graph is down",
)
NEW = HELD.model_copy(update={"position": None, "end": None, "held_s": 0.0, "reason": None})


def step(stage: str, *outputs: Frozen, failure: Failure | None = None) -> Step:
    return Step(stage, RECORD, NOBODY, outputs=outputs, failure=failure)


async def test_messages_seconds_tokens_repairs_and_dead_letters_are_counted_by_stage() -> None:
    metrics = Metrics(lambda: ())
    cut = await segment(published("1"), 0)
    mended = cut.model_copy(
        update={"tokens": 1_200, "repairs": Repairs(attempts=3, missing_sentences=2)}
    )
    grafted = ChapterGrafted(
        work_id=WorkId("w"), position=0, outcome=Outcome.INDEXED, commit_seq=1, placement_tokens=70
    )
    answer = Answer(
        answer="",
        abstained=True,
        as_of=Ordinal.parse("1"),
        indexed_to=None,
        gaps=(),
        citations=(),
        spent=Spent(tokens=30),
        channels=(),
    )
    given = AnswerGiven(question_id="q", work_id=WorkId("w"), answer=answer)
    unfit = Failure(FailureKind.WRONG_KEY, "another key")
    metrics.done(Place("segment", "chapters", 0), [step("segment", mended)], 0.2)
    metrics.done(Place("segment", "chapters", 1), [step("segment", failure=unfit)], 0.2)
    metrics.done(Place("graft", "embedded.g1", 0), [step("graft"), step("graft", grafted)], 2.0)
    metrics.done(Place("answer", "questions", 0), [step("answer", given)], 0.1)
    told = metrics.text().decode().splitlines()
    for line in (
        'storygraft_messages_total{stage="segment"} 2.0',
        'storygraft_messages_total{stage="graft"} 2.0',
        'storygraft_tokens_total{stage="segment"} 1200.0',
        'storygraft_tokens_total{stage="graft"} 70.0',
        'storygraft_tokens_total{stage="answer"} 30.0',
        'storygraft_repairs_total{what="missing_sentences"} 2.0',
        'storygraft_dead_letters_total{kind="wrong_key",stage="segment"} 1.0',
        'storygraft_stage_seconds_count{stage="graft"} 1.0',
    ):
        assert line in told


def test_lag_and_holds_are_those_of_the_moment() -> None:
    told = Metrics(lambda: (HELD, NEW)).text().decode()
    labels = '{partition="2",stage="graft",topic="embedded.g1"}'
    assert f"storygraft_lag{labels} 7.0" in told
    assert told.count("storygraft_lag{") == 1, "of what nobody has fetched yet, no lag is known"
    assert f"storygraft_held_seconds{labels} 60.5" in told
    assert HELD.lag == 7
    assert NEW.lag is None


def test_what_is_put_aside_is_counted() -> None:
    event = EventParked(work_id=WorkId("w"), partition=0, offset=3, position=3, event="k")
    works = [
        ParkedWork(WorkId("w"), paused=True, waits=[event, event]),
        ParkedWork(WorkId("x"), paused=False, waits=[event]),
    ]
    told = Metrics(lambda: (), lambda: works).text().decode()
    assert "storygraft_paused_works 1.0" in told
    assert "storygraft_parked_events 3.0" in told
    assert "storygraft_paused_works 0.0" in Metrics(lambda: ()).text().decode()
