"""What a server means by a status other than success, less all that must not be shown.

A wrong key, name or address is nobody's chapter's fault: those events wait until the operator has
mended it. Only what a server says against one input, its length above all, makes it unfit.
"""

from __future__ import annotations

import re
import time
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Final

from openai import APIStatusError
from pydantic import SecretStr

_OVERLOADED: Final = (408, 409, 425, 429)
_ABOUT_INPUT: Final = (400, 413, 422)
_WRONG_KEY: Final = (401, 402, 403)
_SHOWN: Final = 200  # code points of what a server says
_QUOTED: Final = 20  # code points in common with the input that are no accident

_FILTERED: Final = ("content_filter", "content_policy_violation")
_TOO_LONG: Final = ("context_length_exceeded", "exceed_context_size_error")
_SAYS_TOO_LONG: Final = re.compile(
    r"context.{0,20}(length|window|size)|max\w*.model.len|maximum model length"
    r"|(input|prompt).{0,40}too (long|large)|too many tokens",
    re.IGNORECASE | re.ASCII,
)
_NAMES_PARAMETER: Final = re.compile(
    r"response_format|json_schema|schema|grammar|max_tokens|max_completion_tokens|temperature"
    r"|top_p|\bseed\b|chat.template|system.(role|message|prompt)",
    re.IGNORECASE | re.ASCII,
)


class Fault(StrEnum):
    """What is wrong, with what may be done about it."""

    OVERLOAD = "the server is overloaded or out of order: see its log"
    KEY = "the server does not take the key, or its account is spent: see model_key"
    NAME = "see that model_name is one of its models, and that `model` is its URL, with its /v1"
    PARAMETER = (
        "the server or its model cannot do what every question asks of it: a JSON schema, "
        "max_tokens (see max_output_tokens, model_context), temperature, top_p, seed"
    )
    LENGTH = "the input is too long: set model_context to what the server's model takes"
    INPUT = "the server does not take this input"
    ADDRESS = "see that `model` is the URL of an OpenAI-compatible API, with its /v1"


class Refused(Exception):  # noqa: N818 - what the server did
    """A refused request. `retry_after` is in seconds, None where the server does not say."""

    def __init__(self, said: str, fault: Fault, retry_after: float | None) -> None:
        super().__init__(f"{said}; {fault}")
        self.fault = fault
        self.retry_after = retry_after


def refused(error: APIStatusError, key: SecretStr | None, private: str) -> Refused:
    """Return `error` without key and input: servers are known to send both back.

    `private` is the input, of which nothing may be shown.
    """
    fault = _fault(error)
    shown = "" if fault is Fault.KEY else _shown(_message(error), key, private)
    said = f"status {error.status_code}" + (f" ({shown})" if shown else "")
    return Refused(said, fault, _retry_after(error.response.headers.get("retry-after", "")))


def is_filtered(error: APIStatusError) -> bool:
    """Say whether a filter would not let the model see the input."""
    return error.status_code in _ABOUT_INPUT and _told(error, "code") in _FILTERED


def _fault(error: APIStatusError) -> Fault:
    status = error.status_code
    if status in _OVERLOADED or status >= 500:
        return Fault.OVERLOAD
    if status in _WRONG_KEY:
        return Fault.KEY
    if status == 404:
        return Fault.NAME
    if status in _ABOUT_INPUT:
        return _fault_of_request(error)
    return Fault.ADDRESS


def _fault_of_request(error: APIStatusError) -> Fault:
    codes, message = (_told(error, "code"), _told(error, "type")), _message(error)
    if not set(codes).isdisjoint(_TOO_LONG) or error.status_code == 413:
        return Fault.LENGTH
    if _NAMES_PARAMETER.search(f"{_told(error, 'param')} {message}"):
        return Fault.PARAMETER
    return Fault.LENGTH if _SAYS_TOO_LONG.search(message) else Fault.INPUT


def _message(error: APIStatusError) -> str:
    return " ".join(_told(error, "message").split())


def _told(error: APIStatusError, name: str) -> str:
    value = error.body.get(name) if isinstance(error.body, dict) else None
    return value if isinstance(value, str) else ""


def _shown(message: str, key: SecretStr | None, private: str) -> str:
    if key is not None and key.get_secret_value():
        message = message.replace(key.get_secret_value(), "***")
    message = message[:_SHOWN]
    starts = range(0, len(message) - _QUOTED + 1, _QUOTED // 2)
    quotes = any(message[start : start + _QUOTED] in private for start in starts)
    return "" if quotes else message


def _retry_after(told: str) -> float | None:
    """Read the header: seconds, or a date; None where it is neither."""
    try:
        return max(0.0, float(told))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(told).timestamp() - time.time())
    except ValueError:
        return None
