"""What the controls of all screens share."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING

from wikicrawler.control.context import Context
from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.errors import ConfigError, ControlRefused

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.datastructures import FormData
    from starlette.requests import Request


def context_of(request: Request) -> Context:
    """Return who uses a control, and with what."""
    dashboard = dashboard_of(request)
    return Context(
        dashboard.settings, dashboard.writable, str(request.state.user), request.state.via
    )


def answered(act: Callable[[Request, FormData], str]) -> Callable[[Request, FormData], str]:
    """Return *act* for :func:`~wikicrawler.dashboard.forms.control`: a control that is refused
    says why on the page before."""

    @wraps(act)
    def checked(request: Request, form: FormData) -> str:
        try:
            return act(request, form)
        except ControlRefused as error:
            raise ConfigError(str(error)) from error

    return checked
