"""Errors cross the wire and are the same on the other side."""

from __future__ import annotations

import pytest

from contracts.errors import PermanentError, StorygraftError, TransientError
from streams.cli.exit_codes import ExitCode
from streams.cli.running import exit_code
from streams.home_lock import HomeInUse
from streams.inputs.values import UnusableInput
from streams.not_found import Ambiguous, NotFound
from streams.owner.failures import Failure, failure_of

ERRORS = [
    (NotFound("none such"), 404),
    (Ambiguous("two such"), 409),
    (UnusableInput("no text"), 422),
    (HomeInUse("taken"), 409),
    (TransientError("down"), 503),
    (PermanentError("broken"), 500),
]


@pytest.mark.parametrize(("error", "status"), ERRORS, ids=lambda each: type(each).__name__)
def test_an_error_comes_back_as_it_was(error: StorygraftError, status: int) -> None:
    told, failure = failure_of(error)
    again = Failure.model_validate_json(failure.to_json()).error()
    assert told == status
    assert (type(again), str(again)) == (type(error), str(error))
    assert exit_code(again) == exit_code(error)


def test_of_a_defect_nothing_is_told_but_its_name() -> None:
    status, failure = failure_of(ValueError("a line of the chapter"))
    assert status == 500
    assert "ValueError" in failure.message
    assert "a line" not in failure.message
    assert exit_code(failure.error()) == ExitCode.INTERNAL
