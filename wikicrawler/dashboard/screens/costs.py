"""Costs: credits, tokens and money of a month, their forecast and the limits."""

from __future__ import annotations

from datetime import UTC, datetime
from time import time
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.routing import Route

from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.dashboard.costs.cost_pictures import cost_pictures
from wikicrawler.dashboard.costs.limits import limit_state
from wikicrawler.dashboard.downloads import download
from wikicrawler.dashboard.rendering import render
from wikicrawler.spending.costs import MAX_SOURCES, month_costs
from wikicrawler.spending.costs_table import COLUMNS, cost_rows
from wikicrawler.spending.history import months_with_costs
from wikicrawler.spending.months import month_of
from wikicrawler.text.spreadsheet import csv_lines

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wikicrawler.spending.costs import MonthCosts


def show(request: Request) -> Response:
    """Show the costs of the parameter ``month``, like ``2026-08``; without it of this month."""
    now = time()
    costs = _costs(request, now)
    this = month_of(now)
    history = months_with_costs(dashboard_of(request).database)
    return render(
        request,
        "costs.html",
        costs=costs,
        is_now=costs.month == this,
        is_later=costs.month > this,
        this=this,
        history=history,
        months=sorted({this, costs.month, *(one.month for one in history)}, reverse=True),
        pictures=cost_pictures(costs, datetime.fromtimestamp(now, UTC).date()),
        limits=[(one, limit_state(one)) for one in costs.services if one.limit is not None],
        most=MAX_SOURCES,
    )


def export(request: Request) -> Response:
    """Return the costs of a month as a file."""
    costs = _costs(request, time())
    rows = csv_lines(COLUMNS, cost_rows(costs))
    return download(rows, f"wikicrawler-costs-{costs.month}.csv", "text/csv")


def _costs(request: Request, now: float) -> MonthCosts:
    dashboard = dashboard_of(request)
    month = request.query_params.get("month", "").strip()
    try:
        return month_costs(dashboard.settings, dashboard.database, now, month)
    except ValueError as error:
        raise HTTPException(400, f"{error}. The page Costs lists the months.") from None


ROUTES = (
    Route("/costs", show, methods=["GET"]),
    Route("/costs/export", export, methods=["GET"]),
)
