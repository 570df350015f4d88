"""The OpenAPI document of the API."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse
from starlette.routing import Route

from wikicrawler.dashboard.api.questions import QUESTIONS
from wikicrawler.dashboard.api.triggers import TRIGGERS
from wikicrawler.version import __version__

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wikicrawler.dashboard.api.operations import Operation

_PARAMETER = re.compile(r"\{(\w+)(?::(\w+))?\}")
_REF = "#/components/schemas/{model}"
_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {"error": {"type": "string", "description": "What is wrong, for people."}},
}
_FAILURES = {
    "400": "Something that was given is wrong.",
    "401": "The token is missing or wrong.",
    "403": "The dashboard is read-only, or the request is from a page of another site.",
    "404": "There is no such thing.",
    "409": "The control cannot be used this way now.",
    "503": "The database is unavailable.",
}


@cache
def document() -> dict[str, Any]:
    """Return the OpenAPI document."""
    paths: dict[str, dict[str, Any]] = {}
    schemas: dict[str, Any] = {"Error": _ERROR}
    for operation in (*QUESTIONS, *TRIGGERS):
        path = _PARAMETER.sub(r"{\1}", operation.path)
        paths.setdefault(path, {})[operation.method.lower()] = _operation(operation, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "wikicrawler",
            "version": __version__,
            "description": "Watched sources, crawls and sites of a project, and their controls.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }


def _operation(operation: Operation, schemas: dict[str, Any]) -> dict[str, Any]:
    model = operation.given.model_json_schema(ref_template=_REF)
    schemas.update(model.pop("$defs", {}))
    parameters = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "integer" if kind == "int" else "string"},
        }
        for name, kind in _PARAMETER.findall(operation.path)
    ]
    described: dict[str, Any] = {
        "operationId": operation.act.__name__.strip("_"),
        "summary": operation.summary,
        "responses": {
            "200": {
                "description": "Done.",
                "content": {"application/json": {"schema": {"type": "object"}}},
            },
            **{status: _failure(text) for status, text in _FAILURES.items()},
        },
    }
    if operation.method == "GET":
        parameters += [
            {"name": name, "in": "query", "schema": schema, "required": False}
            for name, schema in model.get("properties", {}).items()
        ]
    else:
        schemas[operation.given.__name__] = model
        content = {"schema": {"$ref": _REF.format(model=operation.given.__name__)}}
        described["requestBody"] = {
            "required": bool(model.get("required")),
            "content": {"application/json": content},
        }
    if parameters:
        described["parameters"] = parameters
    return described


def _failure(text: str) -> dict[str, Any]:
    content = {"schema": {"$ref": _REF.format(model="Error")}}
    return {"description": text, "content": {"application/json": content}}


async def _show(_: Request) -> Response:
    return JSONResponse(document())


ROUTES = (Route("/api/openapi.json", _show, methods=["GET"]),)
