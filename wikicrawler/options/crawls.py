"""Settings of any crawl: its politeness, its bounds, its content and what it records."""

from __future__ import annotations

from types import MappingProxyType

from wikicrawler.options.kinds import (
    Choice,
    Component,
    FilePath,
    Flag,
    Names,
    Number,
    Seconds,
    Table,
    Text,
    Whole,
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
RETRY_POLICY = Component(
    "WIKICRAWLER_RETRY_POLICY",
    None,
    help="Class that decides on retries of requests with the meta key retry_by_policy.",
    unset="none; the spider `sources` has its own",
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
IMAGES = Choice(
    "WIKICRAWLER_IMAGES",
    "alt",
    words=("alt", "markdown"),
    help="Images in the Markdown: alt texts that stand for words; or the images themselves, too.",
)
LINKS = Choice(
    "WIKICRAWLER_LINKS",
    "inline",
    words=("inline", "references", "relative", "text"),
    help="Links in the Markdown: with their URLs; as numbers; as paths of the host; as text.",
)
COMMENTS = Flag(
    "WIKICRAWLER_COMMENTS",
    False,
    help="Keep the comments below an article.",
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

# --- Chunks

CHUNKS = Flag(
    "WIKICRAWLER_CHUNKS",
    False,
    help="Add the chunks of the content to each record.",
)
CHUNK_TOKENS = Whole(
    "WIKICRAWLER_CHUNK_TOKENS",
    1000,
    low=20,
    unit="tokens",
    help="Maximum size of a chunk, by an estimate that is rather too high.",
)
CHUNK_OVERLAP = Whole(
    "WIKICRAWLER_CHUNK_OVERLAP",
    0,
    unit="tokens",
    help="What a chunk repeats of the one before, at most half of a chunk.",
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

REPORT_JOBS = Flag(
    "WIKICRAWLER_REPORT_JOBS",
    True,
    help="Report the crawl to scrapy jobs, and obey what operators do there and to sites.",
)
JOB_ID = Text(
    "WIKICRAWLER_JOB_ID",
    "",
    environment="WIKICRAWLER_JOB_ID",
    help="Id of the job that requested the crawl; set by what starts it.",
)

# --- Several workers

FRONTIER = Text(
    "WIKICRAWLER_FRONTIER",
    "",
    names_service=True,
    environment="WIKICRAWLER_FRONTIER",
    help="URL of the Redis in which the workers of a crawl share its requests.",
    unset="the crawl has one worker",
)
FRONTIER_JOB = Text(
    "WIKICRAWLER_FRONTIER_JOB",
    "",
    help="Name of the crawl that the workers share.",
)
FRONTIER_LEASE = Seconds(
    "WIKICRAWLER_FRONTIER_LEASE",
    60.0,
    low=1.0,
    high=3600.0,
    help="Time after which the requests of a worker that is gone go to the others.",
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
