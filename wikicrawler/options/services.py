"""Settings of paid scraping services."""

from __future__ import annotations

from types import MappingProxyType

from wikicrawler.options.kinds import (
    Choice,
    Component,
    Flag,
    Seconds,
    Table,
    Text,
    Whole,
)

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
