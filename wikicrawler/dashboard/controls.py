"""What the controls of all screens share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.control.context import Context
from wikicrawler.dashboard.context import dashboard_of

if TYPE_CHECKING:
    from starlette.requests import Request


def context_of(request: Request) -> Context:
    """Return who uses a control, and with what."""
    dashboard = dashboard_of(request)
    return Context(
        dashboard.settings, dashboard.writable, str(request.state.user), request.state.via
    )
