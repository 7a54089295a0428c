"""The server that models' adapters are tested against is strict itself."""

from __future__ import annotations

from typing import Any

import httpx2 as httpx
import pytest

from tests.model_server import Breaks, ModelServer, Says, Text
from tests.model_server.interface import complaint

CLOSED = {
    "type": "object",
    "properties": {"a": {"type": "integer"}},
    "required": ["a"],
    "additionalProperties": False,
}


def request(**changes: object) -> dict[str, Any]:
    schema = {"name": "numbers", "schema": changes.pop("schema", CLOSED), "strict": True}
    return {
        "model": "small-model",
        "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "one two"}],
        "response_format": {"type": "json_schema", "json_schema": schema},
        "temperature": 0.7,
        "top_p": 0.8,
        "max_tokens": 9,
        "seed": 0,
    } | changes


def posted(server: ModelServer, **changes: object) -> httpx.Response:
    return httpx.post(f"{server.url}/chat/completions", json=request(**changes))


def test_it_tells_health_version_and_models(model_server: ModelServer) -> None:
    root = model_server.url.removesuffix("/v1")
    assert httpx.get(f"{root}/health").status_code == 200
    assert httpx.get(f"{root}/version").json() == {"version": "0.32.0"}
    (model,) = httpx.get(f"{root}/v1/models").json()["data"]
    assert model["id"] == "small-model"


def test_it_counts_calls_tokens_and_what_is_paid_twice(model_server: ModelServer) -> None:
    with model_server.anew(script=lambda _: Says({"a": 1})) as server:
        for seed in (0, 1, 0):
            assert posted(server, seed=seed).status_code == 200
        account = server.account("numbers")
        assert (account.calls, account.answered, account.input_tokens, account.output_tokens) == (
            3, 3, 9, 6,
        )  # fmt: skip
        assert server.paid_twice == 1
        assert server.account("other").calls == 0


def test_an_answer_that_breaks_off_is_not_paid(model_server: ModelServer) -> None:
    with model_server.anew(script=lambda _: Breaks()) as server:
        with pytest.raises(httpx.RemoteProtocolError):
            posted(server)
        assert (server.account("numbers").calls, server.account("numbers").answered) == (1, 0)


def test_an_answer_that_the_schema_refuses_fails_the_test(model_server: ModelServer) -> None:
    with (
        pytest.raises(AssertionError, match="does not fit the schema"),
        model_server.anew(script=lambda _: Says({"a": "one"})) as server,
    ):
        assert posted(server).status_code == 418


def test_a_loose_schema_fails_the_test(model_server: ModelServer) -> None:
    with (
        pytest.raises(AssertionError, match="additionalProperties"),
        model_server.anew(script=lambda _: Text("{}")) as server,
    ):
        assert posted(server, schema={"type": "object"}).status_code == 400


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        (CLOSED, ""),
        ({"type": "wrong"}, "wrong"),
        ({**CLOSED, "required": []}, "required"),
        ({"type": "array", "items": {"type": "object"}}, "additionalProperties"),
        ({**CLOSED, "$defs": {"x": {"type": "object"}}}, "additionalProperties"),
    ],
)
def test_what_is_strict(schema: dict[str, Any], says: str) -> None:
    assert (says in complaint(schema)) if says else complaint(schema) == ""


@pytest.mark.parametrize(
    "changes", [{"logprobs": True}, {"temperature": 3}, {"max_tokens": 0}, {"messages": []}]
)
def test_a_request_of_another_form_is_refused(
    model_server: ModelServer, changes: dict[str, object]
) -> None:
    assert posted(model_server, **changes).status_code == 400
