"""What is shown of a crawl on several workers, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikicrawler.control.fleet.snapshot import Site, Snapshot

_STATES = ("running", "stopping", "ended", "gone")


def workers_text(found: Snapshot) -> str:
    """Return how many workers there are, and what they do."""
    states = [worker.state for worker in found.workers]
    parts = counts_text((state, states.count(state)) for state in _STATES if state in states)
    more = f"{found.forgotten:,} earlier ones are not counted" if found.forgotten else ""
    said = "; ".join(filter(None, (parts, more)))
    return f"{len(states):,}  ({said})" if said else "0"


def left_text(found: Snapshot) -> str:
    """Return how many requests are not done."""
    waiting = found.queued + found.delayed
    later = f" ({found.delayed:,} for later)" if found.delayed else ""
    return f"{waiting:,} queued{later}, {found.leased:,} leased"


def counts_text(parts: Iterable[tuple[str, int]]) -> str:
    """Return *parts* as ``name count, name count, …`` on one line."""
    return ", ".join(f"{one_line(name, 80)} {count:,}" for name, count in parts)


def seconds_text(seconds: float) -> str:
    """Return a duration as people read it: ``0.5 s``, ``45 s``, ``12 min`` or ``3.5 h``."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7_200 else f"{seconds / 3_600:.1f} h"


def clock_text(seconds: float) -> str:
    """Return *seconds* as ``h:mm:ss``."""
    minutes, second = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{second:02}"


def next_text(site: Site) -> str:
    """Return when a site may be asked next, as far as is known."""
    return f"in {seconds_text(site.next_in)}" if site.next_in > 0 else "now"
