"""The summary at the end of a crawl, with hints if something went wrong."""

from __future__ import annotations

import logging
import os
import sys
from itertools import chain, repeat
from textwrap import wrap
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured

from wikicrawler import options
from wikicrawler.errors import Reason
from wikicrawler.politeness.throttle import DomainThrottle
from wikicrawler.process.command import is_crawl
from wikicrawler.scope.robots_rules import HOW_TO_IGNORE
from wikicrawler.scope.traps import LeftOut
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

_MAX_SITES = 5
_SINCE = "wikicrawler/since/pages/"
_SINCE_COUNT = "wikicrawler/since/known_count"
_ADVICE = {
    Reason.ROBOTS: "robots.txt forbids the pages, or could not be read: see the skipped pages",
    Reason.BLOCKED: "the sites refuse the crawler: a longer delay, or the browser tier, may help",
    Reason.BLOCKED_CAPTCHA: "the sites ask for a captcha: a longer delay may help",
    Reason.CONSENT: "the sites ask for consent before they show a page",
    Reason.LOGIN: "the sites show their pages to members only: for wikis see login in sources.yml",
    Reason.JS_SHELL: "the pages are built by scripts: they need the browser tier",
    Reason.NOINDEX: "the pages ask robots not to index them",
    Reason.NETWORK: "the servers could not be reached: check the host names and the network",
    Reason.PRIVATE_ADDRESS: f"the pages lead to private addresses: {options.PRIVATE_HOSTS.name} "
    "names those that may be crawled",
    Reason.REDIRECT: "the pages redirect endlessly or to an invalid URL: check the seeds; if a "
    "site requires cookies, COOKIES_ENABLED or the browser tier may help",
    Reason.TIMEOUT: "the servers did not answer in time: see DOWNLOAD_TIMEOUT",
    Reason.MISSING: "the pages do not exist: check the seeds for typos",
    Reason.BROWSER_DOWN: "crawl4ai was down or too busy: see the log, then crawl the pages again",
    Reason.BROWSER_CONFIG: f"crawl4ai refuses its configuration: see {options.CRAWL4AI_URL.name} "
    f"and {options.CRAWL4AI_API_TOKEN.name}",
    Reason.SERVICE_DOWN: "a service was down or too busy: see the log, then crawl the pages again",
    Reason.SERVICE_CONFIG: "a service refuses its key, its configuration or more requests, or its "
    f"credits ({options.CREDITS.name}) are used up: see the log",
    Reason.PAUSED: "sites that block every tier are paused: crawl them later, with a longer delay",
    Reason.NO_TIER: "no tier could be tried: see tiers in sources.yml",
}


class CrawlSummary:
    """Scrapy extension that logs a summary at INFO at the very end of a crawl.

    Only for ``scrapy crawl``, not for ``shell``, ``fetch``, ``parse`` and ``check``. Setting:
    ``WIKICRAWLER_SUMMARY_ENABLED`` (default: True).
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._started = monotonic()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        enabled = options.SUMMARY_ENABLED.read(crawler.settings)
        if not enabled or not is_crawl(crawler):
            raise NotConfigured
        extension = cls(crawler)
        crawler.signals.connect(extension.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(extension.engine_stopped, signal=signals.engine_stopped)
        return extension

    def spider_opened(self) -> None:
        self._started = monotonic()

    def engine_stopped(self) -> None:  # after Scrapy's own dump of the stats
        stats = self._crawler.stats.get_stats()
        elapsed = monotonic() - self._started
        width = None if self._crawler.settings["LOG_FILE"] else terminal_width()
        delays = site_delays(self._crawler)
        settings = self._crawler.settings
        job = options.FRONTIER_JOB.read(settings) if options.FRONTIER.read(settings) else None
        text = summary_text(stats, elapsed, delays, width=width, job=job)
        logger.info("Summary\n%s", text)


def terminal_width() -> int | None:
    """Return the columns of the terminal that the log goes to; None if it is no terminal."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or None
    except (OSError, ValueError, AttributeError):  # a pipe or file; a closed stream; none
        return None


def summary_text(
    stats: Mapping[str, Any],
    elapsed: float,
    delays: Mapping[str, float] | None = None,
    *,
    width: int | None = None,
    job: str | None = None,
) -> str:
    """Return the summary of a crawl, one indented line for each row.

    :param stats: Scrapy's stats
    :param elapsed: duration of the crawl in seconds
    :param delays: final delays of the throttle in seconds, by site
    :param width: columns of the terminal: longer rows continue on further lines, at a word
    :param job: name of the crawl that workers share; None: it has one worker
    """
    rows = [
        ("finish reason", one_line(stats.get("finish_reason", "unknown"), 80)),
        ("elapsed", clock(elapsed)),
        *count_rows(stats),
    ]
    slowest = sorted((delays or {}).items(), key=lambda item: (-item[1], item[0]))[:_MAX_SITES]
    if slowest:
        delayed = ", ".join(f"{one_line(site, 80)} {delay:.1f} s" for site, delay in slowest)
        rows.append(("longest delays", delayed))
    rows += [("hint", hint) for hint in _hints(stats, job)]
    return rows_text(rows, width=width)


def count_rows(stats: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return label and text of the rows that count, for the *stats* of a crawl."""
    rows: list[tuple[str, str]] = []

    def row(label: str, count: int, parts: list[tuple[str, int]]) -> None:
        rows.append((label, f"{count:,}" + (f"  ({format_counts(parts)})" if parts else "")))

    watches = "sources/visit_count" in stats  # whose items are documents and visits
    row("items written" if watches else "pages written", stats.get("item_scraped_count", 0), [])
    by_tier = counts_under(stats, "tier/page_count/")
    if by_tier:
        row("pages fetched", sum(count for _, count in by_tier), by_tier)
    if dropped := counts_under(stats, "item_dropped_reasons_count/"):
        row("items dropped", stats.get("item_dropped_count", 0), dropped)
    if _SINCE_COUNT in stats or counts_under(stats, _SINCE):
        row(*_known_pages(stats))
    if watches:
        row("sources visited", stats["sources/visit_count"], [])
        documents = counts_under(stats, "sources/document_count/")
        row("documents", sum(count for _, count in documents), documents)
    row("requests", stats.get("downloader/request_count", 0), [])
    rows.append(("received", _size(stats.get("downloader/response_bytes", 0))))
    fallbacks = _by_tier(stats, "tier/fallback/")
    row("fallbacks", sum(count for _, count in fallbacks), fallbacks)
    if not_tried := _by_tier(stats, "tier/not_tried/"):
        row("tiers not tried", sum(count for _, count in not_tried), not_tried)
    skipped = _reasons(stats)
    row("pages skipped", sum(count for _, count in skipped), skipped)
    if left_out := counts_under(stats, "wikicrawler/left_out/"):
        row("links left out", sum(count for _, count in left_out), left_out)
    row("seeds refused", stats.get("wikicrawler/seeds/refused", 0), [])
    row("wikis found", stats.get("wikicrawler/wikis_discovered", 0), [])
    return rows


def rows_text(rows: Sequence[tuple[str, str]], *, width: int | None = None) -> str:
    """Return label and text of *rows* as lines, for a terminal of so many columns."""
    column = max(len(label) for label, _ in rows)
    return "\n".join(
        f"  {label:<{column}}  {line}"
        for head, text in rows
        for label, line in zip(chain([head], repeat("")), _lines(text, column, width), strict=False)
    )


def _known_pages(stats: Mapping[str, Any]) -> tuple[str, int, list[tuple[str, int]]]:
    """Return the row of a crawl with ``since``: how many pages its feed has, and what became of
    them. A crawl that goes on knows only those that it has checked itself."""
    changes = counts_under(stats, _SINCE)
    if _SINCE_COUNT not in stats:
        return "pages checked", sum(count for _, count in changes), changes
    if unchecked := _unchecked(stats):
        changes.append(("not checked", unchecked))
    return "known pages", stats[_SINCE_COUNT], changes


def _unchecked(stats: Mapping[str, Any]) -> int:
    """Return how many pages of the feed of ``since`` were not checked."""
    checked = sum(count for change, count in counts_under(stats, _SINCE) if change != "new")
    return max(0, int(stats.get(_SINCE_COUNT, 0)) - checked)


def _lines(text: str, column: int, width: int | None) -> list[str]:
    """Return *text* in lines that fit a terminal beside a *column* of labels."""
    if width is None:
        return [text]
    room = max(width - column - 4, 10)
    return wrap(text, room, break_long_words=False, break_on_hyphens=False)


def counts_under(stats: Mapping[str, Any], prefix: str) -> list[tuple[str, int]]:
    """Return name and value of the stats that begin with *prefix*, largest value first."""
    found = [(key.removeprefix(prefix), n) for key, n in stats.items() if key.startswith(prefix)]
    return sorted(found, key=lambda item: (-item[1], item[0]))


def format_counts(parts: list[tuple[str, int]]) -> str:
    """Return *parts* as ``name count, name count, …`` on one line."""
    return ", ".join(f"{one_line(name, 80)} {count:,}" for name, count in parts)


def clock(seconds: float) -> str:
    """Return *seconds* as ``h:mm:ss``."""
    minutes, second = divmod(int(seconds), 60)
    hour, minute = divmod(minutes, 60)
    return f"{hour}:{minute:02}:{second:02}"


def site_delays(crawler: Crawler) -> Mapping[str, float]:
    """Return the current delay of each site in seconds; empty without the throttle."""
    throttle = crawler.get_extension(DomainThrottle)
    return throttle.delays() if throttle else {}


def _size(count: float) -> str:
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} B" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:,.1f} GB"


def _by_tier(stats: Mapping[str, Any], prefix: str) -> list[tuple[str, int]]:
    """Return the stats ``{prefix}{tier}/{reason}``, named ``tier: reason``."""
    counts = counts_under(stats, prefix)
    return [(name.replace("/", ": ", 1), count) for name, count in counts]


def _reasons(stats: Mapping[str, Any]) -> list[tuple[str, int]]:
    reasons = set(Reason)
    return [(r, n) for r, n in counts_under(stats, "wikicrawler/skipped/") if r in reasons]


def _why_nothing(stats: Mapping[str, Any]) -> str:
    """Return the hint for a crawl that wrote no page."""
    if stats.get(f"{_SINCE}unchanged"):
        return _why_no_change(stats)
    if reasons := _reasons(stats):
        most = Reason(reasons[0][0])
        return f"no page was written: {_ADVICE.get(most, f'most were skipped as {most}')}"
    if not stats.get("downloader/request_count"):
        if "sources/visit_count" in stats:
            return "no source was visited: none is due"
        return "no request was sent: check the seeds, follow and exclude"
    if stats.get("downloader/exception_count"):
        return f"no page was written: {_ADVICE[Reason.NETWORK]}"
    return "no page was written: see the warnings and errors above"


def _why_no_change(stats: Mapping[str, Any]) -> str:
    """Return the hint for a crawl with ``since`` that wrote no page, and found some unchanged."""
    if stats.get("finish_reason") != "finished":
        return "no change was found before the crawl ended"
    unchecked = _unchecked(stats)
    return "nothing has changed" + (f"; {unchecked:,} pages were not checked" if unchecked else "")


def _hints(stats: Mapping[str, Any], job: str | None) -> Iterator[str]:
    if not stats.get("item_scraped_count"):
        yield _why_nothing(stats)
    asked = (f"wikicrawler/skipped/{Reason.NOINDEX}", f"wikicrawler/left_out/{LeftOut.NOFOLLOW}")
    if any(map(stats.get, asked)):
        yield f"noindex and nofollow were obeyed; to ignore them: {HOW_TO_IGNORE}"
    if stats.get("tls/refused_count"):
        yield "certificates were refused: the log names the hosts (see verify_tls in sources.yml)"
    if stats.get("wikicrawler/seeds/refused"):
        yield "seeds were refused: the beginning of the log says what is wrong with each"
    if errors := stats.get("log_count/ERROR"):
        yield f"errors in the log: {errors:,}"
    if lost := stats.get("store/lost_count"):
        yield f"attempts of tiers that are not in the database: {lost:,}"
    if stats.get("finish_reason") == "shutdown":
        if "sources/visit_count" in stats:
            yield "stopped before the end: the next crawl visits what is left"
        else:
            yield f"stopped before the end: {_how_to_go_on(job)}"


def _how_to_go_on(job: str | None) -> str:
    if job is None:
        return "a crawl with JOBDIR can be resumed"
    return (
        f"other workers of the job {one_line(job, 100)} go on; where there is none, the same "
        "command with the same job does"
    )
