"""Settings of reports."""

from __future__ import annotations

from wikicrawler.options.kinds import FilePath, Seconds, Text, Whole

REPORTS_PROVIDERS = FilePath(
    "WIKICRAWLER_REPORTS_PROVIDERS",
    None,
    help="YAML file with the providers of reports, relative to the folder of scrapy.cfg.",
    unset="`config/providers.yml` beside `scrapy.cfg` if it is there, else the copy in the package",
)
REPORTS_FOLDER = Text(
    "WIKICRAWLER_REPORTS_FOLDER",
    "reports",
    help="Folder of the downloaded documents, relative to that of scrapy.cfg.",
)
REPORTS_AT_ONCE = Whole(
    "WIKICRAWLER_REPORTS_AT_ONCE",
    4,
    low=1,
    help="Maximum number of reports that are looked for at the same time.",
)
REPORTS_SEARCH_SECONDS = Seconds(
    "WIKICRAWLER_REPORTS_SEARCH_SECONDS",
    1_800.0,
    low=1.0,
    help="Time for the search of a provider. SEC may ask for a pause of 600 s in it.",
)
REPORTS_MAX_BYTES = Whole(
    "WIKICRAWLER_REPORTS_MAX_BYTES",
    200_000_000,
    low=1,
    unit="bytes",
    help="Maximum size of a document.",
)
