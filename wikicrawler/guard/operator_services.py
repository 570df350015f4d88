"""Which servers are the operator's own services: proxies, databases, crawl4ai, Scrapyd…

Only the part of the crawl that uses a service may connect to it, and no page is fetched from it
(:mod:`wikicrawler.guard.services`). A service gets here in one of these ways:

- Its setting in :mod:`wikicrawler.options` has ``names_service=True``.
- The download handler of a tier registers it (:mod:`wikicrawler.tiers.service.handler`).
- It is a proxy of the environment, or of the meta key ``proxy`` of a request.
- A setting of Scrapy or of a common Scrapy package names it (:data:`URL_SETTINGS`,
  :data:`HOST_SETTINGS`), or ``scrapy.cfg`` or ``scrapyd.conf`` names a Scrapyd.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from configparser import Error as ConfigParserError
from configparser import RawConfigParser
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit
from urllib.request import getproxies

from scrapy.utils.conf import get_sources

from wikicrawler import options

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scrapy.settings import BaseSettings

Place = tuple[str, int]
"""A host in lower case and a port."""

URL_SETTINGS = (
    # Scrapy
    "AWS_ENDPOINT_URL",
    "FEEDS",
    "FILES_STORE",
    "IMAGES_STORE",
    # proxies
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "PROXY",
    "PROXIES",
    "PROXY_LIST",
    "PROXY_URL",
    "ROTATING_PROXY_LIST",
    "ZYTE_SMARTPROXY_URL",
    # databases and queues
    "DATABASE_URL",
    "ELASTICSEARCH_SERVERS",
    "MONGODB_URI",
    "MONGO_URI",
    "POSTGRES_URL",
    "REDIS_URL",
    # Scrapyd, and browsers
    "SCRAPYD_URL",
    "PLAYWRIGHT_CDP_URL",
    "PLAYWRIGHT_CONNECT_URL",
    "SELENIUM_COMMAND_EXECUTOR",
    "SPLASH_URL",
)
"""Settings of Scrapy, its packages and many projects that name servers: a URL or ``host:port``, a
list of them, or a dict with them as keys or values."""
HOST_SETTINGS = (
    ("MAIL_HOST", "MAIL_PORT", 25),
    ("POSTGRES_HOST", "POSTGRES_PORT", 5432),
    ("REDIS_HOST", "REDIS_PORT", 6379),
)
"""Settings with the host and the port of a server, and its default port."""
MAX_META_PROXIES = 1_000
"""Maximum number of proxies of requests to remember; the oldest is dropped first."""

_PORTS = {
    "http": 80,
    "https": 443,
    "ws": 80,
    "wss": 443,
    "socks4": 1080,
    "socks5": 1080,
    "socks5h": 1080,
    "ftp": 21,
    "ftps": 990,
    "sftp": 22,
    "postgres": 5432,
    "postgresql": 5432,
    "redis": 6379,
    "rediss": 6379,
    "valkey": 6379,
    "valkeys": 6379,
    "mysql": 3306,
    "mongodb": 27017,
    "amqp": 5672,
    "amqps": 5671,
}
_PROXY_SCHEME = "http"
"""The scheme of a proxy that is named without one, as in Scrapy."""
_META = "the meta key proxy"
_SCRAPYD_FILES = ("/etc/scrapyd/scrapyd.conf", "scrapyd.conf", "~/.scrapyd.conf")
_SCRAPYD = ("127.0.0.1", 6800)


class OperatorServices:
    """The services of one crawl, each with the name of the setting that names it."""

    def __init__(self, settings: BaseSettings) -> None:
        self._by_port: dict[int, dict[str, str]] = {}
        self._meta_proxies: OrderedDict[str, None] = OrderedDict()
        for place, setting in known_services(settings):
            self._add(place, setting)

    def register(self, url: str, setting: str) -> None:
        """Register the service at *url*, which *setting* names."""
        for place in places_of(url):
            self._add(place, setting)

    def register_proxy(self, proxy: str) -> None:
        """Register *proxy*, the value of a request's meta key ``proxy``."""
        if proxy in self._meta_proxies:
            return
        self._meta_proxies[proxy] = None
        for host, port in places_of(proxy, _PROXY_SCHEME):
            self._by_port.setdefault(port, {}).setdefault(host, _META)
        if len(self._meta_proxies) > MAX_META_PROXIES:
            oldest, _ = self._meta_proxies.popitem(last=False)
            for host, port in places_of(oldest, _PROXY_SCHEME):
                if self._by_port.get(port, {}).get(host) == _META:
                    del self._by_port[port][host]

    def setting_of(self, host: str, port: int) -> str:
        """Return the setting that names the service at *host* and *port*; else an empty string."""
        return self.at_port(port).get(_normal(host), "")

    def at_port(self, port: int) -> dict[str, str]:
        """Return the settings that name the services at *port*, by host."""
        return self._by_port.get(port, {})

    def _add(self, place: Place, setting: str) -> None:
        host, port = place
        self._by_port.setdefault(port, {})[host] = setting


def known_services(settings: BaseSettings) -> Iterator[tuple[Place, str]]:
    """Yield the services that the environment, the settings and Scrapy's files name."""
    for scheme, proxy in getproxies().items():  # Scrapy's HttpProxyMiddleware uses these
        if scheme != "no":
            for place in places_of(proxy, _PROXY_SCHEME):
                yield place, f"{scheme}_proxy in the environment"
    for text, name in _settings_with_services(settings):
        for place in places_of(text):
            yield place, name
    yield from _scrapyds()


def _settings_with_services(settings: BaseSettings) -> Iterator[tuple[str, str]]:
    """Yield the texts that name servers, each with the name of its setting."""
    for setting in options.ALL:
        if setting.names_service:
            yield str(setting.read(settings) or ""), setting.name
    for name in URL_SETTINGS:
        for text in _texts(settings.get(name)):
            yield text, name
    for host_name, port_name, default in HOST_SETTINGS:
        if host := settings.get(host_name):
            yield f"//{host}:{settings.get(port_name) or default}", host_name


def places_of(text: str, scheme: str = "") -> Iterator[Place]:
    """Yield the hosts and ports of *text*: a URL (also of several hosts, as PostgreSQL has them),
    ``host:port``, or several of them between commas or white space.

    What names no server, or is wrong, yields nothing: whoever uses the setting reports it.

    :param scheme: what a host without a scheme has, for its port
    """
    for part in text.replace(",", " ").split():
        try:
            parts = urlsplit(part if "://" in part or part.startswith("//") else f"//{part}")
            host, port = parts.hostname, parts.port
        except ValueError:
            continue
        scheme = parts.scheme.partition("+")[0] or scheme
        port = port or _PORTS.get(scheme, 0)
        if host and port:
            yield _normal(host), port
        elif scheme.startswith("postgres"):
            yield from _postgres_places(parts.query, port)


def _postgres_places(query: str, port: int) -> Iterator[Place]:
    """Yield the servers of a PostgreSQL URL without a host: libpq has them from the query or from
    the environment."""
    asked = {name: values[-1] for name, values in parse_qs(query).items()}
    hosts = asked.get("host", os.environ.get("PGHOST", "")).split(",")
    ports = asked.get("port", os.environ.get("PGPORT", "")).split(",")
    for host, own in zip_longest(hosts, ports[: len(hosts)], fillvalue=ports[0]):
        name, _, in_host = host.partition(":")  # SQLAlchemy also takes host:port
        number = in_host or own
        if name and not name.startswith(("/", "@")):  # a socket in the file system
            yield _normal(name), int(number) if number.isdecimal() else port


def _texts(value: object) -> Iterator[str]:
    """Yield the texts in the *value* of a setting."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict) or hasattr(value, "items"):
        for entry in value.items():
            yield from (one for one in entry if isinstance(one, str))
    elif isinstance(value, (list, tuple, set, frozenset)):
        yield from (one for one in value if isinstance(one, str))


def _scrapyds() -> Iterator[tuple[Place, str]]:
    """Yield the Scrapyd servers of ``scrapy.cfg`` (targets of ``scrapyd-deploy``) and of the
    ``scrapyd.conf`` under which the crawl may run."""
    for section, values in _sections(get_sources()):
        if section.partition(":")[0] == "deploy":
            for place in places_of(values.get("url", "")):
                yield place, f"[{section}] in scrapy.cfg"
    for section, values in _sections(str(Path(name).expanduser()) for name in _SCRAPYD_FILES):
        if section == "scrapyd":
            host = values.get("bind_address", _SCRAPYD[0])
            port = values.get("http_port", str(_SCRAPYD[1]))
            host = f"[{host}]" if ":" in host else host
            for place in places_of(f"//{host}:{port}"):
                yield place, "scrapyd.conf"


def _sections(files: Iterable[str]) -> Iterator[tuple[str, dict[str, str]]]:
    for file in files:
        parser = RawConfigParser()
        try:
            parser.read(file, "utf-8")
        except (ConfigParserError, OSError, UnicodeDecodeError):
            continue  # whoever uses the file reports it
        for section in parser.sections():
            yield section, dict(parser[section])


def _normal(host: str) -> str:
    return host.lower().rstrip(".")
