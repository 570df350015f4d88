"""Where sites often have their reports, for those that do not say."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wikicrawler.reports.providers.company_ir.navigation import PageLink
from wikicrawler.urls.sites import host_of, site_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_PLACES = (
    *("/investors", "/investor-relations", "ir.", "investors.", "/ir"),
    *("/investor-relations/annual-reports", "investor.", "/investors/annual-reports", "stock."),
)
"""Paths, and subdomains, which end with a dot; the most common first."""
_FIRST_PROMISE = 24


def guesses_for(homepage: str) -> Iterator[PageLink]:
    """Yield the places on the site of *homepage*, most likely first."""
    parts = urlsplit(homepage)
    site, port = site_of(homepage), f":{parts.port}" if parts.port else ""
    has_names = "." in site and site != host_of(homepage).rpartition(":")[0] and not _is_ip(site)
    for number, place in enumerate(_PLACES):
        if place.startswith("/"):
            url = f"{parts.scheme}://{parts.netloc}{place}"
        elif has_names:
            url = f"{parts.scheme}://{place}{site}{port}/"
        else:
            continue
        yield PageLink(url, "", _FIRST_PROMISE - number, is_guess=True)


def _is_ip(host: str) -> bool:
    return host.endswith("]") or host.rpartition(".")[2].isdigit()
