"""The private addresses that the operator of a crawl allows."""

from __future__ import annotations

import logging
from collections import OrderedDict
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from wikicrawler import options
from wikicrawler.config import Config
from wikicrawler.errors import ConfigError
from wikicrawler.guard.networks import is_public, literal_address
from wikicrawler.guard.operator_services import OperatorServices
from wikicrawler.text.safe import one_line
from wikicrawler.urls.sites import is_public_host
from wikicrawler.urls.splitting import split_url

if TYPE_CHECKING:
    from collections.abc import Collection
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

    The operator names hosts in ``WIKICRAWLER_PRIVATE_HOSTS``, which says that they are private, and
    by seeds, start requests and ``sources.yml``, which do not. Where one of the latter looks public
    (``wiki.example.org``), its DNS decides: if it has only private addresses they are used, with a
    warning; once it has had a public one, private addresses are refused, because whoever owns the
    name could lead the crawl anywhere (DNS rebinding).

    No page may be fetched from the operator's :attr:`services`, unless the operator named the host
    with the same port.
    """

    def __init__(self, settings: BaseSettings, stats: StatsCollector | None = None) -> None:
        self._listed: set[tuple[str, int]] = set()
        self._listed_hosts: set[str] = set()
        self._networks: list[IPv4Network | IPv6Network] = []
        self._named: set[tuple[str, int]] = set()
        self._named_hosts: set[str] = set()
        self._had_public: set[tuple[str, int]] = set()
        self._warned: set[tuple[str, int]] = set()
        self._refused: OrderedDict[tuple[str, int], tuple[str, str]] = OrderedDict()
        self.services = OperatorServices(settings)
        """The operator's services. Only requests sent through
        :func:`~wikicrawler.guard.services.as_service` reach them."""
        self._stats = stats
        for entry in options.PRIVATE_HOSTS.read(settings):
            self._list(entry)
        config = Config.from_settings(settings)
        for domain in (*config.wikis, *config.domains):
            host, port = _split(domain)
            if port is None:
                self._named_hosts.add(host)
            else:
                self._named.add((host, port))
        for wiki in config.wikis.values():
            self.allow_url(wiki.api)
        for domain, found in config.domains.items():
            if (proxy := found.proxy) is not None:
                self.services.register(proxy.url, f"proxy of {domain} in sources.yml")

    def _list(self, entry: str) -> None:
        try:
            self._networks.append(ip_network(entry))
        except ValueError:
            pass
        else:
            return
        try:
            host, port = _split(entry)
        except ValueError:
            raise ConfigError(
                f"{options.PRIVATE_HOSTS.name}: {entry!r} is not a host (wiki.internal), a host "
                "and port (127.0.0.1:8080) or a network (10.0.0.0/8)"
            ) from None
        if port is None:
            self._listed_hosts.add(host)
        else:
            self._listed.add((host, port))

    def allow_url(self, url: str) -> None:
        """Allow the host and port of *url*, which the operator named, to be private."""
        if (place := host_and_port(url)) is not None:
            self._named.add(place)

    def is_named(self, host: str, port: int) -> bool:
        """Return whether the operator named *host* together with *port*."""
        place = normal_host(host), port
        return place in self._named or place in self._listed

    def is_listed(self, host: str, port: int) -> bool:
        """Return whether ``WIKICRAWLER_PRIVATE_HOSTS`` has *host*, with *port* or without one."""
        host = normal_host(host)
        return host in self._listed_hosts or (host, port) in self._listed

    def note_addresses(self, host: str, port: int, addresses: Collection[str]) -> None:
        """Note that *host* has *addresses*. Call it for each resolution, before :meth:`allows`."""
        place = normal_host(host), port
        if not self._is_doubtful(place):
            return
        if any(map(is_public, addresses)):
            self._had_public.add(place)
        elif addresses and place not in self._had_public and place not in self._warned:
            self._warned.add(place)
            logger.warning(
                "%s is crawled although its address %s is private: a seed or sources.yml names it. "
                "If that is not right, stop the crawl; if it is, list it in %s",
                one_line(f"{place[0]}:{port}", 200),
                next(iter(addresses)),
                options.PRIVATE_HOSTS.name,
            )

    def allows(self, host: str, port: int, address: str) -> bool:
        """Return whether the crawl may connect to *host*, which has *address*, at *port*."""
        if is_public(address) or self.is_listed(host, port):
            return True
        place = normal_host(host), port
        if self._is_named_place(place) and place not in self._had_public:
            return True
        parsed = ip_address(address.partition("%")[0])
        return any(parsed in network for network in self._networks)

    def _is_named_place(self, place: tuple[str, int]) -> bool:
        return place in self._named or place[0] in self._named_hosts

    def _is_doubtful(self, place: tuple[str, int]) -> bool:
        """Return whether *place* is named, but not as private, and looks public."""
        host, port = place
        return (
            self._is_named_place(place)
            and not self.is_listed(host, port)
            and is_public_host(host)
            and not literal_address(host)
        )

    def record_refusal(self, host: str, port: int, address: str, service: str = "") -> None:
        """Record and log that *host* has no allowed address; *address* is one of those it has.

        *service* is the setting that names the service at *host* and *port*, if it is one.
        """
        place = normal_host(host), port
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
        self._refused.pop((normal_host(host), port), None)

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


def normal_host(host: str) -> str:
    """Return *host* in the form in which hosts are compared."""
    return host.lower().rstrip(".")


def _split(entry: str) -> tuple[str, int | None]:
    """Return the host and the port of *entry*, ``host`` or ``host:port``.

    :raises ValueError: it is something else
    """
    parts = urlsplit(f"//{entry}")
    if not parts.hostname or parts.path or parts.query or "@" in entry:
        raise ValueError("not a host")
    return normal_host(parts.hostname), parts.port


def host_and_port(url: str) -> tuple[str, int] | None:
    """Return the lower-case host and the port of *url*; None if it has no host."""
    try:
        parts = split_url(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if not host:
        return None
    return normal_host(host), port or _PORTS.get(parts.scheme, 0)


_policies: WeakKeyDictionary[Crawler, AddressPolicy] = WeakKeyDictionary()


def policy_of(crawler: Crawler) -> AddressPolicy:
    """Return the policy of *crawler*, which all its components share."""
    if crawler not in _policies:
        _policies[crawler] = AddressPolicy(crawler.settings, crawler.stats)
    return _policies[crawler]
