"""The interval of a source that adapts to how often it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import timedelta

    from wikicrawler.sources.schedule.rule import Rule


def current_interval(rule: Rule, interval: timedelta | None) -> timedelta:
    """Return *interval* within the bounds of *rule*; the shortest one if it is None."""
    if interval is None:
        return rule.shortest
    return min(max(interval, rule.shortest), rule.longest)


def adapted(rule: Rule, interval: timedelta | None, *, is_changed: bool) -> timedelta:
    """Return the interval after a visit: half of it if the source has changed, else half as much
    again."""
    current = current_interval(rule, interval)
    return current_interval(rule, current / 2 if is_changed else current * 3 / 2)
