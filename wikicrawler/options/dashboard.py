"""Settings of the dashboard (``scrapy dashboard``)."""

from __future__ import annotations

from types import MappingProxyType

from wikicrawler.options.kinds import Names, Table, Text

DASHBOARD_USERS = Table(
    "WIKICRAWLER_DASHBOARD_USERS",
    MappingProxyType({}),
    like='{"anna": "$argon2id$v=19$…"}',
    help="Names and password hashes of the people who may log in; `scrapy dashboard "
    "--hash-password` prints a hash.",
)
DASHBOARD_PASSWORD = Text(
    "WIKICRAWLER_DASHBOARD_PASSWORD",
    "",
    environment="WIKICRAWLER_DASHBOARD_PASSWORD",
    help="Password of the user `operator`, where one person uses the dashboard.",
)
DASHBOARD_TOKEN = Text(
    "WIKICRAWLER_DASHBOARD_TOKEN",
    "",
    environment="WIKICRAWLER_DASHBOARD_TOKEN",
    help="Bearer token of programs that use the API; a person may log in with it, too.",
)
DASHBOARD_ORIGINS = Names(
    "WIKICRAWLER_DASHBOARD_ORIGINS",
    (),
    help="Addresses under which browsers reach the dashboard besides its own, like "
    "`https://crawls.example.org` behind a reverse proxy.",
)
DASHBOARD_RESULTS = Names(
    "WIKICRAWLER_DASHBOARD_RESULTS",
    ("*.jsonl",),
    help="Feeds of the spiders `fields` and `reports` that the dashboard shows: files, folders or "
    "patterns, relative to the folder of scrapy.cfg.",
)
