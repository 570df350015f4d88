"""A fallback tier, whose requests the server can tell from those of the first tier."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.tiers.http.tier import HttpTier

if TYPE_CHECKING:
    from scrapy import Request

    from tests.servers.scripted import Exchange

HEADER = "X-Tier"
TIERS = "http,tests.sources.visits.fallback.FallbackTier"


class FallbackTier(HttpTier):
    name = "fallback"
    is_probe = False

    def request(self, page: Request) -> Request:
        made = page.copy()
        made.headers[HEADER] = self.name
        return made


def tiers_of(exchanges: list[Exchange], path: str) -> list[str]:
    """The tier of each request for *path*, in the order of the server's log."""
    return [x.headers.get(HEADER, "http") for x in exchanges if x.path == path]
