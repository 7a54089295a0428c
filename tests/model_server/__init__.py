"""A server that speaks OpenAI's chat completions and says what a test's script says.

It holds callers to the interface: a JSON Schema that is strict, a known model, the key, the
context. What it says fits the schema unless the script misbehaves on purpose. It counts what it
was asked and what it was paid, by purpose.
"""

from tests.model_server.accounts import Account
from tests.model_server.script import (
    Body,
    Breaks,
    Fails,
    Hangs,
    Heard,
    Later,
    Rambles,
    Reply,
    Says,
    Script,
    Text,
    cut,
    in_prose,
)
from tests.model_server.server import ModelServer

__all__ = [
    "Account",
    "Body",
    "Breaks",
    "Fails",
    "Hangs",
    "Heard",
    "Later",
    "ModelServer",
    "Rambles",
    "Reply",
    "Says",
    "Script",
    "Text",
    "cut",
    "in_prose",
]
