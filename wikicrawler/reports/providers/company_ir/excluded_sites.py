"""Sites that are linked from most companies' sites, and are not searched."""

from __future__ import annotations

from wikicrawler.urls.sites import site_of

_EXCLUDED_SITES = frozenset(
    {
        "sec.gov",  # asked by a provider of its own, within SEC's limits
        *("facebook.com", "twitter.com", "x.com", "linkedin.com", "youtube.com", "instagram.com"),
        *("google.com", "adobe.com", "apple.com", "vimeo.com", "wikipedia.org"),
    }
)


def is_excluded(url: str) -> bool:
    """Return True for sites that have no reports of their own, and for SEC's."""
    return site_of(url) in _EXCLUDED_SITES
