"""Citations."""

from __future__ import annotations

from typing import NamedTuple


class PageContext(NamedTuple):
    """Part and title of a page."""

    part: str | None = None
    title: str | None = None


def page_context(url: str, heading: str | None, citation: str | None) -> PageContext:
    """Return what is known of the page."""
    return PageContext()


def cross_references(text: str, *, part: str | None = None, title: str | None = None) -> list[str]:
    """Return the references in *text*."""
    return []
