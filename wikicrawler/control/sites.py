"""Controls of sites: nothing is asked of one that is paused."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from time import time
from typing import TYPE_CHECKING

from wikicrawler.audit.control import Control
from wikicrawler.config import Config
from wikicrawler.control.context import shown_reason, shown_time
from wikicrawler.errors import ControlRefused
from wikicrawler.store.site_holds import SiteHold, all_holds, find_hold, save_hold
from wikicrawler.store.sites import all_sites, find_site
from wikicrawler.text.safe import quoted
from wikicrawler.urls.addresses import parse_url, redact

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from wikicrawler.control.context import Context
    from wikicrawler.store.database import Database
    from wikicrawler.store.sites import Site

LONGEST = 366 * 86_400.0
"""Maximum length of a pause in seconds."""


@dataclass(frozen=True, slots=True)
class SiteState:
    """A site (a politeness budget). Times are seconds since the epoch."""

    site: str
    held_until: float | None
    """End of the pause by an operator; None if there is none now."""
    held_by: str | None
    """Who paused or released it last."""
    held_since: float | None
    """When that was."""
    hold_reason: str
    paused_until: float | None
    """End of the pause because it blocked every tier; None if there is none now."""
    pause_reason: str | None
    risk_level: int
    attempt_count: int
    last_attempt_at: float | None


def pause_site(
    context: Context,
    site: str,
    *,
    seconds: float | None = None,
    until: float | None = None,
    reason: str = "",
) -> SiteState:
    """Ask nothing of a site for so many *seconds*, or *until* a moment in seconds since the epoch.
    Crawls that run wait with its pages from a few seconds after it on.

    :param site: its name, a host of it, or a URL
    :raises ControlRefused: the site, or the end, is wrong
    :raises StoreError: the database is unavailable
    """
    now = time()
    if (seconds is None) == (until is None):
        raise ControlRefused("give the length of the pause, or its end")
    end = now + seconds if seconds is not None else until
    if end is None or not isfinite(end) or not now < end <= now + LONGEST:
        raise ControlRefused("a pause ends in the future, and within 366 days (like 2h)")
    return _change(context, site, end, reason, now)


def release_site(context: Context, site: str, reason: str = "") -> SiteState:
    """End the pauses of a site, those by crawls too.

    :param site: its name, a host of it, or a URL
    :raises ControlRefused: the site is not paused, or is none
    :raises StoreError: the database is unavailable
    """
    return _change(context, site, None, reason, time())


def list_sites(database: Database) -> list[SiteState]:
    """Return all sites that were asked, paused or released, by name.

    :raises StoreError: the database is unavailable
    """
    if not database.has_tables():
        return []
    with database.read() as connection:
        known = {site.site: site for site in all_sites(connection)}
        holds = {hold.site: hold for hold in all_holds(connection)}
    now = time()
    return [_state(name, known.get(name), holds.get(name), now) for name in sorted(known | holds)]


def site_name(settings: BaseSettings, text: str) -> str:
    """Return the name of the site of *text*: a URL, or the name of a host or site.

    :raises ControlRefused: it is none
    """
    given = text.strip()
    try:
        url = parse_url(given if "://" in given else f"http://{given}/")
    except ValueError as error:
        shown = quoted(redact(given), 80)
        raise ControlRefused(f"{shown} is not a site: it {error} (like example.org)") from None
    return Config.from_settings(settings).budget_of(url)


def _change(context: Context, site: str, end: float | None, reason: str, now: float) -> SiteState:
    name, why = site_name(context.settings, site), shown_reason(reason)
    with context.database.write() as connection:
        before = _state(name, find_site(connection, name), find_hold(connection, name), now)
        if end is None and before.held_until is None and before.paused_until is None:
            raise ControlRefused(f"{quoted(name, 80)} is not paused (scrapy sites lists those)")
        hold = SiteHold(name, now, context.by, end, why)
        save_hold(connection, hold)
        action = "site.release" if end is None else "site.pause"
        detail = {
            "reason": why,
            "until": shown_time(end),
            "was_held_until": shown_time(before.held_until),
        }
        context.record(connection, [Control(action, name, detail)], now)
        return _state(name, find_site(connection, name), hold, now)


def _state(name: str, site: Site | None, hold: SiteHold | None, now: float) -> SiteState:
    held_until = hold.held_until if hold and (hold.held_until or 0.0) > now else None
    is_paused = site is not None and (site.paused_until or 0.0) > now
    return SiteState(
        site=name,
        held_until=held_until,
        held_by=hold.changed_by if hold else None,
        held_since=hold.changed_at if hold else None,
        hold_reason=hold.reason if hold else "",
        paused_until=site.paused_until if site and is_paused else None,
        pause_reason=site.reason if site else None,
        risk_level=site.risk_level if site else 0,
        attempt_count=site.attempt_count if site else 0,
        last_attempt_at=site.last_attempt_at if site else None,
    )
