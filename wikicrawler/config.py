"""The operator's configuration, ``config/sources.yml``."""

from __future__ import annotations

import json
import logging
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, cast
from urllib.parse import urlsplit

from scrapy.utils.conf import closest_scrapy_cfg
from scrapy.utils.misc import load_object

from wikicrawler import options
from wikicrawler.credentials.logins import WikiLogin, origin_of, read_login
from wikicrawler.credentials.proxies import SiteProxy, read_proxy
from wikicrawler.credentials.references import SecretReader
from wikicrawler.errors import ConfigError
from wikicrawler.text.safe import one_line, quoted
from wikicrawler.text.yaml import MAX_BYTES, Problems, Value, compose
from wikicrawler.urls.addresses import DEFAULT_PORTS, ascii_host, parse_domain, parse_url, redact
from wikicrawler.urls.sites import site_of
from wikicrawler.urls.splitting import split_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

TIER_CLASSES = {
    "mediawiki": "wikicrawler.tiers.mediawiki.tier.MediaWikiTier",
    "http": "wikicrawler.tiers.http.tier.HttpTier",
    "browser": "wikicrawler.tiers.crawl4ai.tier.BrowserTier",
    "firecrawl": "wikicrawler.tiers.firecrawl.tier.FirecrawlTier",
    "scrapingant": "wikicrawler.tiers.scrapingant.tier.ScrapingAntTier",
}
"""The registry: class of each tier that ships with the package, by name."""
TIER_3 = "browser"
"""The tier that ``tier3_only`` selects."""
POLICY_CLASSES = {
    "static": "wikicrawler.tiers.policy.StaticPolicy",
    "learned": "wikicrawler.learning.learned_policy.LearnedPolicy",
    "shadow": "wikicrawler.learning.learned_policy.ShadowPolicy",
    "split": "wikicrawler.learning.learned_policy.SplitPolicy",
}
"""Class of each value of ``WIKICRAWLER_TIER_POLICY``, loaded when it is used."""
MAX_DELAY = 86_400.0  # seconds
MAX_CONCURRENCY = 1_000
MAX_PAGES = 1_000_000_000

_SECTIONS = ("mediawiki_sites", "domains")
_MAX_OTHERS = 20
"""Maximum number of other keys that are logged."""
_DEFAULT_FILE = Path("config", "sources.yml")
_PACKAGED = "packaged sources.yml"
_PLAIN_DOMAIN = re.compile(r"[a-z0-9.-]*[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*(:\d+)?")
_PLAIN_URL = re.compile(r"https?://[A-Za-z0-9._~/:-]*[A-Za-z0-9._~/-]")


@dataclass(frozen=True, slots=True)
class WikiConfig:
    """One entry of ``mediawiki_sites``."""

    api: str
    api_robots: Literal["obey", "exempt"] = "obey"
    article_path: str | None = None
    tiers: tuple[str, ...] | None = None
    login: WikiLogin | None = None


@dataclass(frozen=True, slots=True)
class DomainConfig:
    """One entry of ``domains``; None for a key that is not set."""

    tiers: tuple[str, ...] | None = None
    delay: float | None = None
    concurrency: int | None = None
    own_budget: bool = False
    verify_tls: bool | None = None
    max_pages: int | None = None
    max_depth: int | None = None
    traps: bool = True
    """Whether links of the domain are checked for crawler traps."""
    stealth: str | None = None
    """A word of ``WIKICRAWLER_STEALTH``."""
    obey_noindex: bool | None = None
    """Overrides ``WIKICRAWLER_OBEY_NOINDEX``."""
    wait_for: str | None = None
    """CSS selector of an element that a complete page has, for the browser."""
    proxy: SiteProxy | None = None


_NO_DOMAIN = DomainConfig()


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration. Keys are ``host`` or ``host:port``, lower case.

    A key covers the subdomains of its host. The entry with the longest host applies; of the same
    host, the one with the URL's port. Entries are not merged.
    """

    wikis: Mapping[str, WikiConfig]
    domains: Mapping[str, DomainConfig]
    source: Path | None = None
    """The file that was read; None for the copy in the package."""

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Config:
        """Return the configuration in the file that the setting ``WIKICRAWLER_CONFIG`` names.

        A relative path is relative to the project's root: the folder of ``scrapy.cfg``, or the
        working directory without one. Without the setting, ``config/sources.yml`` is read from
        there, or else the copy in the package. An unchanged file is parsed once in a process.

        :raises ConfigError: the file is invalid; the message lists all problems by line and key
        """
        root, tiers = project_root(), tier_names(settings)
        named = options.CONFIG.read(settings)
        if named:
            return cls.from_file(root / named, tiers)
        if (root / _DEFAULT_FILE).exists():
            return cls.from_file(root / _DEFAULT_FILE, tiers)
        data = files("wikicrawler").joinpath("data/sources.yml").read_bytes()
        return _parse(data, None, tiers)

    @classmethod
    def from_file(cls, path: Path, tiers: tuple[str, ...] = tuple(TIER_CLASSES)) -> Config:
        """Return the configuration in the file at *path*, which may name *tiers*.

        :raises ConfigError: the file cannot be read or is invalid
        """
        try:
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except (OSError, ValueError) as exc:
            why = getattr(exc, "strerror", None) or "not a file name"
            raise ConfigError(
                f"{one_line(path)}: the configuration cannot be read: {why} ({options.CONFIG.name} "
                "names a YAML file, relative to the folder of scrapy.cfg)"
            ) from None
        return _parse(data, path, tiers)

    def wiki_for(self, url: str) -> WikiConfig | None:
        """Return the wiki whose domain is the longest suffix of the URL's host, or None."""
        for key in _keys(url) if self.wikis else ():
            if key in self.wikis:
                return self.wikis[key]
        return None

    def domain_for(self, url: str) -> DomainConfig:
        """Return the domain entry whose key is the longest suffix of the URL's host; an empty entry
        if there is none."""
        key = self.domain_key(url)
        return _NO_DOMAIN if key is None else self.domains[key]

    def domain_key(self, url: str) -> str | None:
        """Return the key of :meth:`domain_for`, or None if there is no entry."""
        if not self.domains:  # the usual case; components ask several times a page
            return None
        return next((key for key in _keys(url) if key in self.domains), None)

    def budget_of(self, url: str) -> str:
        """Return the name of the politeness budget that the URL is charged to: its site (registered
        domain), or the configured domain with ``own_budget``."""
        for key in _keys(url) if self.domains else ():
            if key in self.domains and self.domains[key].own_budget:
                return key
        return site_of(url)

    def wiki_with_login(self, url: str) -> WikiConfig | None:
        """Return the wiki with a log-in whose API has the scheme, host and port of *url*."""
        origin = origin_of(url)
        wikis = self.wikis.values()
        return next((w for w in wikis if w.login and origin_of(w.api) == origin), None)

    def login_of(self, url: str) -> WikiLogin | None:
        """Return the log-in for requests to *url*, if any."""
        wiki = self.wiki_with_login(url)
        return wiki.login if wiki is not None else None

    def access_of(self, url: str) -> tuple[str | None, str | None]:
        """Return the log-in and the proxy of *url* as text without secrets, None for none."""
        login, proxy = self.login_of(url), self.domain_for(url).proxy
        return str(login) if login else None, str(proxy) if proxy else None

    def only_ours(self, url: str) -> str:
        """Return why no other program may fetch *url* for us, in one line; empty if it may."""
        has = "log-in" if self.login_of(url) is not None else "proxy"
        if has == "proxy" and self.domain_for(url).proxy is None:
            return ""
        return f"the site has a {has}, which this tier does not use"


def secret_reader(settings: BaseSettings) -> SecretReader:
    """Return the reader of the secrets that the configuration refers to."""
    return SecretReader(settings, project_root())


def tier_names(settings: BaseSettings) -> tuple[str, ...]:
    """Return the tier names that are valid in a file: those of the package and of
    ``WIKICRAWLER_TIERS``.

    An entry of the setting that cannot be loaded is skipped; the tier registry reports it.
    """
    names = dict.fromkeys(TIER_CLASSES)
    for entry in options.TIERS.read(settings):
        if "." not in entry:
            continue
        with suppress(ImportError, NameError, ValueError, AttributeError, TypeError):
            names[str(load_object(entry).name)] = None
    return tuple(names)


def project_root() -> Path:
    """Return the folder of the closest ``scrapy.cfg``, or the working directory."""
    found = closest_scrapy_cfg()
    return Path(found).parent if found else Path.cwd()


def to_yaml_line(domain: str, api: str) -> str:
    """Return the indented line of ``mediawiki_sites`` that configures a wiki.

    :raises ValueError: *domain* is not a ``host`` or ``host:port``, or *api* not the URL of an API
    """
    key, value = parse_domain(domain), _api_url(api)
    key = key if _PLAIN_DOMAIN.fullmatch(key) else json.dumps(key)
    value = value if _PLAIN_URL.fullmatch(value) else json.dumps(value)
    return f"  {key}: {value}"


def _keys(url: str) -> Iterable[str]:
    """Return the keys that cover *url*, most specific first; none if it is not an http(s) URL."""
    plain = _PLAIN_ORIGIN.match(url)
    return _keys_of_origin(url) if plain is None else _keys_of_plain(plain[0])


# Several components ask for each page: the same few hosts again and again.
_PLAIN_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(?::[0-9]+)?(?=[/?#]|\Z)")


@lru_cache(maxsize=4096)
def _keys_of_plain(origin: str) -> tuple[str, ...]:
    return tuple(_keys_of_origin(origin))


def _keys_of_origin(url: str) -> Iterator[str]:
    try:
        parts = split_url(url)
        port = parts.port or DEFAULT_PORTS[parts.scheme]
        name = parts.hostname or ""
        host = ascii_host(f"[{name}]" if ":" in name else name)
    except (ValueError, KeyError):
        return
    is_address = host.endswith("]") or host.rpartition(".")[2].isdigit()
    while host:
        yield f"{host}:{port}"
        yield host
        host = "" if is_address else host.partition(".")[2]


@lru_cache(maxsize=16)
def _parse(data: bytes, source: Path | None, tiers: tuple[str, ...]) -> Config:
    name = one_line(source) if source else _PACKAGED
    problems = Problems(name, tested=source is None)
    top = compose(data, problems)
    wikis: dict[str, WikiConfig] = {}
    domains: dict[str, DomainConfig] = {}
    others: list[tuple[int, str]] = []
    if top and not top.is_empty():
        expected = f"a mapping (with the keys {' and '.join(_SECTIONS)})"
        sections, others = top.sections(_SECTIONS, expected)
        if "mediawiki_sites" in sections:
            wikis = dict(_wikis(sections["mediawiki_sites"], tiers))
        if "domains" in sections:
            domains = dict(_domains(sections["domains"], tiers))
    problems.raise_if_any()
    for line, key in others[:_MAX_OTHERS]:
        logger.info("%s:%d: %s: left alone (%s are read)", name, line, key, " and ".join(_SECTIONS))
    return Config(MappingProxyType(wikis), MappingProxyType(domains), source)


def _entries(section: Value, expected: str) -> Iterator[tuple[str, Value]]:
    """Yield the entries of a section that have a valid key, with their normalised domain."""
    if section.is_empty():  # the section contains only comments
        return
    lines: dict[str, int] = {}
    for key, value in section.items(expected):
        try:
            domain = parse_domain(key.node.value)
        except ValueError as exc:
            key.wrong(str(exc))
            continue
        if domain in lines:
            key.wrong(f"names the same host as line {lines[domain]} (keep one)")
            continue
        lines[domain] = key.line
        yield domain, value


def _wikis(section: Value, names: tuple[str, ...]) -> Iterator[tuple[str, WikiConfig]]:
    expected = "a mapping (like wiki.example.org: https://wiki.example.org/w/api.php)"
    logins: dict[str, WikiLogin] = {}
    for domain, value in _entries(section, expected):
        if not value.is_mapping():
            if api := _api(value):
                yield domain, WikiConfig(api)
            continue
        known = ("api", "api_robots", "article_path", "tiers", "login")
        fields = value.fields(known, "a mapping")
        if "api" not in fields:
            value.wrong("has no api (add api: https://…/api.php)")
        api = _api(fields["api"]) if "api" in fields else None
        robots = fields["api_robots"].choice(("obey", "exempt")) if "api_robots" in fields else None
        path = _article_path(fields["article_path"]) if "article_path" in fields else None
        tiers = fields["tiers"].choices(names) if "tiers" in fields else None
        login = read_login(fields["login"]) if "login" in fields else None
        if api and login and logins.setdefault(origin_of(api), login) != login:
            fields["login"].wrong(
                "is another log-in than that of a wiki on the same host (keep one)"
            )
        if api:
            checked = cast("Literal['obey', 'exempt']", robots or "obey")
            yield domain, WikiConfig(api, checked, path, tiers, login)


def _domains(section: Value, names: tuple[str, ...]) -> Iterator[tuple[str, DomainConfig]]:
    expected = "a mapping (like example.org: {delay: 2})"
    known = (
        *("tiers", "tier3_only", "delay", "concurrency", "own_budget"),
        *("verify_tls", "max_pages", "max_depth", "traps", "stealth", "obey_noindex", "wait_for"),
        "proxy",
    )
    for domain, value in _entries(section, expected):
        fields = value.fields(known, f"a mapping (with some of {', '.join(known)})")
        tiers = fields["tiers"].choices(names) if "tiers" in fields else None
        if "tier3_only" in fields:
            only = fields["tier3_only"].flag()
            if tiers and only is not None and only != (tiers == (TIER_3,)):
                fields["tier3_only"].wrong("contradicts tiers (keep one of the two)")
            tiers = (TIER_3,) if only else tiers
        traps = fields["traps"].flag() if "traps" in fields else None
        yield (
            domain,
            DomainConfig(
                tiers,
                fields["delay"].number(0, MAX_DELAY, "seconds") if "delay" in fields else None,
                fields["concurrency"].integer(1, MAX_CONCURRENCY, "a number of requests")
                if "concurrency" in fields
                else None,
                bool(fields["own_budget"].flag()) if "own_budget" in fields else False,
                fields["verify_tls"].flag() if "verify_tls" in fields else None,
                fields["max_pages"].integer(1, MAX_PAGES, "a number of pages")
                if "max_pages" in fields
                else None,
                fields["max_depth"].integer(0, MAX_PAGES, "a number of links")
                if "max_depth" in fields
                else None,
                traps is not False,
                fields["stealth"].choice(options.STEALTH.words) if "stealth" in fields else None,
                fields["obey_noindex"].flag() if "obey_noindex" in fields else None,
                fields["wait_for"].text("a CSS selector (like #content)")
                if "wait_for" in fields
                else None,
                read_proxy(fields["proxy"]) if "proxy" in fields else None,
            ),
        )


def _api(value: Value) -> str | None:
    if (text := value.text("an API's URL (like https://wiki.example.org/w/api.php)")) is None:
        return None
    try:
        return _api_url(text)
    except ValueError as exc:
        value.wrong(f"{quoted(redact(text))} {exc}")
        return None


def _api_url(text: str) -> str:
    """Return *text* as a normalised URL.

    :raises ValueError: it cannot be the URL of an ``api.php``
    """
    url = parse_url(text)
    if "?" in text or "#" in text:
        raise ValueError("has a query or fragment (the API's URL ends at api.php)")
    if urlsplit(url).path == "/":
        raise ValueError("names no file (like https://wiki.example.org/w/api.php)")
    return url


def _article_path(value: Value) -> str | None:
    if (path := value.text("the wiki's article path (like /wiki/$1)")) is None:
        return None
    if not path.startswith("/") or path.startswith("//"):
        value.wrong(f"{quoted(path)} is not a path on the host (like /wiki/$1)")
    elif path.count("$1") != 1:
        value.wrong(f"{quoted(path)} must contain $1 once, in place of the title (like /wiki/$1)")
    elif not path.isprintable() or set(path) & set(" \\#"):
        value.wrong(f"{quoted(path)} contains characters that no path has (like /wiki/$1)")
    else:
        return path
    return None
