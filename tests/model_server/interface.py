"""What of a request is held to the interface: its fields, and the strictness of its schema."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, Literal

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from pydantic import BaseModel, ConfigDict, Field


class Message(BaseModel):
    model_config = ConfigDict(extra="forbid")

    role: Literal["system", "user", "assistant"]
    content: str


class JsonSchema(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")
    schema_: dict[str, Any] = Field(alias="schema")
    strict: Literal[True]


class ResponseFormat(BaseModel):
    model_config = ConfigDict(extra="forbid")

    type: Literal["json_schema"]
    json_schema: JsonSchema


class Completion(BaseModel):
    """A request for a chat completion, of the form that we send and no other."""

    model_config = ConfigDict(extra="forbid")

    model: str
    messages: tuple[Message, Message]
    response_format: ResponseFormat
    temperature: float = Field(ge=0, le=2)
    top_p: float = Field(gt=0, le=1)
    max_tokens: int = Field(ge=1)
    seed: int


def complaint(schema: dict[str, Any]) -> str:
    """Say why a server that enforces schemas strictly would not take this one; "" if it would."""
    return _complaint(json.dumps(schema, sort_keys=True))


@lru_cache(maxsize=64)
def _complaint(text: str) -> str:
    """Check a schema once: one that is the same for every input comes thousands of times."""
    schema: dict[str, Any] = json.loads(text)
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return str(error.message)
    return _loose(schema)


def misfit(schema: dict[str, Any], value: object) -> str:
    """Say why `value` is no answer under `schema`; "" if it is one."""
    errors = [error.message for error in Draft202012Validator(schema).iter_errors(value)]
    return "; ".join(errors)


def _loose(schema: object) -> str:
    if isinstance(schema, list):
        return next(filter(None, map(_loose, schema)), "")
    if not isinstance(schema, dict):
        return ""
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            return "additionalProperties must be false in every object"
        if sorted(schema.get("required", ())) != sorted(schema.get("properties", {})):
            return "every property must be required"
    return next(filter(None, map(_loose, schema.values())), "")
