"""The private addresses that the operator of a crawl allows."""

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
_MAX_REFUSALS = 10_000
"""Maximum number of refused hosts to remember."""


class AddressPolicy:
    """The addresses that a crawl may connect to: all public ones, and private ones that the
    operator named.

    A host that is named with a port is allowed on that port only: a wiki at ``127.0.0.1:8080``
    does not open the database on another port.

    :meth:`register_service` registers a service that the crawl itself uses. No page may be fetched
    from a service, unless the operator named its host with the same port.
    """

    def __init__(self, settings: BaseSettings, stats: StatsCollector | None = None) -> None:
        self._named: set[tuple[str, int]] = set()
        self._hosts: set[str] = set()
        self._networks: list[IPv4Network | IPv6Network] = []
        self._refused: OrderedDict[tuple[str, int], tuple[str, str]] = OrderedDict()
        self.services: dict[tuple[str, int], str] = {}
        """Setting that names each of the operator's services, by host and port."""
        self._stats = stats
        for entry in options.PRIVATE_HOSTS.read(settings):
            self._add(entry)
        config = Config.from_settings(settings)
        for domain in (*config.wikis, *config.domains):
            self._add(domain)
        for wiki in config.wikis.values():
            self.allow_url(wiki.api)
        for proxy in getproxies().values():  # Scrapy's HttpProxyMiddleware uses these
            self.allow_url(proxy)

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
                f"{options.PRIVATE_HOSTS.name}: {entry!r} is not a host (wiki.internal), a host "
                "and port (127.0.0.1:8080) or a network (10.0.0.0/8)"
            )
        if port is None:
            self._hosts.add(host)
        else:
            self._named.add((host, port))

    def allow_url(self, url: str) -> None:
        """Allow the host and port of *url*, which the operator named, to be private."""
        if (place := host_and_port(url)) is not None:
            self._named.add(place)

    def is_named(self, host: str, port: int) -> bool:
        """Return whether the operator named *host* together with *port*."""
        return (host.lower().rstrip("."), port) in self._named

    def register_service(self, url: str, setting: str) -> None:
        """Register the operator's service at *url*, which *setting* names. Only requests sent
        through :func:`~wikicrawler.guard.services.as_service` reach it."""
        if (place := host_and_port(url)) is not None:
            self.services[place] = setting

    def is_service(self, host: str, port: int) -> bool:
        """Return whether a service is registered for *host* and *port*."""
        return (host.lower().rstrip("."), port) in self.services

    def allows(self, host: str, port: int, address: str) -> bool:
        """Return whether the crawl may connect to *host*, which has *address*, at *port*."""
        host = host.lower().rstrip(".")
        if is_public(address) or host in self._hosts or (host, port) in self._named:
            return True
        parsed = ip_address(address.partition("%")[0])
        return any(parsed in network for network in self._networks)

    def record_refusal(self, host: str, port: int, address: str, service: str = "") -> None:
        """Record and log that *host* has no allowed address; *address* is one of those it has.

        *service* is the setting that names the service at *host* and *port*, if it is one.
        """
        place = host.lower().rstrip("."), port
        if place in self._refused:
            pass
        elif service:
            logger.warning(
                "%s is not crawled: it is the server that %s names. To crawl its pages, list it "
                "with its port in %s",
                one_line(f"{place[0]}:{port}", 200),
                service,
                options.PRIVATE_HOSTS.name,
            )
        else:
            logger.warning(
                "%s is not crawled: its address %s is private. To crawl it, list it in %s",
                one_line(f"{place[0]}:{port}", 200),
                address,
                options.PRIVATE_HOSTS.name,
            )
        if self._stats is not None:
            self._stats.inc_value("address_guard/refused_count")
        self._refused[place] = address, service
        if len(self._refused) > _MAX_REFUSALS:
            self._refused.popitem(last=False)

    def clear_refusal(self, host: str, port: int) -> None:
        """Forget a refusal: *host* now has an allowed address."""
        self._refused.pop((host.lower().rstrip("."), port), None)

    def refused(self, url: str) -> str:
        """Return the address for which *url* was last refused, or an empty string."""
        return self._refusal(url)[0]

    def why_refused(self, url: str) -> str:
        """Return why *url* was last refused, or an empty string."""
        address, service = self._refusal(url)
        if service:
            return f"its host and port are those of the server that {service} names"
        return address and f"its host has the private address {address}"

    def _refusal(self, url: str) -> tuple[str, str]:
        place = host_and_port(url)
        return self._refused.get(place, ("", "")) if place is not None else ("", "")


def host_and_port(url: str) -> tuple[str, int] | None:
    """Return the lower-case host and the port of *url*; None if it has no host."""
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
    """Return the policy of *crawler*, which all its components share."""
    if crawler not in _policies:
        _policies[crawler] = AddressPolicy(crawler.settings, crawler.stats)
    return _policies[crawler]
