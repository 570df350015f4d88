"""The arguments of the tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wikicrawler.errors import ConfigError
from wikicrawler.mcp_server.failures import CallFailed
from wikicrawler.scope import CrawlBounds
from wikicrawler.text.safe import one_line, quoted
from wikicrawler.tiers.mediawiki.full_text import MAX_HITS, MAX_QUERY
from wikicrawler.urls.addresses import MAX_URL, parse_url, redact

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T", bound=BaseModel)

MIN_CHARS = 500
DEFAULT_CHARS = 20_000
_PATTERNS = 2000
_SHOWN_FAULTS = 5


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ReadPageArguments(_Arguments):
    url: str = Field(description="http(s) URL of the page", max_length=MAX_URL)
    offset: int = Field(
        default=0,
        ge=0,
        description="Where to begin in the page's text: 0, or next_offset of the answer before",
    )
    max_chars: int | None = Field(
        default=None,
        ge=MIN_CHARS,
        description="Maximum length of the text in the answer, in characters",
    )
    content_hash: str | None = Field(
        default=None,
        max_length=100,
        description="content_hash of the answer before: the parts are then of the same version",
    )
    refresh: bool = Field(
        default=False, description="Request the page again even if it was read recently"
    )


class SearchWikiArguments(_Arguments):
    site: str = Field(
        description="URL of any page of the wiki, or its host name", max_length=MAX_URL
    )
    query: str = Field(
        description="Words to search for; the wiki's own search syntax", min_length=1
    )
    limit: int = Field(default=10, ge=1, le=MAX_HITS, description="Maximum number of results")


class CrawlSiteArguments(_Arguments):
    seed: str = Field(description="http(s) URL of the page to begin at", max_length=MAX_URL)
    max_pages: int = Field(default=10, ge=1, description="Maximum number of pages")
    max_depth: int = Field(
        default=3, ge=0, le=100, description="Maximum number of links from the seed; 0: it alone"
    )
    follow: str = Field(
        default="",
        max_length=_PATTERNS,
        description="RE2 patterns separated by spaces: follow only links whose URL matches one",
    )
    exclude: str = Field(
        default="",
        max_length=_PATTERNS,
        description="RE2 patterns separated by spaces: follow no link whose URL matches one",
    )


class ExplainArguments(_Arguments):
    url: str = Field(description="http(s) URL of the page", max_length=MAX_URL)


def read_arguments(model: type[T], arguments: Mapping[str, Any] | None) -> T:
    """Return the *arguments* of a call.

    :raises CallFailed: they are wrong; the message names each, and what would be right
    """
    try:
        return model.model_validate(dict(arguments or {}))
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False, include_context=False)
    names = ", ".join(model.model_fields)
    lines = []
    for fault in faults[:_SHOWN_FAULTS]:
        place = one_line(".".join(map(str, fault["loc"])), 100)
        lines.append(f"{place}: {_fault_text(fault['type'], fault['msg'])}")
    raise CallFailed("\n".join([*lines, f"The arguments are: {names}."]))


def read_url(text: str, name: str) -> str:
    """Return the URL in the argument *name*.

    :raises CallFailed: it is no http(s) URL
    """
    try:
        return parse_url(text.strip())
    except ValueError as error:
        raise CallFailed(f"{name}: {quoted(redact(text.strip()), 200)} {error}") from None


def read_site(text: str) -> str:
    """Return the URL in the argument ``site``, which may be a host name alone.

    :raises CallFailed: it is neither
    """
    text = text.strip()
    return read_url(text if "://" in text else f"https://{text}", "site")


def read_query(text: str) -> str:
    """Return the query of a search.

    :raises CallFailed: it is empty or too long
    """
    query = " ".join(text.split())
    if not query:
        raise CallFailed("query: it is empty (give words to search for)")
    if len(query.encode("utf-8", "surrogatepass")) > MAX_QUERY:
        raise CallFailed(f"query: too long (at most {MAX_QUERY} bytes; give fewer words)")
    return query


def read_bounds(arguments: CrawlSiteArguments) -> CrawlBounds:
    """Return which links a crawl follows.

    :raises CallFailed: a pattern is wrong
    """
    for name in ("follow", "exclude"):
        # An operator's list may name files; a call may not read them.
        if any(word.startswith("@") for word in getattr(arguments, name).split()):
            raise CallFailed(f"{name}: a pattern cannot begin with @ (write \\@ for the character)")
    try:
        return CrawlBounds(follow=arguments.follow, exclude=arguments.exclude)
    except ConfigError as error:
        raise CallFailed(one_line(str(error), 1000)) from None


def check_most(name: str, value: int, most: int, setting: str) -> None:
    """Check an argument against the operator's limit.

    :raises CallFailed: it is larger
    """
    if value > most:
        raise CallFailed(f"{name}: {value:,} is too many (this server allows {most:,}: {setting})")


def _fault_text(kind: str, message: str) -> str:
    if kind == "missing":
        return "it is missing"
    if kind == "extra_forbidden":
        return "there is no such argument"
    return one_line(message, 200)
