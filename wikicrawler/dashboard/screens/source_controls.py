"""The controls of watched sources, for one of them or several."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wikicrawler.control.runs import run_sources
from wikicrawler.control.selection import Selection
from wikicrawler.control.sources import override_sources, pause_sources, resume_sources
from wikicrawler.dashboard.controls import context_of
from wikicrawler.dashboard.forms import control, text_of
from wikicrawler.errors import ControlRefused
from wikicrawler.text.safe import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.datastructures import FormData
    from starlette.requests import Request

_MAX_ID = 100
_MAX_NAMED = 5


def run(request: Request, form: FormData) -> str:
    """Visit the sources now, whether they are due or not."""
    started = run_sources(context_of(request), _chosen(form))
    return f"A crawl of {_several(started.sources or 0)} was started. Run control shows it."


def pause(request: Request, form: FormData) -> str:
    """Visit the sources no more, for the field ``reason``."""
    done = pause_sources(context_of(request), _chosen(form), text_of(form, "reason"))
    return f"Paused: {_named(done)}."


def resume(request: Request, form: FormData) -> str:
    """Visit the sources again."""
    return f"Resumed: {_named(resume_sources(context_of(request), _chosen(form)))}."


def override(request: Request, form: FormData) -> str:
    """Visit the sources once at the field ``at``, a time in UTC."""
    moment = _moment(text_of(form, "at", 40))
    done = override_sources(context_of(request), _chosen(form), moment.timestamp())
    return f"A visit is set for {moment:%Y-%m-%d %H:%M} UTC: {_named(done)}."


def _chosen(form: FormData) -> Selection:
    """Return the sources of the fields ``source``."""
    ids = [value.strip()[:_MAX_ID] for value in form.getlist("source") if isinstance(value, str)]
    ids = list(dict.fromkeys(filter(None, ids)))
    if not ids:
        raise ControlRefused("no source is chosen: tick the boxes of those that are meant")
    return Selection(ids=tuple(ids))


def _moment(text: str) -> datetime:
    """Return *text*, the value of a field for date and time, as a time in UTC."""
    try:
        found = datetime.fromisoformat(text)
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ControlRefused(
            f"{quoted(text, 40)} is not a time (like 2026-12-01T03:00, in UTC)"
        ) from None


def _several(count: int) -> str:
    return "1 source" if count == 1 else f"{count:,} sources"


def _named(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _MAX_NAMED} more" if len(ids) > _MAX_NAMED else ""
    return ", ".join(ids[:_MAX_NAMED]) + more


ROUTES = (
    control("/sources/run", run),
    control("/sources/pause", pause),
    control("/sources/resume", resume),
    control("/sources/override", override),
)
