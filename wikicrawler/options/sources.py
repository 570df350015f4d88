"""Settings of watched sources and of alerts."""

from __future__ import annotations

from types import MappingProxyType

from wikicrawler.options.kinds import (
    Choice,
    Delays,
    Names,
    Number,
    Seconds,
    SecretUrls,
    Table,
    Text,
    Whole,
)

_DAY = 86_400.0

# --- Watched sources

STAGING = Text(
    "WIKICRAWLER_STAGING",
    "staged",
    help="Folder of the envelopes, relative to that of scrapy.cfg, or s3://bucket/prefix.",
)
STAGING_WEBHOOK = Text(
    "WIKICRAWLER_STAGING_WEBHOOK",
    "",
    names_service=True,
    environment="WIKICRAWLER_STAGING_WEBHOOK",
    help="URL that gets a POST about what each run has staged.",
)
STAGING_WEBHOOK_SECRET = Text(
    "WIKICRAWLER_STAGING_WEBHOOK_SECRET",
    "",
    environment="WIKICRAWLER_STAGING_WEBHOOK_SECRET",
    help="Secret that signs these requests: whsec_ and 24 to 64 bytes in base64.",
)
STAGING_WEBHOOK_RETRY_DELAYS = Delays(
    "WIKICRAWLER_STAGING_WEBHOOK_RETRY_DELAYS",
    (1.0, 5.0),
    high=60.0,
    help="Delay before each retry of such a request; empty: no retry before the next crawl.",
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
    help="Maximum number of sources that all processes visit at the same time.",
)
SOURCES_WAIT = Seconds(
    "WIKICRAWLER_SOURCES_WAIT",
    60.0,
    high=_DAY,
    help="Time that a scheduled crawl waits while other processes visit as many as are allowed.",
)
SCRAPYD_URL = Text(
    "WIKICRAWLER_SCRAPYD_URL",
    "",
    names_service=True,
    environment="WIKICRAWLER_SCRAPYD_URL",
    help="Address of the Scrapyd by which scrapy scheduler starts crawls; else it does so itself.",
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

SOURCE_KEPT_FAILURES = Whole(
    "WIKICRAWLER_SOURCE_KEPT_FAILURES",
    50,
    help="Maximum number of responses of failed fetches that are kept of a source; 0 keeps none.",
)
TIME_ZONE = Text(
    "WIKICRAWLER_TIME_ZONE",
    "America/New_York",
    help="Time zone of the days and the off-peak hours by which sources are visited.",
)
OFF_PEAK_START = Whole(
    "WIKICRAWLER_OFF_PEAK_START",
    2,
    help="Hour at which the off-peak hours begin, 0 to 23.",
)
OFF_PEAK_END = Whole(
    "WIKICRAWLER_OFF_PEAK_END",
    6,
    help="Hour at which the off-peak hours end, 0 to 23; before the start: on the next day.",
)
OFF_PEAK_HOSTS = Names(
    "WIKICRAWLER_OFF_PEAK_HOSTS",
    ("gov",),
    help="Hosts, with those below them, whose sources the schedule visits in off-peak hours only.",
)

# --- Alerts

ALERTS = SecretUrls(
    "WIKICRAWLER_ALERTS",
    (),
    environment="WIKICRAWLER_ALERTS",
    help="Channels that get messages about alerts: URLs of apprise, each may have a filter.",
)
ALERT_SEVERITIES = Table(
    "WIKICRAWLER_ALERT_SEVERITIES",
    MappingProxyType({}),
    like='{"no_change": "high", "changed": "off"}',
    help="Severities of events: high, warning or info; off: the event is no alert.",
    unset="those in alerts.md",
)
ALERT_REMINDER_DAYS = Number(
    "WIKICRAWLER_ALERT_REMINDER_DAYS",
    0.0,
    high=3650.0,
    noun="a number of days",
    unit="days",
    help="Time after which another message about an open alert is sent; 0: none is.",
)
ALERT_UNCHANGED_DAYS = Number(
    "WIKICRAWLER_ALERT_UNCHANGED_DAYS",
    30.0,
    above=True,
    high=3650.0,
    noun="a number of days",
    unit="days",
    help="Time without a change after which a source raises the alert no_change.",
)
ALERT_TIMEOUT = Seconds(
    "WIKICRAWLER_ALERT_TIMEOUT",
    10.0,
    above=True,
    high=300.0,
    help="Deadline of a message; also the time for which the end of a crawl waits for messages.",
)
