"""What a command has set up for its log does not outlive its stderr."""

from __future__ import annotations

import io
import sys

import pytest
import structlog

from streams.cli.running import log_as_service


def test_a_log_goes_to_the_stderr_that_there_is_when_something_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = io.StringIO()
    with monkeypatch.context() as within:
        within.setattr(sys, "stderr", gone)
        log_as_service(debug=False)
        log = structlog.get_logger()
        log.info("said_before")
    assert "said_before" in gone.getvalue()
    gone.close()
    log.info("said_after")
    assert "said_after" in capsys.readouterr().err
