"""What ``scrapy scheduler`` does."""

from __future__ import annotations

import json
import logging
import sys
from dataclasses import asdict
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.utils.log import configure_logging

from wikicrawler import options
from wikicrawler.commands.alerts_answer import check_alerts
from wikicrawler.commands.arguments import print_lines
from wikicrawler.commands.project import require_addon
from wikicrawler.control.context import Context
from wikicrawler.control.scheduler import pause_scheduler, resume_scheduler, scheduler_state
from wikicrawler.errors import ConfigError, ControlRefused, StoreError
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.sources.alerts.messages import moment
from wikicrawler.sources.scheduler.child import ChildCrawl
from wikicrawler.sources.scheduler.outlook import look
from wikicrawler.store.database import Database
from wikicrawler.text.safe import one_line, safe_lines

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings, Settings

    from wikicrawler.sources.scheduler.daemon import Crawls

logger = logging.getLogger(__name__)

_MISSING = "scrapy scheduler needs APScheduler (pip install 'wikicrawler[scheduler]')"


def answer(settings: Settings, opts: argparse.Namespace) -> int:
    """Run the daemon; return the exit code."""
    require_addon(settings)
    configure_logging(settings)
    try:
        for name, value in (("--every", opts.every), ("--longest", opts.longest)):
            if not 0 < value < inf:
                raise ConfigError(f"{name}: must be a number of seconds above 0")
        crawls = _crawls(settings, opts)
        try:
            from wikicrawler.sources.scheduler.daemon import Daemon  # noqa: PLC0415 - an extra
        except ImportError:
            raise ConfigError(_MISSING) from None
        _check(settings, opts.manifest)
    except ConfigError as error:
        sys.stderr.write(f"scrapy scheduler: error: {safe_lines(error)}\n")
        return ExitCode.BAD_CONFIGURATION
    daemon = Daemon(
        crawls,
        lambda: look(settings, opts.manifest),
        opts.every,
        lambda entries: check_alerts(settings, entries),
    )
    return daemon.run_once() if opts.once else daemon.run()


def steer(settings: BaseSettings, name: str, opts: argparse.Namespace) -> int:
    """Pause or resume the scheduler, or show whether it is paused; return the exit code."""
    require_addon(settings)
    try:
        if name == "status":
            state = scheduler_state(Database.from_settings(settings))
        else:
            control = pause_scheduler if name == "pause" else resume_scheduler
            state = control(Context.of(settings, opts.by), opts.why)
    except ControlRefused as error:
        sys.stderr.write(f"scrapy scheduler: {safe_lines(error)}\n")
        return ExitCode.FAILED
    except (ConfigError, StoreError) as error:
        sys.stderr.write(f"scrapy scheduler: error: {safe_lines(error)}\n")
        return ExitCode.BAD_CONFIGURATION
    if opts.json:
        print_lines([json.dumps(asdict(state))])
    else:
        how = "paused" if state.is_paused else "not paused"
        who = f", by {one_line(state.by, 80)}" if state.by else ""
        since = f" since {moment(state.since)}" if state.since is not None else ""
        why = f": {one_line(state.reason)}" if state.reason else ""
        print_lines([f"The scheduler is {how}{since}{who}{why}"])
    return ExitCode.OK


def _check(settings: BaseSettings, manifest: str | None) -> None:
    """Look once. A database that is unavailable may come back.

    :raises ConfigError: the manifest or the database cannot be used
    """
    try:
        look(settings, manifest)
    except StoreError as error:
        logger.warning("%s", error)


def _crawls(settings: BaseSettings, opts: argparse.Namespace) -> Crawls:
    url = opts.scrapyd or options.SCRAPYD_URL.read(settings)
    if not url:
        if opts.project:
            raise ConfigError("--project names a project of Scrapyd: --scrapyd URL is missing")
        return ChildCrawl(list(_command(opts)), opts.longest)
    try:
        from wikicrawler.sources.scheduler.scrapyd import ScrapydJobs  # noqa: PLC0415 - an extra
    except ImportError:
        raise ConfigError(_MISSING) from None
    arguments = {"scheduled": "true"}
    if opts.manifest:
        arguments["manifest"] = str(Path(opts.manifest).absolute())
    project = opts.project or str(settings["BOT_NAME"])
    return ScrapydJobs(url, project, arguments, opts.set)


def _command(opts: argparse.Namespace) -> Iterator[str]:
    """Yield the command line of ``scrapy due``, with the options that it shares."""
    yield from (sys.executable, "-m", "scrapy", "due")
    for name, value in (
        ("--manifest", opts.manifest),
        ("--logfile", opts.logfile),
        ("--loglevel", opts.loglevel),
    ):
        if value:
            yield from (name, value)
    if opts.nolog:
        yield "--nolog"
    for setting in opts.set:
        yield from ("-s", setting)
