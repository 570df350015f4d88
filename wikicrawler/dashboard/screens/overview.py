"""All watched sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.routing import Route

from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.dashboard.rendering import render

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


def show(request: Request) -> Response:
    """Show the sources of the active manifest."""
    found = dashboard_of(request).manifest()
    activation, manifest = found or (None, None)
    return render(
        request,
        "overview.html",
        activation=activation,
        sources=manifest.active[:100] if manifest else [],
    )


ROUTES = (Route("/", show, methods=["GET"]),)
