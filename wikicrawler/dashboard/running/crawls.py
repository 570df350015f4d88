"""Crawls as the page shows them: what their processes report, as far as it can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from wikicrawler.dashboard.running.words import argument_text, described_end

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikicrawler.control.jobs import Job

MAX_ROWS = 20
"""Rows of a list of figures, like that of the sites of a crawl."""
_STATES = {
    "requested": ("pending", "requested"),
    "never_began": ("failed", "never began"),
    "running": ("running", "running"),
    "stopping": ("warning", "stopping"),
    "ended": ("ok", "ended"),
    "killed": ("failed", "killed"),
}
_TOTALS = {"exact": "", "about": "about ", "at_least": "at least ", "at_most": "at most "}


@dataclass(frozen=True, slots=True)
class Site:
    """A site of a running crawl; seconds."""

    name: str
    delay: float | None
    pause: float | None


@dataclass(frozen=True, slots=True)
class Crawl:
    """A job with its figures; None where they are not known."""

    job: Job
    source_total: int | None
    """Number of sources that were asked for."""

    @property
    def key(self) -> str:
        """A name of the job for the identifiers of a page: that of the job may be any text."""
        return sha256(self.job.id.encode()).hexdigest()[:16]

    @property
    def badge(self) -> tuple[str, str]:
        """The kind of the badge, and its word."""
        if self.job.state == "ended":
            return described_end(self.job.finish_reason)
        return _STATES[self.job.state]

    @property
    def can_be_stopped(self) -> bool:
        return self.job.state in {"requested", "running"}

    @property
    def what(self) -> str:
        """What it crawls, in a line of foreign text."""
        return argument_text(self.job.spider, self.job.arguments)

    @property
    def has_figures(self) -> bool:
        return bool(self.job.progress)

    def figure(self, name: str) -> float | None:
        """Return a number that the crawl reports."""
        return _number(self.job.progress.get(name))

    @property
    def pages_per_second(self) -> float | None:
        rate = self.figure("pages_per_minute")
        return None if rate is None else rate / 60

    @property
    def total(self) -> tuple[str, int, int] | None:
        """The unit (``pages`` or ``sources``), how many are done, and of how many."""
        items, left = self.figure("items"), self.figure("pages_left")
        if items is not None and left is not None and self._precision in {"exact", "about"}:
            return "pages", int(items), int(items + left)
        visited = self.figure("sources_visited")
        if self.source_total:
            return "sources", min(int(visited or 0), self.source_total), self.source_total
        return None

    @property
    def pages_text(self) -> str:
        """How many pages it has written, and of how many as far as that is known."""
        items, left = self.figure("items"), self.figure("pages_left")
        done = f"{int(items or 0):,}"
        if left is None or items is None or self._precision not in _TOTALS:
            return done
        return f"{done} of {_TOTALS[self._precision]}{int(items + left):,}"

    @property
    def _precision(self) -> str:
        return str(self.job.progress.get("pages_left_precision"))

    @property
    def counts(self) -> tuple[tuple[str, list[tuple[str, int]]], ...]:
        """Numbers by a foreign word: title, then the words with the most first."""
        found = (
            ("Pages by tier", _counts(self.job.progress.get("pages_by_tier"))),
            ("Documents", _counts(self.job.progress.get("documents"))),
            ("Skipped, by reason", _counts(self.job.progress.get("skipped"))),
        )
        return tuple((title, counts) for title, counts in found if counts)

    @property
    def sites(self) -> list[Site]:
        """The sites that are paused, then those with the longest delays."""
        delays = _numbers(self.job.progress.get("delays"))
        pauses = _numbers(self.job.progress.get("pauses"))
        names = sorted(
            {*delays, *pauses}, key=lambda name: (-pauses.get(name, 0), -delays.get(name, 0), name)
        )
        return [Site(name, delays.get(name), pauses.get(name)) for name in names[:MAX_ROWS]]


def crawl_of(job: Job, active_count: int | None) -> Crawl:
    """Return *job* as the page shows it.

    :param active_count: number of the active sources of the manifest
    """
    arguments = job.arguments
    if job.spider != "sources" or "scheduled" in arguments or "manifest" in arguments:
        return Crawl(job, None)
    if only := str(arguments.get("only", "")).strip("[]"):
        return Crawl(job, only.count(",") + 1)
    return Crawl(job, active_count if arguments.get("force") == "true" else None)


def _number(value: Any) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _numbers(value: Any) -> dict[str, float]:
    found: Mapping[Any, Any] = value if isinstance(value, dict) else {}
    return {str(name): float(one) for name, one in found.items() if _number(one) is not None}


def _counts(value: Any) -> list[tuple[str, int]]:
    found = sorted(_numbers(value).items(), key=lambda item: (-item[1], item[0]))
    return [(name, int(count)) for name, count in found[:MAX_ROWS]]
