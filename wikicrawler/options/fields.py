"""Settings of field extraction. Those with the name of a member of ``ScraperConfig`` set it."""

from __future__ import annotations

from types import MappingProxyType

from wikicrawler.options.kinds import Choice, FilePath, Flag, Number, Secrets, Table, Text, Whole

FIELDS_CONFIG = FilePath(
    "WIKICRAWLER_FIELDS_CONFIG",
    None,
    environment="WIKICRAWLER_FIELDS_CONFIG",
    help="YAML or JSON file with the settings of field extraction, by their short names.",
)
FIELDS_BACKEND = Choice(
    "WIKICRAWLER_FIELDS_BACKEND",
    "http",
    words=("http", "browser", "auto"),
    help="Tiers that fetch the pages: those without scripts, those that run the scripts, or all.",
)
FIELDS_MODEL = Text(
    "WIKICRAWLER_FIELDS_MODEL",
    "openai/gpt-4o-mini",
    help="Model that reads the pages: provider and name.",
)
FIELDS_API_KEYS = Secrets(
    "WIKICRAWLER_FIELDS_API_KEYS",
    (),
    help="API keys of the model's server.",
    unset="the provider's usual environment variable, as `OPENAI_API_KEY`",
)
FIELDS_BASE_URL = Text(
    "WIKICRAWLER_FIELDS_BASE_URL",
    "",
    names_service=True,
    help="Address of an OpenAI-compatible server, with its `/v1`.",
    unset="that of the model's provider",
)
FIELDS_MAX_CONCURRENT = Whole(
    "WIKICRAWLER_FIELDS_MAX_CONCURRENT",
    5,
    low=1,
    help="Maximum number of pages in flight: being fetched, or read by the model.",
)
FIELDS_TIMEOUT = Whole(
    "WIKICRAWLER_FIELDS_TIMEOUT",
    30_000,
    low=1,
    unit="ms",
    help="Time for the download of a page.",
)
FIELDS_HEADLESS = Flag(
    "WIKICRAWLER_FIELDS_HEADLESS",
    True,
    help="The browser has no window. crawl4ai's server always runs it so.",
)
FIELDS_STEALTH = Flag(
    "WIKICRAWLER_FIELDS_STEALTH",
    True,
    help="With the backend `browser`, hide that the browser is automated.",
)
FIELDS_MAX_PAGES = Whole(
    "WIKICRAWLER_FIELDS_MAX_PAGES",
    50,
    low=1,
    help="Maximum number of pages that a crawl reads.",
)
FIELDS_MAX_DEPTH = Whole(
    "WIKICRAWLER_FIELDS_MAX_DEPTH",
    3,
    help="Maximum number of links between the first page of a crawl and another one.",
)
FIELDS_INPUT_FORMAT = Choice(
    "WIKICRAWLER_FIELDS_INPUT_FORMAT",
    "markdown",
    words=("markdown", "text", "html"),
    help="Form of the page that the model reads.",
)
FIELDS_CHUNK_TOKEN_THRESHOLD = Whole(
    "WIKICRAWLER_FIELDS_CHUNK_TOKEN_THRESHOLD",
    2048,
    low=64,
    help="Tokens of a page above which it is read in parts.",
)
FIELDS_VERBOSE = Flag(
    "WIKICRAWLER_FIELDS_VERBOSE",
    False,
    help="Log each value that is found, with its place.",
)
FIELDS_QUOTES = Flag(
    "WIKICRAWLER_FIELDS_QUOTES",
    True,
    help="Ask the model for the text that proves each value.",
)
FIELDS_MAX_TOKENS = Whole(
    "WIKICRAWLER_FIELDS_MAX_TOKENS",
    None,
    low=1,
    unset="no limit",
    help="Tokens of all calls of a run together, after which no further one is made.",
)
FIELDS_MAX_COST = Number(
    "WIKICRAWLER_FIELDS_MAX_COST",
    0.0,
    help="US dollars of all calls of a run together, after which no further one is made.",
    unset="no limit, as with 0",
)
FIELDS_MAX_ANSWER_TOKENS = Whole(
    "WIKICRAWLER_FIELDS_MAX_ANSWER_TOKENS",
    2048,
    low=16,
    help="Maximum number of tokens of one answer.",
)
FIELDS_CACHE = Text(
    "WIKICRAWLER_FIELDS_CACHE",
    "fields-answers",
    environment="WIKICRAWLER_FIELDS_CACHE",
    help="Folder of the model's answers, so that an unchanged page costs nothing; a relative one "
    "is in the project's `.scrapy`. Empty: no cache.",
)
FIELDS_PRICES = Table(
    "WIKICRAWLER_FIELDS_PRICES",
    MappingProxyType({}),
    like='{"openai/my-model": {"input": 1e-6, "output": 2e-6}}',
    environment="WIKICRAWLER_FIELDS_PRICES",
    help="US dollars a token of models, in place of the list prices that ship with the project.",
)
FIELDS_CONTENT = Flag(
    "WIKICRAWLER_FIELDS_CONTENT",
    True,
    environment="WIKICRAWLER_FIELDS_CONTENT",
    help="Records have the content of the page, in which the spans of the evidence are offsets.",
)
