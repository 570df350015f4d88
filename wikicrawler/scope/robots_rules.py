"""Pages that ask robots not to index them, and links that they ask not to follow."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler import options
from wikicrawler.config import Config
from wikicrawler.content.robots_statements import (
    ALL_ROBOTS,
    NOFOLLOW,
    NOINDEX,
    read_headers,
)
from wikicrawler.errors import Reason
from wikicrawler.pages import CONTENT_KEY, Action, Failure
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from wikicrawler.content.robots_statements import Statements
    from wikicrawler.items import Content

logger = logging.getLogger(__name__)

HEADER = "X-Robots-Tag"
HOW_TO_IGNORE = (
    f"obey_noindex: false of the domain in sources.yml, or {options.OBEY_NOINDEX.name}=False"
)
_MAX_SITES = 10_000
"""Sites whose pages are counted for the log."""
_MANY = 5
"""Linked pages of a site after which the log says that none of them may be indexed."""


class Stated(NamedTuple):
    """Where a page states ``noindex`` and ``nofollow`` for us; None where it does not."""

    noindex: str | None
    nofollow: str | None


class RobotsRules:
    """Reads ``<meta name=robots>`` (also by our bot's name), ``X-Robots-Tag`` and ``rel=nofollow``.

    The ``<meta>`` and ``rel`` are known of pages that were converted. Statements for other robots
    do not count.

    Settings: ``WIKICRAWLER_OBEY_NOINDEX``, and ``obey_noindex`` of a domain.
    """

    def __init__(self, settings: BaseSettings) -> None:
        self._config = Config.from_settings(settings)
        self._obey = options.OBEY_NOINDEX.read(settings)
        self._robots = {ALL_ROBOTS, *_names_of(settings)}
        self._counts: dict[str, list[int]] = {}

    def obeys(self, url: str) -> bool:
        """Return True if what the page at *url* states is obeyed."""
        own = self._config.domain_for(url).obey_noindex
        return self._obey if own is None else own

    def stated(self, response: Response, *, with_meta: bool = True) -> Stated:
        """Return what the page *response* states for us.

        :param with_meta: whether the page's ``<meta>`` counts
        """
        values = [value.decode("latin-1") for value in response.headers.getlist(HEADER)]
        sources = [(HEADER, read_headers(values))] if values else []
        content: Content | None = response.meta.get(CONTENT_KEY) if with_meta else None
        if content is not None and "robots" in content.metadata:
            sources.append(("<meta>", content.metadata["robots"]))
        return Stated(self._where(sources, NOINDEX), self._where(sources, NOFOLLOW))

    def refusal(self, url: str, stated: Stated, *, is_seed: bool) -> Failure | None:
        """Return why the page at *url* is not written: it has *stated* that, and is no seed."""
        if not self.obeys(url):
            return None
        self._tell(url, stated.noindex, is_seed=is_seed)
        if stated.noindex is None or is_seed:
            return None
        return Failure(Reason.NOINDEX, stated.noindex, Action.FINAL)

    def marked_links(self, response: Response) -> frozenset[str]:
        """Return the links of the page that all have ``rel=nofollow``."""
        content: Content | None = response.meta.get(CONTENT_KEY)
        return frozenset(content.nofollow) if content is not None else frozenset()

    def _where(self, sources: Iterable[tuple[str, Statements]], word: str) -> str | None:
        """Return where the page states *word* for us; None if it does not."""
        for source, statements in sources:
            if any(word in words for name, words in statements.items() if name in self._robots):
                return f"{source}: {word}"
        return None

    def _tell(self, url: str, where: str | None, *, is_seed: bool) -> None:
        """Log the first page of a site that may not be indexed, and that none of many may be."""
        site = self._config.budget_of(url)
        counts = self._counts.get(site)
        if counts is None:
            if len(self._counts) >= _MAX_SITES:
                return
            counts = self._counts[site] = [0, 0, 0]
        kind = 2 if is_seed else int(where is not None)
        counts[kind] += 1
        if where is None or counts[kind] not in {1, _MANY}:
            return
        facts = {"site": one_line(site, 80), "url": one_line(url, 200), "how": HOW_TO_IGNORE}
        if is_seed and counts[kind] == 1:
            logger.warning(
                "%(site)s asks robots not to index its pages, the seed %(url)s among them. Seeds "
                "are written; pages that links lead to are skipped if they ask for it. To write "
                "them: %(how)s",
                facts,
            )
        elif counts[1] == 1:
            logger.info(
                "Pages of %(site)s that ask robots not to index them are skipped, the first "
                "%(url)s. To write them: %(how)s",
                facts,
            )
        elif counts == [0, _MANY, counts[2]]:
            logger.warning(
                "All linked pages of %(site)s so far ask robots not to index them, and are "
                "skipped. To write them: %(how)s",
                facts,
            )


def _names_of(settings: BaseSettings) -> Iterator[str]:
    """Yield the names by which a page may address this crawler."""
    yield "wikicrawler"
    for name in ("BOT_NAME", "ROBOTSTXT_USER_AGENT", "USER_AGENT"):
        product = str(settings.get(name) or "").partition("/")[0].strip().lower()
        if product and product != "mozilla":
            yield product
