"""All routes of the dashboard, as its application has them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from scrapy.settings import Settings
from starlette.routing import Mount, Route

from wikicrawler.dashboard.access.origins import Origins
from wikicrawler.dashboard.access.people import People
from wikicrawler.dashboard.access.sessions import Sessions
from wikicrawler.dashboard.app import create_app
from wikicrawler.dashboard.context import Dashboard

if TYPE_CHECKING:
    from collections.abc import Mapping

_PARAMETER = re.compile(r"{([a-z]+)(?::([a-z]+))?}")


def paths_of(method: str) -> list[str]:
    """The paths of all routes of *method*, with their parameters in braces."""
    app = create_app(
        Dashboard(Settings()),
        origins=Origins.of("127.0.0.1", 1),
        people=People(),
        sessions=Sessions("key", "mark", 1),
    )
    found = []
    for route in app.routes:
        if isinstance(route, Route):
            if method in (route.methods or ()):
                found.append(route.path)
        else:
            assert isinstance(route, Mount), route
            assert route.path == "/static"  # files of the package
    return found


def parameters_of(path: str) -> dict[str, str]:
    """The names of the parameters of *path*, each with its type or ``str``."""
    return {name: kind or "str" for name, kind in _PARAMETER.findall(path)}


def filled(path: str, values: Mapping[str, object]) -> str:
    """*path* with *values* for its parameters."""
    return _PARAMETER.sub(lambda found: quote(str(values[found[1]]), safe=""), path)
