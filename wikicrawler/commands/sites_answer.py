"""What ``scrapy sites`` does."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from wikicrawler.commands.arguments import print_lines
from wikicrawler.commands.project import require_addon
from wikicrawler.control.context import Context
from wikicrawler.control.sites import list_sites, pause_site, release_site
from wikicrawler.errors import ConfigError, ControlRefused, StoreError
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.sources.alerts.messages import moment
from wikicrawler.store.database import Database
from wikicrawler.text.safe import one_line, quoted, safe_lines

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from scrapy.settings import BaseSettings

    from wikicrawler.control.sites import SiteState

_TIME = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,3})?)([smhd]?)")
_SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}


def show(settings: BaseSettings, *, every: bool, as_json: bool) -> int:
    """Print the sites; return the exit code."""
    require_addon(settings)
    try:
        found = list_sites(Database.from_settings(settings, read_only=True))
    except (ConfigError, StoreError) as error:
        return _report(error)
    shown = [site for site in found if every or site.held_until or site.paused_until]
    if shown or as_json:
        _print(shown, as_json=as_json)
    else:
        print_lines(["no site is paused"])
    return ExitCode.OK


def pause(settings: BaseSettings, site: str, opts: argparse.Namespace) -> int:
    """Pause a site; return the exit code."""

    def control(context: Context) -> SiteState:
        return pause_site(context, site, seconds=seconds_of(opts.time), reason=opts.why)

    return _use(settings, opts, control)


def release(settings: BaseSettings, site: str, opts: argparse.Namespace) -> int:
    """End the pauses of a site; return the exit code."""
    return _use(settings, opts, lambda context: release_site(context, site, opts.why))


def seconds_of(text: str) -> float:
    """Return the seconds of a time like ``2h``.

    :raises ConfigError: it is none
    """
    found = _TIME.fullmatch(text[:40].strip())
    if found is None:
        raise ConfigError(f"--for {quoted(text, 40)}: not a time like 90s, 30m, 2h or 1d")
    return float(found[1]) * _SECONDS[found[2]]


def _use(
    settings: BaseSettings, opts: argparse.Namespace, control: Callable[[Context], SiteState]
) -> int:
    require_addon(settings)
    try:
        state = control(Context.of(settings, opts.by))
    except ControlRefused as error:
        sys.stderr.write(f"scrapy sites: {safe_lines(error)}\n")
        return ExitCode.FAILED
    except (ConfigError, StoreError) as error:
        return _report(error)
    _print([state], as_json=opts.json)
    return ExitCode.OK


def _print(sites: Sequence[SiteState], *, as_json: bool) -> None:
    if as_json:
        print_lines(json.dumps(asdict(site)) for site in sites)
    else:
        print_lines(map(_line, sites))


def _line(site: SiteState) -> str:
    parts = [one_line(site.site, 200)]
    if site.held_until is not None:
        why = f": {one_line(site.hold_reason)}" if site.hold_reason else ""
        by = one_line(site.held_by, 80)
        parts.append(f"paused until {moment(site.held_until)} by {by}{why}")
    if site.paused_until is not None:
        why = one_line(site.pause_reason or "blocked", 80)
        parts.append(f"blocks every tier ({why}): left alone until {moment(site.paused_until)}")
    if len(parts) == 1:
        parts.append("not paused")
    return "  ".join(parts)


def _report(error: Exception) -> int:
    sys.stderr.write(f"scrapy sites: error: {safe_lines(error)}\n")
    return ExitCode.BAD_CONFIGURATION
