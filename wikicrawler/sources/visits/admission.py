"""Which URLs belong to a source."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from wikicrawler.urls.sites import host_of

if TYPE_CHECKING:
    from wikicrawler.sources.manifest.model import Source


class Dropped(StrEnum):
    """Why a URL is not fetched."""

    DUPLICATE = "duplicate"  # it was requested in this visit
    OFFSITE = "offsite"  # its host is not in the source's domain
    NOT_INCLUDED = "not_included"  # no include pattern matches it
    EXCLUDED = "excluded"  # an exclude pattern matches it
    DEPTH = "depth"  # too many links from the source's url
    ROBOTS = "robots"  # of the map of a tier: robots.txt disallows it
    LENGTH = "length"  # more characters than URLLENGTH_LIMIT
    LIMIT = "limit"  # WIKICRAWLER_SOURCE_MAX_PAGES is reached


def refusal(source: Source, url: str, depth: int) -> Dropped | None:
    """Return why *url*, *depth* links from the source's own, is not part of it; None if it is.

    The url of the source itself always is.
    """
    if url == source.url:
        return None
    host, domain = host_of(url), source.domain.lower()
    if host != domain and not host.endswith(f".{domain}"):
        return Dropped.OFFSITE
    if depth > source.max_depth:
        return Dropped.DEPTH
    if not source.paths.includes(url):
        return Dropped.NOT_INCLUDED
    return Dropped.EXCLUDED if source.paths.excludes(url) else None
