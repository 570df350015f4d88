"""The proof that nobody changed the audit log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.datastructures import UploadFile
from starlette.routing import Route

from wikicrawler.audit.anchor import anchor_line, anchor_of, parse_anchors
from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.dashboard.downloads import download
from wikicrawler.dashboard.forms import control, text_of
from wikicrawler.dashboard.rendering import render
from wikicrawler.errors import ConfigError
from wikicrawler.store.audit_chain import Head, head
from wikicrawler.store.chain_text import GENESIS

if TYPE_CHECKING:
    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.responses import Response

    from wikicrawler.audit.anchor import Anchor
    from wikicrawler.store.database import Database

MAX_UNFINISHED = 50
_MAX_FILE = 4 << 20
_FILE = "the anchor file"


def show(request: Request) -> Response:
    """Show the verification that runs, and the last one."""
    dashboard = dashboard_of(request)
    now, last = dashboard.verifying.state()
    return render(
        request,
        "audit_verification.html",
        now=now,
        last=last,
        most=MAX_UNFINISHED,
        head=_head(dashboard.database),
    )


def anchor(request: Request) -> Response:
    """Return the end of the chain as an anchor file of one line."""
    line = anchor_line(anchor_of(_head(dashboard_of(request).database)))
    return download([line.rstrip("\n")], "wikicrawler-anchor.jsonl", "application/jsonl")


def _verify(request: Request, form: FormData) -> str:
    anchors = _anchors(form)
    by = str(request.state.user)
    with_sums = bool(text_of(form, "sums", 10))
    if not dashboard_of(request).verifying.start(by, anchors, with_sums=with_sums):
        raise ConfigError("a verification runs already: wait for its result")
    return "The verification has started."


def _anchors(form: FormData) -> list[Anchor]:
    given = form.get("anchors")
    if not isinstance(given, UploadFile):
        return []
    data = given.file.read(_MAX_FILE + 1)
    if len(data) > _MAX_FILE:
        raise ConfigError(
            f"{_FILE} has more than {_MAX_FILE >> 20} MiB: scrapy audit verify reads it"
        )
    return parse_anchors(data, _FILE) if data or given.filename else []


def _head(database: Database) -> Head:
    if not database.has_tables():
        return Head(0, GENESIS)
    with database.read() as connection:
        return head(connection)


ROUTES = (
    Route("/audit/verification", show, methods=["GET"]),
    Route("/audit/anchor", anchor, methods=["GET"]),
    control("/audit/verify", _verify),
)
