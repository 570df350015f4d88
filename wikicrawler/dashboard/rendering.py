"""Pages from templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.dashboard.formats import FILTERS
from wikicrawler.dashboard.links import outside, site_path, source_path, why_path
from wikicrawler.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.responses import Response


class Place(NamedTuple):
    """An entry of the navigation."""

    path: str
    title: str


PLACES = (
    Place("/", "Overview"),
    Place("/errors", "Errors"),
    Place("/manifest", "Manifest"),
    Place("/runs", "Run control"),
    Place("/sites", "Sites"),
    Place("/costs", "Costs"),
    Place("/alerts", "Alerts"),
    Place("/audit", "Audit"),
    Place("/fields", "Fields"),
    Place("/reports", "Reports"),
)
_FLEET = Place("/fleet", "Fleet")
"""Shown where the project names a Redis."""


def query(values: Mapping[str, Any], **changes: Any) -> str:
    """Return *values* with *changes* as a query (``?a=b``), without those that are empty."""
    pairs = {**values, **changes}
    text = urlencode(
        {name: value for name, value in pairs.items() if value not in (None, "", False)}
    )
    return f"?{text}" if text else "?"


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("wikicrawler.dashboard"),
        autoescape=True,  # whatever the name of the template
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(FILTERS)
    environment.filters["outside"] = outside
    environment.globals.update(version=__version__, query=query)
    environment.globals.update(source_path=source_path, site_path=site_path, why_path=why_path)
    return environment


_TEMPLATES = _environment()


def render(
    request: Request,
    template: str,
    /,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> Response:
    """Return the page of *template* with *values*.

    Besides these a template has: ``path``, ``places`` (the navigation), ``here`` (the path of its
    entry), ``user``, ``csrf`` (for forms), ``read_only``, ``said`` and ``said_error`` (the message
    of the last control), ``can_log_out``.
    """
    session = request.state.session
    path, dashboard = request.url.path, dashboard_of(request)
    said, is_error = session.heard()
    text = _TEMPLATES.get_template(template).render(
        path=path,
        places=(*PLACES, _FLEET) if dashboard.redis else PLACES,
        here=_here(path),
        user=request.state.user,
        csrf=session.csrf,
        read_only=dashboard.read_only,
        can_log_out=bool(session.user),
        said=said,
        said_error=is_error,
        **values,
    )
    return HTMLResponse(text, status, headers)


def fragment(request: Request, template: str, /, **values: Any) -> str:
    """Return a part of a page that is sent by itself, as ``render`` does without the frame."""
    return _TEMPLATES.get_template(template).render(
        path=request.url.path,
        user=request.state.user,
        csrf=request.state.session.csrf,
        read_only=dashboard_of(request).read_only,
        **values,
    )


def _here(path: str) -> str:
    first = "/" + path.split("/", 2)[1]
    return "/" if first == "/sources" else first
