"""Alerts, the messages about them, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from starlette.routing import Route

from wikicrawler import options
from wikicrawler.control.alerts import resolve_alerts
from wikicrawler.control.context import MAX_REASON
from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.dashboard.controls import context_of
from wikicrawler.dashboard.filters import Filters
from wikicrawler.dashboard.forms import control, text_of
from wikicrawler.dashboard.rendering import render
from wikicrawler.errors import ConfigError
from wikicrawler.sources.alerts.advice import ADVICE, advice_for
from wikicrawler.sources.alerts.book import DAY
from wikicrawler.sources.alerts.channels import read_channels
from wikicrawler.sources.alerts.events import AlertEvent, Severity
from wikicrawler.sources.alerts.outbox import MAX_AGE
from wikicrawler.sources.alerts.view import AlertPage, alert_page
from wikicrawler.text.safe import safe_lines

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings
    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.responses import Response

    from wikicrawler.sources.alerts.view import State

_STATES: dict[str, State] = {"open": "open", "resolved": "resolved", "all": "all"}
_SEVERITIES = {one.value: one.value for one in Severity}
_EVENTS = {one.value: one.value for one in AlertEvent}
_MAX_SELECTED = 500


class _Sending(NamedTuple):
    """How messages are sent."""

    channels: tuple[str, ...]
    """Their names, without secrets."""
    reminder: float
    """Seconds after which a message is repeated; 0: never."""
    max_age: float = MAX_AGE
    """Seconds after which a message that could not be delivered is given up."""


def show(request: Request) -> Response:
    """Show the alerts, the open ones by default."""
    filters = Filters(request)
    state = filters.word("state", _STATES, "open")
    severity = filters.word("severity", _SEVERITIES, "")
    event = filters.word("event", _EVENTS, "")
    subject = filters.text("subject")
    before = filters.number("before", 1)
    dashboard = dashboard_of(request)
    sending, wrong = None, ""
    try:
        sending = _sending(dashboard.settings)
    except ConfigError as error:
        wrong = safe_lines(error)
    found = AlertPage()
    if not filters.faults:
        found = alert_page(
            dashboard.database,
            state=state,
            severity=severity,
            event=event,
            subject=subject,
            before=before,
        )
    return render(
        request,
        "alerts.html",
        status=400 if filters.faults else 200,
        filters=filters,
        state=state,
        found=found,
        sending=sending,
        wrong=wrong,
        states=list(_STATES),
        severities=list(_SEVERITIES),
        events=list(_EVENTS),
        advice=ADVICE,
        advice_for=advice_for,
        max_reason=MAX_REASON,
    )


def _sending(settings: BaseSettings) -> _Sending:
    """
    :raises ConfigError: a setting is wrong
    """
    names = tuple(channel.name for channel in read_channels(settings))
    return _Sending(names, options.ALERT_REMINDER_DAYS.read(settings) * DAY)


def _resolve(request: Request, form: FormData) -> str:
    given = [value for value in form.getlist("id") if isinstance(value, str)]
    ids = [int(text) for text in given if text.isascii() and text.isdecimal() and len(text) < 10]
    if not ids:
        raise ConfigError("no alert is selected: tick those to resolve, then repeat")
    if len(ids) > _MAX_SELECTED:
        raise ConfigError(f"{len(ids)} alerts are selected: at most {_MAX_SELECTED} at once")
    reason = text_of(form, "reason", MAX_REASON)
    if not reason:
        raise ConfigError("the reason is missing: say why the alert is over, then repeat")
    done = resolve_alerts(context_of(request), ids, reason)
    if not done:
        raise ConfigError("nothing was resolved: no alert among them is open any more")
    left = len(set(ids)) - len(done)
    numbers = ", ".join(map(str, done[:20])) + (", …" if len(done) > 20 else "")
    said = f"Resolved: alert{'s' if len(done) > 1 else ''} {numbers}."
    return f"{said} {left} were not open any more." if left else said


ROUTES = (
    Route("/alerts", show, methods=["GET"]),
    control("/alerts/resolve", _resolve),
)
