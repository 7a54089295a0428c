"""The HTTP interface: chat completions, models, version, health."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import ValidationError

from contracts.clock import now_ms
from contracts.words import count_words
from tests.model_server.interface import Completion, complaint, misfit
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
    Text,
)

if TYPE_CHECKING:
    from tests.model_server.server import ModelServer

_LOOK_S = 0.01


def application(server: ModelServer) -> FastAPI:
    """Return the application that answers as `server` was told to."""
    app = FastAPI(openapi_url=None)

    @app.get("/health")
    async def health() -> Response:
        return Response()

    @app.get("/version")
    async def version() -> Response:
        return JSONResponse({"version": server.version}, status_code=200 if server.version else 404)

    @app.get("/v1/models")
    async def models() -> Response:
        told = {"id": server.model, "object": "model", "max_model_len": server.context}
        return JSONResponse({"object": "list", "data": [told]})

    @app.get("/accounts")
    async def accounts() -> Response:
        entries = [asdict(entry) for entry in server.accounts.entries]
        return JSONResponse({"calls": server.calls, "mistakes": server.mistakes, "paid": entries})

    @app.post("/tokenize")
    async def tokenize(request: Request) -> Response:
        if not server.counts:
            return JSONResponse({}, status_code=404)
        return JSONResponse({"count": count_words((await request.json())["prompt"])})

    @app.post("/v1/chat/completions")
    async def complete(request: Request) -> Response:
        return await _complete(server, request)

    return app


async def _complete(server: ModelServer, request: Request) -> Response:
    refused = _refused_caller(server, request)
    if refused:
        return refused
    try:
        asked = Completion.model_validate_json(await request.body())
    except ValidationError as error:
        return _failed(Fails(400, message=f"the request is malformed: {error}"))
    refused = _refused_request(server, asked)
    if refused:
        return refused
    heard = _heard(server, asked)
    server.heard.append(heard)
    server.accounts.by_purpose[heard.purpose].calls += 1
    with server.under_way():
        try:
            return await _replied(server, request, heard, server.script(heard))
        except Exception as error:  # noqa: BLE001 - a script's mistake must reach the test
            server.mistakes.append(f"{type(error).__name__}: {error}")
            return _failed(Fails(418, message="the script is wrong"))  # nobody retries it


def _refused_caller(server: ModelServer, request: Request) -> Response | None:
    server.headers = dict(request.headers)
    sent = request.headers.get("authorization", "").removeprefix("Bearer ")
    if server.key and sent != server.key:
        # OpenAI's own servers send back most of what they were sent; this one sends all of it.
        told = f"Incorrect API key provided: {sent}."
        return _failed(Fails(401, message=told, code="invalid_api_key"))
    return None


def _refused_request(server: ModelServer, asked: Completion) -> Response | None:
    if asked.model != server.model:
        told = f"The model `{asked.model}` does not exist."
        return _failed(Fails(404, message=told, type="NotFoundError", param="model"))
    wrong = complaint(asked.response_format.json_schema.schema_)
    if wrong:
        server.mistakes.append(f"the schema: {wrong}")
        told = f"Invalid schema for response_format: {wrong}"
        return _failed(Fails(400, message=told, param="response_format"))
    words = sum(count_words(message.content) for message in asked.messages)
    if words + asked.max_tokens > server.context:
        told = (
            f"This model's maximum context length is {server.context} tokens. However, your "
            f"request has {words} input tokens."
        )
        return _failed(Fails(400, message=told, type="BadRequestError"))
    return None


def _heard(server: ModelServer, asked: Completion) -> Heard:
    return Heard(
        number=len(server.heard),
        purpose=asked.response_format.json_schema.name,
        system=asked.messages[0].content,
        user=asked.messages[1].content,
        schema=asked.response_format.json_schema.schema_,
        temperature=asked.temperature,
        top_p=asked.top_p,
        max_tokens=asked.max_tokens,
        seed=asked.seed,
        at_ms=now_ms(),
    )


async def _replied(server: ModelServer, request: Request, heard: Heard, reply: Reply) -> Response:
    match reply:
        case Later():
            await asyncio.sleep(reply.seconds)
            return await _replied(server, request, heard, reply.reply)
        case Hangs():
            while not await request.is_disconnected():  # noqa: ASYNC110 - there is no event for it
                await asyncio.sleep(_LOOK_S)
            server.left += 1
            return Response()
        case Breaks():
            return StreamingResponse(_broken(), headers={"content-length": "1000"})
        case Fails():
            return _failed(reply)
        case Body():
            return Response(reply.content, media_type=reply.media_type)
    return _answered(server, heard, _spoken(heard, reply))


def _spoken(heard: Heard, reply: Says | Text | Rambles) -> Text:
    if isinstance(reply, Rambles):
        return Text(reply.word * heard.max_tokens, finish="length")
    if isinstance(reply, Says):
        wrong = misfit(heard.schema, reply.value)
        if wrong:
            raise ValueError(f"the answer does not fit the schema: {wrong}")
        return Text(json.dumps(reply.value, ensure_ascii=False))
    return reply


async def _broken() -> AsyncIterator[bytes]:
    yield b'{"choices": [{"message": {"content": "{'
    raise ConnectionResetError  # uvicorn closes the connection


def _answered(server: ModelServer, heard: Heard, said: Text) -> Response:
    cached = server.accounts.cached(f"{heard.system}\n{heard.user}")
    paid = server.accounts.answer(heard, said.text or "", cached)
    message = {"role": "assistant", "content": said.text, "refusal": said.refusal}
    return Response(
        # ASCII only: half a surrogate pair goes over the wire as an escape.
        json.dumps(
            {
                "id": f"chatcmpl-{heard.number}",
                "object": "chat.completion",
                "created": 0,
                "model": server.model,
                "choices": [{"index": 0, "message": message, "finish_reason": said.finish}],
                "usage": {
                    "prompt_tokens": paid[0],
                    "completion_tokens": paid[1],
                    "total_tokens": sum(paid),
                    "prompt_tokens_details": {"cached_tokens": cached},
                },
            }
        ),
        media_type="application/json",
    )


def _failed(fails: Fails) -> Response:
    told = {"message": fails.message, "type": fails.type, "param": fails.param, "code": fails.code}
    headers = {"retry-after": fails.retry_after} if fails.retry_after else {}
    error = {name: value or None for name, value in told.items()}
    return JSONResponse({"error": error}, status_code=fails.status, headers=headers)
