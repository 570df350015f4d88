"""Settings of the tiers, of what is learned about them, and of the browser."""

from __future__ import annotations

from types import MappingProxyType

from wikicrawler.options.kinds import (
    Choice,
    Component,
    Delays,
    FilePath,
    Flag,
    Names,
    Seconds,
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
SECRETS_FILE = FilePath(
    "WIKICRAWLER_SECRETS_FILE",
    None,
    environment="WIKICRAWLER_SECRETS_FILE",
    help="YAML file of the secrets that sources.yml names by key; only its owner may read it.",
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
LEARN_SECONDS = Seconds(
    "WIKICRAWLER_LEARN_SECONDS",
    15.0,
    help="Time after which what other crawls have recorded is learned; 0: at the start only.",
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
