"""The argument ``namespaces``: which pages of a wiki a crawl wants."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from wikicrawler.spiders.arguments import Namespaces
    from wikicrawler.tiers.mediawiki.site import WikiSite

logger = logging.getLogger(__name__)


class WantedNamespaces:
    """The namespaces that links are followed into, for each wiki of a crawl.

    :param wanted: the argument's value
    """

    def __init__(self, wanted: Namespaces) -> None:
        self._wanted = wanted
        self._odd: set[str] = set()

    def has(self, namespace: int | None, site: WikiSite) -> bool:
        """Return True if a *namespace* of the wiki may be followed into; None: it is not known."""
        wanted = self.numbers(site)
        if namespace is None or wanted is None:
            return namespace is None or namespace >= 0  # Special: has no pages to read
        return namespace in wanted

    def numbers(self, site: WikiSite) -> frozenset[int] | None:
        """Return the numbers of the namespaces to follow into; None is all."""
        if self._wanted == "all":
            return None
        if self._wanted == "content":
            return site.content_namespaces
        numbers = set()
        for name in self._wanted:
            number = name if isinstance(name, int) else site.namespace_number(name)
            if number is not None:
                numbers.add(number)
            elif str(name) not in self._odd:
                self._odd.add(str(name))
                logger.warning("namespaces: the wiki %s has no %r", one_line(site.api, 200), name)
        return frozenset(numbers)
