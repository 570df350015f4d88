"""Operations of the API: each one is a path with a model of what it is given.

The routes and the OpenAPI document are made from the same list.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse
from starlette.routing import Route

from wikicrawler.dashboard.api.plain import plain
from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.errors import ConfigError, ControlRefused, StoreError
from wikicrawler.sources.manifest.activation import ActivationRefused
from wikicrawler.text.safe import one_line, safe_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starlette.requests import Request
    from starlette.responses import Response

_MAX_FAULTS = 20
_REFUSED = {ConfigError: 400, ControlRefused: 409, ActivationRefused: 409, StoreError: 503}


class Given(BaseModel):
    """What an operation is given: the query of a question, the JSON of a trigger."""

    model_config = ConfigDict(extra="forbid", str_max_length=2_000, frozen=True)


class NotFound(Exception):  # noqa: N818 - an answer, not a failure
    """There is no such thing; the message says what."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation. *act* is called in a thread, and what it returns is sent as JSON.

    :param path: with parameters in braces, which *act* finds in ``request.path_params``
    """

    method: Literal["GET", "POST"]
    path: str
    summary: str
    act: Callable[[Request, Any], Any]
    given: type[Given] = Given


def routes_of(*operations: Operation) -> Iterator[Route]:
    """Yield the routes of *operations*."""
    for operation in operations:
        yield Route(
            operation.path,
            _endpoint(operation),
            methods=[operation.method],
            name=f"{operation.method} {operation.path}",
        )


def _endpoint(operation: Operation) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        if operation.method == "POST" and dashboard_of(request).read_only:
            return _error(403, "this dashboard is read-only (--read-only)")
        try:
            given = operation.given.model_validate(await _read(operation, request))
            found = await run_in_threadpool(operation.act, request, given)
            return JSONResponse(await run_in_threadpool(plain, found))
        except ValidationError as error:
            return _error(400, "\n".join(_faults(error)))
        except NotFound as error:
            return _error(404, str(error))
        except tuple(_REFUSED) as error:
            status = next(code for kind, code in _REFUSED.items() if isinstance(error, kind))
            return _error(status, str(error))
        except ValueError as error:
            return _error(400, str(error))

    return endpoint


async def _read(operation: Operation, request: Request) -> Any:
    """Return what *request* gives.

    :raises ValueError: it is not JSON, or a parameter is there twice
    """
    if operation.method == "POST":
        body = await request.body()
        if not body:
            return {}
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise ValueError("the body has to be JSON (Content-Type: application/json)")
        try:
            return json.loads(body)
        except RecursionError:
            raise ValueError("the JSON is nested too deep") from None
    pairs = request.query_params.multi_items()
    given = dict(pairs)
    if len(given) != len(pairs):
        raise ValueError("a parameter of the query is there twice")
    return given


def _faults(error: ValidationError) -> Iterator[str]:
    for fault in error.errors(include_url=False, include_context=False)[:_MAX_FAULTS]:
        where = ".".join(map(str, fault["loc"])) or "the request"
        got = "" if fault["type"] == "missing" else f", not {one_line(repr(fault['input']), 80)}"
        yield f"{one_line(where, 100)}: {fault['msg']}{got}"


def _error(status: int, why: str) -> Response:
    return JSONResponse({"error": safe_lines(why)}, status)
