"""Every setting of the project, once: name, kind, default, bounds and effect.

A module reads a setting by its constant here, ``options.LONGEST_WAIT.read(settings)``, and a
message names it as ``options.LONGEST_WAIT.name``. ``docs/settings.md`` has them for users.
"""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import Any

from wikicrawler.options.kinds import (
    Choice,
    Component,
    Delays,
    FilePath,
    Flag,
    Names,
    Number,
    Seconds,
    Setting,
    Share,
    Table,
    Text,
    Whole,
)

_DAY = 86_400.0

# --- Tiers

TIERS_ENABLED = Flag(
    "WIKICRAWLER_TIERS_ENABLED",
    True,
    help="Fetch pages by tiers; False downloads them as plain Scrapy does.",
)
TIERS = Names(
    "WIKICRAWLER_TIERS",
    ("mediawiki", "http", "browser"),
    help="Order in which tiers are tried where sources.yml names none: names, or import paths.",
)
TIERS_STRICT = Flag(
    "WIKICRAWLER_TIERS_STRICT",
    False,
    help="Skip what no tier found to be a page; False hands it to the spider as Scrapy does.",
)
TIER_POLICY = Text(
    "WIKICRAWLER_TIER_POLICY",
    "static",
    help="Policy that plans the tiers of a page: its name, or the import path of a class.",
)
CONFIG = FilePath(
    "WIKICRAWLER_CONFIG",
    None,
    help="YAML file of wikis and domains; a relative path starts at the folder of scrapy.cfg.",
    unset="`config/sources.yml` beside `scrapy.cfg` if there is one, else the copy in the package",
)
DISCOVER_WIKIS = Flag(
    "WIKICRAWLER_DISCOVER_WIKIS",
    True,
    help="Find the API of a wiki that is not configured from its pages.",
)

# --- Learning the tiers

TIER_SPLIT = Share(
    "WIKICRAWLER_TIER_SPLIT",
    0.5,
    noun="the share of domains that go by what was learned",
    help="Share of registered domains that the policy split plans by what was learned.",
)
TIER_COSTS = Table(
    "WIKICRAWLER_TIER_COSTS",
    MappingProxyType({}),
    like='{"http": 1, "ban": 10}',
    help="Costs of an attempt of each tier, of a ban and of a page, in plain GETs.",
    unset="the costs of the tiers",
)
EXPLORE = Share(
    "WIKICRAWLER_EXPLORE",
    0.01,
    high=0.5,
    noun="the share of a page's cost that may go into trying other tiers",
    help="Share of a page's cost that may be spent on trying cheaper tiers; 0 tries none.",
)
LONGEST_WAIT = Seconds(
    "WIKICRAWLER_LONGEST_WAIT",
    600.0,
    high=_DAY,
    help="Maximum time for which a failed page is delayed before a retry; 0 delays none.",
)

# --- Browser

CRAWL4AI_URL = Text(
    "CRAWL4AI_URL",
    "",
    names_service=True,
    environment="CRAWL4AI_URL",
    help="Address of the crawl4ai server; without one there is no browser tier.",
)
CRAWL4AI_API_TOKEN = Text(
    "CRAWL4AI_API_TOKEN",
    "",
    environment="CRAWL4AI_API_TOKEN",
    help="Bearer token for the crawl4ai server.",
)
CRAWL4AI_TIMEOUT = Seconds(
    "CRAWL4AI_TIMEOUT",
    40.0,
    above=True,
    help="Deadline of a rendered page, from the request to the last byte.",
)
CRAWL4AI_CONCURRENCY = Whole(
    "CRAWL4AI_CONCURRENCY",
    4,
    low=1,
    help="Maximum number of pages rendered at once, over all sites.",
)
CRAWL4AI_RETRY_DELAYS = Delays(
    "CRAWL4AI_RETRY_DELAYS",
    (2.0, 5.0),
    high=3600.0,
    help="Delay before each retry of a server that is busy or unreachable; empty: no retry.",
)
CRAWL4AI_RENDERINGS = Whole(
    "CRAWL4AI_RENDERINGS",
    3,
    low=1,
    help="Maximum number of renderings of a page whose content comes late; 1: once.",
)
STEALTH = Choice(
    "WIKICRAWLER_STEALTH",
    "challenged",
    words=("challenged", "always", "never"),
    help="Pages for which a browser hides that it is automated.",
)
CRAWL4AI_FALLBACK_HANDLERS = Table(
    "CRAWL4AI_FALLBACK_HANDLERS",
    MappingProxyType({}),
    like='{"https": "scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler"}',
    help="Download handlers, by scheme, of requests that are not rendered.",
    unset="what `DOWNLOAD_HANDLERS` had",
)
CRAWL4AI_FALLBACK_FINGERPRINTER = Component(
    "CRAWL4AI_FALLBACK_FINGERPRINTER",
    "scrapy.utils.request.RequestFingerprinter",
    help="Fingerprinter of requests that are not rendered.",
    unset="what `REQUEST_FINGERPRINTER_CLASS` was",
)

# --- Scraping services

FIRECRAWL_API_URL = Text(
    "FIRECRAWL_API_URL",
    "",
    names_service=True,
    environment="FIRECRAWL_API_URL",
    help="Address of the Firecrawl server.",
    unset="`https://api.firecrawl.dev` with a key, else no server",
)
FIRECRAWL_API_KEY = Text(
    "FIRECRAWL_API_KEY",
    "",
    environment="FIRECRAWL_API_KEY",
    help="API key of Firecrawl; a server of one's own may need none.",
)
FIRECRAWL_TIMEOUT = Seconds(
    "FIRECRAWL_TIMEOUT",
    60.0,
    low=1.0,
    high=300.0,
    help="Time that Firecrawl has for a page.",
)
FIRECRAWL_CONCURRENCY = Whole(
    "FIRECRAWL_CONCURRENCY",
    2,
    low=1,
    help="Maximum number of pages requested from Firecrawl at once, over all sites.",
)
FIRECRAWL_PROXY = Choice(
    "FIRECRAWL_PROXY",
    "basic",
    words=("basic", "auto", "enhanced"),
    help="Proxies that Firecrawl uses.",
)
FIRECRAWL_FALLBACK_HANDLERS = Table(
    "FIRECRAWL_FALLBACK_HANDLERS",
    MappingProxyType({}),
    like='{"https": "scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler"}',
    help="Download handlers, by scheme, of requests that Firecrawl does not get.",
    unset="what `DOWNLOAD_HANDLERS` had",
)
FIRECRAWL_FALLBACK_FINGERPRINTER = Component(
    "FIRECRAWL_FALLBACK_FINGERPRINTER",
    "scrapy.utils.request.RequestFingerprinter",
    help="Fingerprinter of requests that Firecrawl does not get.",
    unset="what `REQUEST_FINGERPRINTER_CLASS` was",
)
SCRAPINGANT_API_URL = Text(
    "SCRAPINGANT_API_URL",
    "",
    names_service=True,
    environment="SCRAPINGANT_API_URL",
    help="Address of the ScrapingAnt server.",
    unset="`https://api.scrapingant.com` with a key, else no server",
)
SCRAPINGANT_API_KEY = Text(
    "SCRAPINGANT_API_KEY",
    "",
    environment="SCRAPINGANT_API_KEY",
    help="API key of ScrapingAnt.",
)
SCRAPINGANT_TIMEOUT = Seconds(
    "SCRAPINGANT_TIMEOUT",
    60.0,
    low=5.0,
    high=60.0,
    help="Time that ScrapingAnt has for a page.",
)
SCRAPINGANT_CONCURRENCY = Whole(
    "SCRAPINGANT_CONCURRENCY",
    1,
    low=1,
    help="Maximum number of pages requested from ScrapingAnt at once, over all sites.",
)
SCRAPINGANT_ENDPOINT = Choice(
    "SCRAPINGANT_ENDPOINT",
    "extended",
    words=("extended", "general"),
    help="Endpoint of ScrapingAnt that returns the pages.",
)
SCRAPINGANT_BROWSER = Flag(
    "SCRAPINGANT_BROWSER",
    True,
    help="Have ScrapingAnt run the scripts of pages.",
)
SCRAPINGANT_PROXY = Choice(
    "SCRAPINGANT_PROXY",
    "datacenter",
    words=("datacenter", "residential"),
    help="Proxies that ScrapingAnt uses.",
)
SCRAPINGANT_FALLBACK_HANDLERS = Table(
    "SCRAPINGANT_FALLBACK_HANDLERS",
    MappingProxyType({}),
    like='{"https": "scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler"}',
    help="Download handlers, by scheme, of requests that ScrapingAnt does not get.",
    unset="what `DOWNLOAD_HANDLERS` had",
)
SCRAPINGANT_FALLBACK_FINGERPRINTER = Component(
    "SCRAPINGANT_FALLBACK_FINGERPRINTER",
    "scrapy.utils.request.RequestFingerprinter",
    help="Fingerprinter of requests that ScrapingAnt does not get.",
    unset="what `REQUEST_FINGERPRINTER_CLASS` was",
)
CREDITS = Table(
    "WIKICRAWLER_CREDITS",
    MappingProxyType({}),
    like='{"firecrawl": 500}',
    help="Maximum number of credits that may be used of each tier's service in a month.",
    unset="no limit",
)

# --- Politeness

DOMAIN_THROTTLE_ENABLED = Flag(
    "DOMAIN_THROTTLE_ENABLED",
    True,
    help="Keep one pace and one download slot for each site; replaces AutoThrottle.",
    unset="`True` in wikicrawler's own project, else where the project configures the throttle",
)
DOMAIN_THROTTLE_REQUESTS_PER_MINUTE = Number(
    "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE",
    60.0,
    above=True,
    environment="RATE_LIMIT_REQUESTS_PER_MINUTE",
    help="Base pace of a site.",
)
DOMAIN_THROTTLE_MAX_DELAY = Seconds(
    "DOMAIN_THROTTLE_MAX_DELAY",
    60.0,
    help="Maximum delay to which 429, 503 and slow answers slow a site down; 0: they do not.",
)
DOMAIN_THROTTLE_MAX_CRAWL_DELAY = Seconds(
    "DOMAIN_THROTTLE_MAX_CRAWL_DELAY",
    60.0,
    help="Maximum Crawl-delay of robots.txt that is honoured.",
)
DOMAIN_THROTTLE_MAX_RETRY_AFTER = Seconds(
    "DOMAIN_THROTTLE_MAX_RETRY_AFTER",
    600.0,
    help="Maximum pause that a server can ask for.",
)
RETRY = Table(
    "WIKICRAWLER_RETRY",
    MappingProxyType({}),
    like='{"429": [30, 60], "timeout": [15], "404": []}',
    help="Rows that replace those of the retry table.",
)
CONTACT = Text(
    "WIKICRAWLER_CONTACT",
    "",
    help="URL or e-mail address in the User-Agent, for site operators.",
)

# --- Private addresses

PRIVATE_HOSTS = Names(
    "WIKICRAWLER_PRIVATE_HOSTS",
    (),
    help="Hosts, hosts with ports and networks that may be crawled though they are private.",
)
ADDRESS_GUARD_ENABLED = Flag(
    "WIKICRAWLER_ADDRESS_GUARD_ENABLED",
    True,
    help="Refuse connections to private addresses that the operator did not name.",
)

# --- Crawler traps and budgets

TRAP_RULES = Names(
    "WIKICRAWLER_TRAP_RULES",
    ("repeating_path", "deep_path", "far_date", "session_id", "nothing_new", "chrome"),
    help="Rules against crawler traps that are in force; empty: none.",
)
SITE_MAX_PAGES = Whole(
    "WIKICRAWLER_SITE_MAX_PAGES",
    None,
    low=1,
    help="Maximum number of pages of a site in a crawl.",
    unset="no limit",
)

OBEY_NOINDEX = Flag(
    "WIKICRAWLER_OBEY_NOINDEX",
    True,
    help="Obey noindex and nofollow of pages, rel=nofollow of links and X-Robots-Tag.",
)
SCOPE_LINKS = Flag(
    "WIKICRAWLER_SCOPE_LINKS",
    False,
    help="Apply the trap rules and the budgets of sites to the links of any spider.",
)

# --- Content

MARKDOWN_ENABLED = Flag(
    "WIKICRAWLER_MARKDOWN_ENABLED",
    True,
    help="Convert pages as they are fetched, and items with HTML, to Markdown.",
)
CONTENT_WORKERS = Whole(
    "WIKICRAWLER_CONTENT_WORKERS",
    None,
    help="Worker processes for the conversion; 0 converts in the crawl's own process.",
    unset="number of usable cores, at most 4",
)
PAGE_CPU_SECONDS = Seconds(
    "WIKICRAWLER_PAGE_CPU_SECONDS",
    10.0,
    above=True,
    help="Maximum CPU time for the conversion of a page.",
)
PAGE_WALL_SECONDS = Seconds(
    "WIKICRAWLER_PAGE_WALL_SECONDS",
    60.0,
    above=True,
    help="Maximum elapsed time for the conversion of a page.",
)
PAGE_MEMORY_MB = Whole(
    "WIKICRAWLER_PAGE_MEMORY_MB",
    512,
    low=1,
    unit="MB",
    help="Maximum memory of a worker process.",
)

# --- The database

RECORD_ATTEMPTS = Flag(
    "WIKICRAWLER_RECORD_ATTEMPTS",
    False,
    help="Record each attempt of a tier in the database, whatever the policy.",
)
DATABASE_URL = Text(
    "WIKICRAWLER_DATABASE_URL",
    "",
    names_service=True,
    help="The project's database, as SQLAlchemy writes it.",
    unset="`wikicrawler.sqlite` in Scrapy's data folder (`.scrapy` beside `scrapy.cfg`)",
)

# --- The audit log

AUDIT = Flag(
    "WIKICRAWLER_AUDIT",
    False,
    help="Record each network operation in the audit log of the database; stop if it cannot.",
)
AUDIT_PATIENCE = Seconds(
    "WIKICRAWLER_AUDIT_PATIENCE",
    10.0,
    high=3600.0,
    help="Maximum time for which the audit log cannot be written before the crawl stops.",
)
AUDIT_KEPT_BODY = Whole(
    "WIKICRAWLER_AUDIT_KEPT_BODY",
    65_536,
    unit="bytes",
    help="Maximum size of a failed response's body that is kept for diagnosis; 0 keeps none.",
)

# --- What a person sees

PROGRESS_ENABLED = Flag(
    "WIKICRAWLER_PROGRESS_ENABLED",
    True,
    help="Show a live line where standard error is a terminal.",
)
SUMMARY_ENABLED = Flag(
    "WIKICRAWLER_SUMMARY_ENABLED",
    True,
    help="Log a summary at the end of a crawl.",
)
SKIPPED_FILE = FilePath(
    "WIKICRAWLER_SKIPPED_FILE",
    None,
    help="File of JSON lines, one for each page without a record.",
)

# --- Watched sources

STAGING = FilePath(
    "WIKICRAWLER_STAGING",
    Path("staged"),
    help="Folder of the envelopes; a relative path starts at the folder of scrapy.cfg.",
)
ENVIRONMENT = Choice(
    "WIKICRAWLER_ENVIRONMENT",
    "production",
    words=("production", "staging", "development"),
    help="The environment that envelopes name.",
)
SOURCES_AT_ONCE = Whole(
    "WIKICRAWLER_SOURCES_AT_ONCE",
    5,
    low=1,
    help="Maximum number of sources that are visited at the same time.",
)
SOURCE_MAX_PAGES = Whole(
    "WIKICRAWLER_SOURCE_MAX_PAGES",
    5_000,
    low=1,
    help="Maximum number of documents of a source that a visit fetches.",
)
SOURCE_FULL_GET = Whole(
    "WIKICRAWLER_SOURCE_FULL_GET",
    10,
    low=1,
    help="Fetch a document without ETag and Last-Modified once in so many visits; 1: always.",
)

ALL: tuple[Setting[Any], ...] = tuple(
    value for value in tuple(globals().values()) if isinstance(value, Setting)
)
"""All settings, in the order of this module."""
