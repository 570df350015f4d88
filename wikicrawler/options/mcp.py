"""Settings of the server for agents (``wikicrawler-mcp``)."""

from __future__ import annotations

from wikicrawler.options.kinds import Seconds, Whole

MCP_MAX_CHARS = Whole(
    "WIKICRAWLER_MCP_MAX_CHARS",
    50_000,
    low=1000,
    unit="characters",
    help="Maximum length of a page's text, and of a list of pages, in one answer.",
)
MCP_PAGE_SECONDS = Seconds(
    "WIKICRAWLER_MCP_PAGE_SECONDS",
    120.0,
    above=True,
    help="Maximum time for which a call waits for a page or for a search.",
)
MCP_CRAWL_PAGES = Whole(
    "WIKICRAWLER_MCP_CRAWL_PAGES",
    50,
    low=1,
    unit="pages",
    help="Maximum number of pages that a call may crawl.",
)
MCP_CRAWL_SECONDS = Seconds(
    "WIKICRAWLER_MCP_CRAWL_SECONDS",
    300.0,
    above=True,
    help="Maximum time for which a call may crawl.",
)
MCP_SESSION_PAGES = Whole(
    "WIKICRAWLER_MCP_SESSION_PAGES",
    1000,
    low=1,
    unit="pages",
    help="Maximum number of pages and searches that the server requests until it ends.",
)
MCP_CACHE_MB = Whole(
    "WIKICRAWLER_MCP_CACHE_MB",
    64,
    low=1,
    unit="MB",
    help="Maximum memory for the texts of pages that were read; the latest page is always kept.",
)
MCP_CACHE_SECONDS = Seconds(
    "WIKICRAWLER_MCP_CACHE_SECONDS",
    900.0,
    help="Time after which a page that was read is requested anew; 0: by each call.",
)
