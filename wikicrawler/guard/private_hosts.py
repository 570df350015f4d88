"""Which private addresses the operator of a crawl wants to be reached."""

from __future__ import annotations

import logging
from collections import OrderedDict
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import getproxies
from weakref import WeakKeyDictionary

from wikicrawler import options
from wikicrawler.config import Config
from wikicrawler.errors import ConfigError
from wikicrawler.guard.networks import is_public
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from ipaddress import IPv4Network, IPv6Network

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger(__name__)

_PORTS = {"http": 80, "https": 443}
_KEPT = 10_000
"""Refused hosts that are remembered."""


class AddressPolicy:
    """What may be connected to: every public address, and the private ones that were named.

    A host that is named with a port is named for that port alone: a page of a wiki at
    ``127.0.0.1:8080`` does not open the database beside it.

    The services that the crawl itself uses are registered with :meth:`serve`. That allows no page
    to be fetched from them: only a host that is named with the same port does.
    """

    def __init__(self, settings: BaseSettings, stats: StatsCollector | None = None) -> None:
        self._named: set[tuple[str, int]] = set()
        self._hosts: set[str] = set()
        self._networks: list[IPv4Network | IPv6Network] = []
        self._refused: OrderedDict[tuple[str, int], tuple[str, str]] = OrderedDict()
        self.services: dict[tuple[str, int], str] = {}
        """Host and port of each of the operator's services, with the setting that names it."""
        self._stats = stats
        for entry in options.PRIVATE_HOSTS.read(settings):
            self._add(entry)
        config = Config.from_settings(settings)
        for domain in (*config.wikis, *config.domains):
            self._add(domain)
        for wiki in config.wikis.values():
            self.name(wiki.api)
        for proxy in getproxies().values():  # Scrapy's HttpProxyMiddleware uses these
            self.name(proxy)

    def _add(self, entry: str) -> None:
        try:
            self._networks.append(ip_network(entry))
        except ValueError:
            pass
        else:
            return
        try:
            parts = urlsplit(f"//{entry}")
            host, port = parts.hostname, parts.port
        except ValueError:
            host = port = None
        if not host or parts.path or parts.query or "@" in entry:
            raise ConfigError(
                f"{options.PRIVATE_HOSTS.name}: {entry!r} is none of a host (wiki.internal), a "
                "host and port (127.0.0.1:8080) and a network (10.0.0.0/8)"
            )
        if port is None:
            self._hosts.add(host)
        else:
            self._named.add((host, port))

    def name(self, url: str) -> None:
        """The operator named *url*: its host and port may be private."""
        if (place := place_of(url)) is not None:
            self._named.add(place)

    def names(self, host: str, port: int) -> bool:
        """Return whether the operator named *host* with this *port*, as a URL does."""
        return (host.lower().rstrip("."), port) in self._named

    def serve(self, url: str, setting: str) -> None:
        """Register the operator's service at *url*, which *setting* names. Requests that are sent
        by :func:`~wikicrawler.guard.services.as_service` reach it, pages do not."""
        if (place := place_of(url)) is not None:
            self.services[place] = setting

    def serves(self, host: str, port: int) -> bool:
        """Return whether a service is registered for *host* and *port*."""
        return (host.lower().rstrip("."), port) in self.services

    def allows(self, host: str, port: int, address: str) -> bool:
        """Whether *host*, which has *address*, may be connected to at *port*."""
        host = host.lower().rstrip(".")
        if is_public(address) or host in self._hosts or (host, port) in self._named:
            return True
        found = ip_address(address.partition("%")[0])
        return any(found in network for network in self._networks)

    def refuse(self, host: str, port: int, address: str, service: str = "") -> None:
        """Note that all that *host* has are addresses like *address*; *service* is the setting that
        names the service there, if it is one."""
        place = host.lower().rstrip("."), port
        if place in self._refused:
            pass
        elif service:
            logger.warning(
                "%s is not crawled: it is the server that %s names. If its pages are meant to be "
                "crawled, name it with its port in %s",
                one_line(f"{place[0]}:{port}", 200),
                service,
                options.PRIVATE_HOSTS.name,
            )
        else:
            logger.warning(
                "%s is not connected to: its address %s is private. If it is meant to be crawled, "
                "name it in %s",
                one_line(f"{place[0]}:{port}", 200),
                address,
                options.PRIVATE_HOSTS.name,
            )
        if self._stats is not None:
            self._stats.inc_value("address_guard/refused_count")
        self._refused[place] = address, service
        if len(self._refused) > _KEPT:
            self._refused.popitem(last=False)

    def clear(self, host: str, port: int) -> None:
        """*host* has an address that is allowed."""
        self._refused.pop((host.lower().rstrip("."), port), None)

    def refused(self, url: str) -> str:
        """The address for which *url* was last refused; empty where it was not."""
        return self._refusal(url)[0]

    def why_refused(self, url: str) -> str:
        """Return the reason for which *url* was last refused; empty where it was not."""
        address, service = self._refusal(url)
        if service:
            return f"its host and port are those of the server that {service} names"
        return address and f"its host has the private address {address}"

    def _refusal(self, url: str) -> tuple[str, str]:
        place = place_of(url)
        return self._refused.get(place, ("", "")) if place is not None else ("", "")


def place_of(url: str) -> tuple[str, int] | None:
    """Host, lower case, and port of *url*; None where it has no host."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if not host:
        return None
    return host.lower().rstrip("."), port or _PORTS.get(parts.scheme, 0)


_policies: WeakKeyDictionary[Crawler, AddressPolicy] = WeakKeyDictionary()


def policy_of(crawler: Crawler) -> AddressPolicy:
    """The one policy of *crawler*."""
    if crawler not in _policies:
        _policies[crawler] = AddressPolicy(crawler.settings, crawler.stats)
    return _policies[crawler]
