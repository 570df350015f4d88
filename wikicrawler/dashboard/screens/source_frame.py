"""What all pages of a source share: which source it is, its head and its tabs."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.exceptions import HTTPException

from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.dashboard.rendering import render
from wikicrawler.errors import StoreError
from wikicrawler.sources.overview.source import is_source_id, runs
from wikicrawler.text.safe import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request
    from starlette.responses import Response

    from wikicrawler.dashboard.context import Dashboard
    from wikicrawler.sources.overview.listing import SourceLine


class Tab(NamedTuple):
    """A page of a source."""

    name: str
    """In its path; empty for the first one."""
    title: str


TABS = (
    Tab("", "Runs"),
    Tab("documents", "Documents"),
    Tab("versions", "Versions"),
    Tab("calendar", "Calendar"),
    Tab("errors", "Errors"),
    Tab("schedule", "Schedule"),
    Tab("entry", "Manifest entry"),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """The source that a page is about."""

    id: str
    line: SourceLine | None
    """None: it has been visited, but the active manifest does not have it any more."""
    dashboard: Dashboard


def source_of(request: Request) -> Asked:
    """Return the source that the path names.

    :raises HTTPException: there is no such source, now or before
    :raises StoreError: the database is unavailable
    """
    dashboard, source_id = dashboard_of(request), str(request.path_params["source"])
    if is_source_id(source_id):
        line = dashboard.directory.current().overview.line(dashboard.database, source_id)
        if line is not None or runs(dashboard.database, source_id, limit=1).visits:
            return Asked(source_id, line, dashboard)
    raise HTTPException(
        404,
        f"The active manifest has no source {quoted(source_id, 80)}, and none was visited. "
        "The overview lists the sources.",
    )


def render_source(
    request: Request, asked: Asked, template: str, tab: str, **values: Any
) -> Response:
    """Return the page of *template* below the head of a source.

    :param tab: name of the tab that it belongs to
    """
    here = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return render(
        request,
        template,
        source_id=asked.id,
        line=asked.line,
        tabs=TABS,
        tab=tab,
        here_path=here,
        **values,
    )


@contextmanager
def staged() -> Iterator[None]:
    """Report a staging folder that cannot be read as StoreError."""
    try:
        yield
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise StoreError(
            f"the staging folder cannot be read: {why} (WIKICRAWLER_STAGING names it)"
        ) from error
