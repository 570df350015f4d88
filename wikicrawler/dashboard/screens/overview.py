"""All watched sources: filtered, sorted, a page at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.routing import Route

from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.dashboard.pictures import sparkline
from wikicrawler.dashboard.queries import choice_in, page_in, text_in
from wikicrawler.dashboard.rendering import query, render
from wikicrawler.sources.overview.listing import CHANGE_DAYS, MAX_TEXT, Asked, SortBy
from wikicrawler.sources.overview.status import Status

if TYPE_CHECKING:
    from markupsafe import Markup
    from starlette.requests import Request
    from starlette.responses import Response

    from wikicrawler.sources.overview.listing import Choices, SourceLine

FILTERS = ("regulatory_domain", "jurisdiction", "source_type", "priority")
"""Fields of the manifest by which sources are filtered; parameters of the same names."""


def show(request: Request) -> Response:
    """Show a page of the sources of the active manifest.

    Parameters: ``status``, those of :data:`FILTERS`, ``q`` (words), ``sort``, ``desc``, ``page``.
    """
    dashboard = dashboard_of(request)
    active = dashboard.directory.current()
    values = {name: text_in(request, name) for name in FILTERS}
    asked = Asked(
        status=choice_in(request, "status", Status),
        text=text_in(request, "q", MAX_TEXT),
        sort=choice_in(request, "sort", SortBy) or SortBy.MANIFEST,
        descending=text_in(request, "desc") == "1",
        page=page_in(request),
        **values,
    )
    found = active.overview.page(dashboard.database, asked)
    kept = {
        **values,
        "status": asked.status,
        "q": asked.text,
        "sort": "" if asked.sort is SortBy.MANIFEST else asked.sort,
        "desc": "1" if asked.descending else "",
    }
    return render(
        request,
        "overview.html",
        activation=active.activation,
        faults=active.faults,
        found=found,
        filters=_filters(active.overview.choices),
        values=kept,
        is_filtered=any(kept[name] for name in (*FILTERS, "status", "q")),
        here_path=f"/{query({**kept, 'page': found.page if found.page > 1 else ''})}",
        sort=asked.sort,
        descending=asked.descending,
        statuses=list(Status),
        days=CHANGE_DAYS,
        changes=_changes,
    )


def _filters(choices: Choices) -> dict[str, tuple[str, tuple[tuple[str, int], ...]]]:
    """Return the label and the values of each filter."""
    return {
        "regulatory_domain": ("Regulatory domain", choices.regulatory_domains),
        "jurisdiction": ("Jurisdiction", choices.jurisdictions),
        "source_type": ("Type", choices.source_types),
        "priority": ("Priority", choices.priorities),
    }


def _changes(line: SourceLine) -> Markup:
    """Return the changes of a source as a picture."""
    title = f"Changes of the last {CHANGE_DAYS} days"
    return sparkline(line.changes, key=f"changes-{line.source.id}", title=title, table=False)


ROUTES = (Route("/", show, methods=["GET"]),)
