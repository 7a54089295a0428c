"""The owner's HTTP interface: one URL an operation, described at `/openapi.json`.

Every request but the description bears the token of `owner.json`. An operation that writes
answers as JSON lines when asked to (`Accept: application/x-ndjson`): how far it is, then
`{"answer": …}` or `{"error": …}`.
"""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator, Callable
from functools import partial
from http import HTTPStatus
from importlib.metadata import version
from typing import Annotated, Any, Final

import structlog
from fastapi import Depends, FastAPI, HTTPException, Request, Response
from fastapi.openapi.utils import get_openapi
from fastapi.responses import StreamingResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import ValidationError
from pydantic.json_schema import models_json_schema
from starlette.exceptions import HTTPException as StarletteHTTPException

from contracts.frozen import Frozen
from streams.inputs.values import UnusableInput
from streams.operations import OPERATIONS, Operation
from streams.owner import JSON_LINES, URL_PREFIX
from streams.owner.failures import Failure, failure_of
from streams.owner.service import Service

_REFERENCE: Final = "#/components/schemas/{model}"
_log: Final = structlog.stdlib.get_logger()
_bearer: Final = HTTPBearer(auto_error=False, description="the token in owner.json")


def application(service: Service, token: str, stop: Callable[[], None]) -> FastAPI:
    """Return the application that serves `service` to whoever knows `token`."""

    def allowed(
        given: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
    ) -> None:
        if given is None or not hmac.compare_digest(given.credentials.encode(), token.encode()):
            raise HTTPException(401, "The token of owner.json in the home is wanted.")

    app = FastAPI(
        title="Storygraft",
        description="Serialized fiction, indexed: every answer as of a chapter.",
        docs_url=None,  # its page loads scripts from elsewhere
        redoc_url=None,
        exception_handlers={StarletteHTTPException: _refused},
    )
    for operation in OPERATIONS:
        app.add_api_route(
            URL_PREFIX + operation.name,
            _endpoint(service, operation),
            methods=["POST"],
            response_model=operation.answer,
            summary=operation.told,
            operation_id=operation.name,
            dependencies=[Depends(allowed)],
            responses={"default": {"model": Failure}},
            openapi_extra={"requestBody": _body_of(operation)},
        )

    @app.post(URL_PREFIX + "stop", dependencies=[Depends(allowed)], status_code=202)
    async def end() -> None:
        """End the owner once what is being answered is answered."""
        stop()

    app.openapi = partial(_described, app)  # type: ignore[method-assign]
    return app


def _endpoint(service: Service, operation: Operation[Any, Any]) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        try:
            asked = _parsed(operation, await request.body())
            if operation.is_watched and request.headers.get("accept") == JSON_LINES:
                return StreamingResponse(_lines(service, operation, asked), media_type=JSON_LINES)
            answer = await service.answer(operation, asked)
        except Exception as error:  # noqa: BLE001 - whatever it is, whoever asked is told
            return _failed(error)
        return _json(answer)

    return endpoint


def _parsed(operation: Operation[Any, Any], body: bytes) -> Frozen:
    # Read by our own contract, strict about unknown fields, and once: a novel is megabytes.
    try:
        asked: Frozen = operation.request.model_validate_json(body)
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, each['loc'])) or 'the body'}: {each['msg']}"
            for each in error.errors(include_url=False, include_input=False)
        )
        raise UnusableInput(f"The request cannot be used: {wrong}.") from error
    return asked


async def _lines(
    service: Service, operation: Operation[Any, Any], asked: Frozen
) -> AsyncIterator[bytes]:
    last: Frozen | None = None
    try:
        async for told in service.progress(operation, asked):
            if last is not None:
                yield last.to_json() + b"\n"
            last = told
    except Exception as error:  # noqa: BLE001 - as above
        yield b'{"error":' + failure_of(error)[1].to_json() + b"}\n"
        return
    if last is not None:
        yield b'{"answer":' + last.to_json() + b"}\n"


def _json(answer: Frozen, status: int = 200) -> Response:
    return Response(answer.to_json(), status, media_type="application/json")


def _failed(error: Exception) -> Response:
    status, failure = failure_of(error)
    if failure.kind == "defect":
        _log.error("defect", exc_info=error)
    return _json(failure, status)


async def _refused(_request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 500)
    text = getattr(error, "detail", "")
    return _json(Failure(kind=HTTPStatus(status).name.lower(), message=text), status)


# --- the description ----------------------------------------------------------------------------


def _body_of(operation: Operation[Any, Any]) -> dict[str, Any]:
    named = {"$ref": _REFERENCE.format(model=operation.request.__name__)}
    return {"required": True, "content": {"application/json": {"schema": named}}}


def _described(app: FastAPI) -> dict[str, Any]:
    """Return the description, with the shapes of the requests, which we read ourselves."""
    if app.openapi_schema is None:
        described = get_openapi(
            title=app.title,
            version=version("storygraft"),
            description=app.description,
            routes=app.routes,
        )
        requests = dict.fromkeys(operation.request for operation in OPERATIONS)
        _, shapes = models_json_schema(
            [(request, "validation") for request in requests], ref_template=_REFERENCE
        )
        described["components"]["schemas"].update(shapes["$defs"])
        app.openapi_schema = described
    return app.openapi_schema
