"""Sites: their tiers, what was learned, their pauses; and why a page goes as it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.routing import Route

from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.dashboard.filters import Filters
from wikicrawler.dashboard.rendering import query, render
from wikicrawler.dashboard.running.choices import PAUSES
from wikicrawler.dashboard.sites.site_pictures import (
    latency_pictures,
    results_in_time,
    tier_bar,
    tiers_in_time,
)
from wikicrawler.dashboard.sites.why import asked_url, steps_of
from wikicrawler.explain.page_text import choice_facts, page_facts, page_lines
from wikicrawler.explain.queries import explain_site
from wikicrawler.explain.site_attempts import last_attempts
from wikicrawler.explain.sites import DAYS, current_hold, site_view, sites_page
from wikicrawler.store.site_figures import ORDERS
from wikicrawler.urls.sites import host_of, site_of_host

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wikicrawler.explain.facts import PageExplanation

_MAX_NAME = 2_000
_ATTEMPTS = 20
"""Attempts that are listed, of a site or beside an explanation."""
_MAX_ATTEMPTS = 200
_MAX_HOSTS = 50
_ORDERS = {name: name for name in ORDERS}
_PAUSED = {"1": True}


def show(request: Request) -> Response:
    """Show a page of the sites.

    Parameters: ``q`` (a part of the name), ``paused``, ``sort``, ``desc``, ``page``.
    """
    filters = Filters(request)
    text = filters.text("q", 200)
    only_paused = filters.word("paused", _PAUSED, default=False)
    sort = filters.choice("sort", _ORDERS)
    descending = filters.text("desc") == "1" if sort else True
    page = filters.number("page", 1, 1_000_000) or 1
    found = None
    if not filters.faults:
        found = sites_page(
            dashboard_of(request).database,
            text=text,
            only_paused=only_paused,
            order=sort or "last_attempt_at",
            descending=descending,
            page=page,
        )
    values = {name: filters.values.get(name, "") for name in ("q", "paused", "sort", "desc")}
    return render(
        request,
        "sites.html",
        status=400 if filters.faults else 200,
        filters=filters,
        values=values,
        found=found,
        sort=sort or "last_attempt_at",
        descending=descending,
        days=DAYS,
        tier_bar=tier_bar,
        here_path="/sites" + query(values, page=found.page if found and found.page > 1 else ""),
    )


def show_site(request: Request) -> Response:
    """Show one site in time."""
    site = _site(request)
    view = site_view(dashboard_of(request).database, site)
    if view is None:
        raise HTTPException(
            404,
            "Nothing is recorded about this site. Crawls record attempts with "
            "WIKICRAWLER_RECORD_ATTEMPTS or a learning policy; the page Sites lists those known.",
        )
    domain = site_of_host(host_of(f"https://{site}/"))
    return render(
        request,
        "site.html",
        view=view,
        line=view.line,
        whole=domain if domain not in ("", site) else "",
        days=DAYS,
        bar=tier_bar(view.line, "tiers"),
        in_time=tiers_in_time(view),
        results=results_in_time(view),
        latencies=latency_pictures(view),
        pauses=PAUSES,
    )


def show_learned(request: Request) -> Response:
    """Show what was learned of a site; it may take seconds with many attempts."""
    dashboard, site = dashboard_of(request), _site(request)
    attempts = last_attempts(dashboard.database, site, _ATTEMPTS)
    history, _ = explain_site(dashboard.settings, site)
    explained = None
    if attempts:
        explained = dashboard.explanations.explain(attempts[0].url, 0)
    return render(
        request,
        "site_learned.html",
        site=site,
        page=explained,
        attempts=attempts,
        history=history,
        hosts=history.hosts[:_MAX_HOSTS] if history else (),
    )


def why(request: Request) -> Response:
    """Explain the tiers of the page at the parameter ``url``; no request is sent to it.

    Further parameter: ``attempts``, the maximum number of attempts that are listed.
    """
    dashboard = dashboard_of(request)
    given = request.query_params.get("url", "").strip()
    filters = Filters(request)
    attempts = filters.number("attempts", 0, _MAX_ATTEMPTS)
    page: PageExplanation | None = None
    if given and not filters.faults:
        try:
            url = asked_url(given)
        except ValueError as error:
            filters.faults.append(str(error))
        else:
            number = _ATTEMPTS if attempts is None else attempts
            page = dashboard.explanations.explain(url, number)
    return render(
        request,
        "sites_why.html",
        status=400 if filters.faults else 200,
        filters=filters,
        given=given[:_MAX_NAME],
        usual=_ATTEMPTS,
        most=_MAX_ATTEMPTS,
        page=page,
        held=current_hold(dashboard.database, page.budget.name) if page else None,
        steps=steps_of(page) if page else (),
        facts=[*page_facts(page), *choice_facts(page)] if page else (),
        text="\n".join(page_lines(page)) if page else "",
    )


def _site(request: Request) -> str:
    site: str = request.path_params["site"][:_MAX_NAME]
    return site


ROUTES = (
    Route("/sites", show, methods=["GET"]),
    Route("/sites/why", why, methods=["GET"]),
    Route("/sites/{site}", show_site, methods=["GET"]),
    Route("/sites/{site}/learned", show_learned, methods=["GET"]),
)
