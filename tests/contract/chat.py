"""The contract of `Chat`, one test a sentence; an adapter adds a class with one fixture."""

from __future__ import annotations

from tests.contract.chat_answers import AnswerContract
from tests.contract.chat_failures import FailureContract


class ChatContract(AnswerContract, FailureContract):
    """All of it; the fixture is `opened` (see `ChatOfServer`)."""
