"""Search in the pages of a wiki, by the API's ``list=search``."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from wikicrawler.errors import Reason
from wikicrawler.pages import Failure
from wikicrawler.tiers.mediawiki.api import as_dict, as_list, read_answer
from wikicrawler.tiers.mediawiki.titles import is_legal

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_QUERY = 300
"""Length of a query in bytes of UTF-8: the API's limit."""
MAX_HITS = 50
"""Pages that an answer has."""
_SNIPPET = 2000
"""Characters of a snippet that are read; wikis send some 200."""
_TAG = re.compile(r"<[^<>]*>")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


class Hit(NamedTuple):
    """A page that a search has found."""

    title: str
    snippet: str
    """Plain text around what was found; empty if the wiki states none."""
    words: int | None
    edited_at: str | None
    """ISO 8601 in UTC."""


class Hits(NamedTuple):
    """The first pages that a search has found."""

    hits: tuple[Hit, ...]
    total: int | None
    """Number of all pages; None if the wiki does not state it."""
    suggestion: str | None
    """Another query that the wiki suggests."""


def search_url(api: str, query: str, limit: int) -> str:
    """Return the API URL of a search in the content namespaces' default: the main one."""
    arguments = {
        "action": "query",
        "list": "search",
        "srsearch": query,
        "srlimit": str(min(limit, MAX_HITS)),
        "srinfo": "totalhits|suggestion",
        "srprop": "snippet|wordcount|timestamp",
        "format": "json",
        "formatversion": "2",
        "maxlag": "5",
    }
    return f"{api}?{urlencode(arguments)}"


def read_hits(body: bytes, headers: Mapping[str, str], status: int) -> Hits | Failure:
    """Return the pages in an API response, in either format version. Never raises.

    :param headers: headers with lower-case names
    """
    answer = read_answer(body, headers, status)
    if isinstance(answer, Failure):
        return answer
    query = as_dict(answer.get("query"))
    found = query.get("search")
    if not isinstance(found, list):
        return Failure(Reason.API_ERROR, "no list of pages in the answer")
    info = as_dict(query.get("searchinfo"))
    total, suggestion = info.get("totalhits"), info.get("suggestion")
    hits = (_hit(as_dict(one)) for one in as_list(found)[:MAX_HITS])
    return Hits(
        tuple(hit for hit in hits if hit is not None),
        total if _is_count(total) else None,
        suggestion[:MAX_QUERY] if isinstance(suggestion, str) else None,
    )


def plain_snippet(html: str) -> str:
    """Return the text of a snippet, which has tags around the words that were found."""
    return unescape(_TAG.sub("", html[:_SNIPPET]))


def _hit(record: Mapping[str, object]) -> Hit | None:
    title, snippet = record.get("title"), record.get("snippet")
    if not isinstance(title, str) or not is_legal(title):
        return None
    words, edited = record.get("wordcount"), record.get("timestamp")
    return Hit(
        title,
        plain_snippet(snippet) if isinstance(snippet, str) else "",
        words if isinstance(words, int) and _is_count(words) else None,
        edited if isinstance(edited, str) and _TIME.fullmatch(edited) else None,
    )


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < 1 << 60
