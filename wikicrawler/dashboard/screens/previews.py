"""Documents for the frames of previews.

Their paths are apart from those of the pages, and each answer has headers that put it into a
sandbox, also where somebody opens it without the frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.dashboard.preview import PREVIEW_HEADERS, original_document, preview_document
from wikicrawler.dashboard.preview.documents import document
from wikicrawler.dashboard.screens.source_frame import staged
from wikicrawler.sources.overview.versions import Unreadable, find_version, read_body
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from starlette.requests import Request

    from wikicrawler.sources.overview.versions import Body


def rendered(request: Request) -> Response:
    """Return the text of a version as it looks."""
    body = _body(request)
    if isinstance(body, str):
        return _answer(_said(body), 404)
    return _answer(preview_document(body.body, _title(body)))


def original(request: Request) -> Response:
    """Return the page of a version as its server sent it, without anything that acts."""
    body = _body(request)
    if isinstance(body, str):
        return _answer(_said(body), 404)
    if body.html is None:
        return _answer(_said("The version has no HTML: its document is of another type."))
    return _answer(original_document(body.html, _title(body)))


def _body(request: Request) -> Body | str:
    """Return what the envelope has that the path names, or why there is nothing."""
    staging, names = dashboard_of(request).staging, request.path_params
    with staged():
        version = find_version(staging, str(names["source"]), str(names["envelope"]))
        if version is None:
            return "There is no such version."
        body = read_body(staging, version)
    return f"The version cannot be shown: {body.why}." if isinstance(body, Unreadable) else body


def _title(body: Body) -> str:
    return one_line(body.title or body.version.url, 200)


def _said(sentence: str) -> str:
    return document(Markup("<p>{}</p>").format(sentence), title="Preview")


def _answer(html: str, status: int = 200) -> Response:
    # A lone surrogate is a character that UTF-8 does not have.
    return Response(html.encode("utf-8", "replace"), status, PREVIEW_HEADERS)


ROUTES = (
    Route("/preview/{source}/{envelope}/rendered", rendered, methods=["GET"]),
    Route("/preview/{source}/{envelope}/original", original, methods=["GET"]),
)
