"""What a crawl's scope remembers."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from wikicrawler.frontier.page_limits import KEY_SIZE as _KEY_SIZE
from wikicrawler.frontier.page_limits import PAGE as _PAGE
from wikicrawler.frontier.page_limits import WRITTEN as _WRITTEN
from wikicrawler.frontier.scheduler import KIND, lease_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Set

    from scrapy import Request, Spider

    from wikicrawler.frontier.protocol import Frontier

PAGE = {KIND: _PAGE}
"""Meta of the requests for pages."""
_SEEDED, _SCOPE, _LISTED = "seeded", "scope", "listed"
_SEEDS = "seeds"
_FAMILIES = "families"
_TEXTS = "texts"
_LATEST = 2**15

_PART = "crawl_scope"
_OF_OLD = (
    *("asked", "budget_held", "budget_taken", "families", "listed"),
    *("scope", "seeded", "seeds", "site_budgets", "written"),
)


def state_of(spider: Spider) -> dict[str, Any]:
    """Return the dict in which Scrapy keeps the scope with the crawl: a part of ``spider.state``,
    which there is with ``JOBDIR``."""
    kept = getattr(spider, "state", None)
    if not isinstance(kept, dict):
        return {}
    state: dict[str, Any] = kept.setdefault(_PART, {})
    if {"budget_held", "budget_taken"} <= kept.keys():  # the version before had no part of its own
        state.update({name: kept.pop(name) for name in _OF_OLD if name in kept})
    return state


class CrawlMemory:
    """Which URLs were asked for, which pages have their record, how far links may lead.

    With a *frontier* it is kept with the requests, so that it agrees with them after a kill too:
    what a page brought counts when the page is done. Which URLs were asked for the frontier knows;
    here they are a short cut. Without one it is all in *state*.

    Workers that share a frontier read what the others note while the crawl runs. Of what two of
    them do within a second each may be the first.
    """

    def __init__(self, state: dict[str, Any], frontier: Frontier | None) -> None:
        self._frontier = frontier
        self._is_shared = frontier is not None and frontier.lease_seconds is not None
        kept: dict[str, Any] = {} if frontier is not None else state
        self._latest: set[str] = set()
        self._asked: set[bytes] = kept.setdefault("asked", set())
        self._written: set[bytes] = kept.setdefault(_WRITTEN, set())
        self._listed: set[bytes] = kept.setdefault(_LISTED, set())
        self._scope: set[bytes] = kept.setdefault(_SCOPE, set())
        self._seeds: set[bytes] = kept.setdefault(_SEEDS, set())
        self._texts: set[bytes] = kept.setdefault(_TEXTS, set())
        self._state = kept
        self._families: set[bytes] = kept.setdefault(_FAMILIES, set())
        self.by_site: Counter[str] | None = None
        """In a crawl with a frontier, how many pages each site has, as it was opened."""
        if frontier is not None:
            self.by_site = frontier.counts(PAGE[KIND])
            for noted in frontier.noted(_WRITTEN):
                self._written.add(noted[:_KEY_SIZE])
                self.by_site[noted[_KEY_SIZE:].decode()] += 1
            self._listed |= frontier.noted(_LISTED)
            self._scope |= frontier.noted(_SCOPE)
            self._seeds |= frontier.noted(_SEEDS)
            self._families |= frontier.noted(_FAMILIES)
            self._texts |= frontier.noted(_TEXTS)
            kept[_SEEDED] = bool(frontier.noted(_SEEDED))
            state["budget_taken"] = [self.by_site.total()]

    @property
    def seeded(self) -> bool:
        """Whether all seeds have been asked for."""
        return bool(self._state.get(_SEEDED)) or self._others_noted(_SEEDED, b"")

    def begin(self, seeds: Iterable[str]) -> None:
        """Remember which seeds the crawl has."""
        self._note(_SEEDS, self._seeds, _key("\n".join(seeds)), None)

    def began_with(self, seeds: Iterable[str]) -> bool:
        """Whether the crawl has these seeds."""
        return self._has(_SEEDS, self._seeds, _key("\n".join(seeds)))

    def seeds_done(self) -> None:
        self._state[_SEEDED] = True
        if self._frontier is not None:
            self._frontier.note(_SEEDED, b"")

    def asked(self, url: str) -> bool:
        """Whether *url* was asked for, as far as this process knows."""
        key = _key(url)
        if key not in self._asked and key not in self._written:
            return False
        if len(self._latest) >= _LATEST:
            self._latest.clear()
        self._latest.add(url)
        return True

    def lately_asked(self) -> Set[str]:
        """URLs that :meth:`asked` has returned True for, if not long ago: most links of a site are
        on many of its pages, and none of these has to be hashed."""
        return self._latest

    def ask(self, url: str) -> bool:
        """Remember that *url* is asked for; False where it was."""
        key = _key(url)
        return key not in self._written and _add(self._asked, key)

    def write(self, url: str, site: str, request: Request) -> bool:
        """Remember that the page at *url* of *site*, which *request* brought, has its record; False
        where it had."""
        self.ask(url)
        key = _key(url)
        if self._others_noted(_WRITTEN, key + site.encode()) or not _add(self._written, key):
            return False
        if self._frontier is not None:
            self._frontier.note(_WRITTEN, key + site.encode(), after=lease_of(request))
        return True

    def is_written(self, url: str) -> bool:
        """Return True if the page at *url* has its record."""
        return _key(url) in self._written

    def has_text(self, canonical: str, text_key: bytes) -> bool:
        """Return True if a page with that canonical URL and text has its record."""
        return self._has(_TEXTS, self._texts, _key(canonical) + text_key)

    def write_text(self, canonical: str, text_key: bytes, request: Request) -> None:
        """Remember that the page of *request*, with that canonical URL and text, has its record."""
        self._note(_TEXTS, self._texts, _key(canonical) + text_key, request)

    def list_wiki(self, api: str, request: Request) -> bool:
        """Remember that the wiki is asked for its pages; False where it was."""
        return self._note(_LISTED, self._listed, api.encode(), request)

    def list_category(self, url: str, level: int, request: Request) -> bool:
        """Remember that the category at *url* is listed, *level* categories below the one that was
        asked for; False where it was, at that level or above."""
        above = (f"{upper} {url}".encode() for upper in range(level))
        if any(self._has(_LISTED, self._listed, one) for one in above):
            return False
        return self._note(_LISTED, self._listed, f"{level} {url}".encode(), request)

    @property
    def written(self) -> int:
        """How many pages have their record."""
        return len(self._written)

    @property
    def listings(self) -> int:
        """How many lists were asked for."""
        return len(self._listed)

    def widen(self, place: str) -> None:
        """Let links lead to the host or site *place*."""
        self._note(_SCOPE, self._scope, place.encode(), None)

    def reaches(self, place: str) -> bool:
        """Whether links may lead to *place*."""
        return self._has(_SCOPE, self._scope, place.encode())

    @property
    def families(self) -> frozenset[bytes]:
        """What was noted of families of URLs."""
        return frozenset(self._families)

    def new_families(self) -> set[bytes]:
        """Return what other workers have noted of families since the last call."""
        if self._frontier is None or not self._is_shared:
            return set()
        new = self._frontier.noted(_FAMILIES) - self._families
        self._families |= new
        return new

    def note_family(self, note: bytes) -> None:
        """Remember the *note* of a family of URLs."""
        self._note(_FAMILIES, self._families, note, None)

    def _note(self, name: str, values: set[bytes], value: bytes, after: Request | None) -> bool:
        if self._has(name, values, value):
            return False
        values.add(value)
        if self._frontier is not None:
            lease = lease_of(after) if after is not None else None
            self._frontier.note(name, value, after=lease)
        return True

    def _has(self, name: str, values: set[bytes], value: bytes) -> bool:
        """Return True if *value* is in the set *name*, which this process knows as *values*."""
        return value in values or self._others_noted(name, value)

    def _others_noted(self, name: str, value: bytes) -> bool:
        frontier = self._frontier
        return self._is_shared and frontier is not None and frontier.has_noted(name, value)


def _add(values: set[bytes], value: bytes) -> bool:
    if value in values:
        return False
    values.add(value)
    return True


def _key(url: str) -> bytes:
    """8 bytes for a URL: one in 10^8 pages collides."""
    return blake2b(url.encode("utf-8", "surrogatepass"), digest_size=_KEY_SIZE).digest()
