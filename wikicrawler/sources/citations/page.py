"""The part and title of a page itself."""

from __future__ import annotations

import re
from typing import NamedTuple

from wikicrawler.sources.citations.finder import find_citations
from wikicrawler.urls.splitting import split_url

MAX_TEXT = 2_000
"""Characters of a heading or citation that are read."""

_PATHS = {
    "consumerfinance.gov": re.compile(
        r"/(?:rules-policy|policy-compliance/rulemaking)/regulations/(?P<part>[0-9]{1,4})(?:/|$)"
    ),
    "ecfr.gov": re.compile(
        r"/(?:current|on/[0-9-]{1,12})/title-(?P<title>[0-9]{1,2})/(?:[^/]{1,60}/){0,6}"
        r"(?:part-(?P<part>[0-9]{1,4})|section-(?P<section>[0-9]{1,4})\.[0-9])"
    ),
    "law.cornell.edu": re.compile(
        r"/cfr/text/(?P<title>[0-9]{1,2})/(?:part-)?(?P<part>[0-9]{1,4})(?:[./]|$)"
    ),
}
_TITLES = {"consumerfinance.gov": "12"}
_KEY = re.compile(r"cfr:([0-9]+|\?)/([0-9]+(?:-[0-9]+)?)")


class PageContext(NamedTuple):
    """What part of the Code of Federal Regulations a page belongs to."""

    part: str | None = None
    title: str | None = None


def page_context(
    url: str | None = None, heading: str | None = None, citation: str | None = None
) -> PageContext:
    """Return the part and title of a page by its citation, its URL and its heading, in this order.

    A heading that cites several parts tells none.
    """
    for context in (_cited(citation), _of_url(url), _cited(heading)):
        if context.part is not None:
            return context
    return PageContext()


def _cited(text: str | None) -> PageContext:
    if not text:
        return PageContext()
    keys = [_KEY.match(found.key) for found in find_citations(text[:MAX_TEXT], limit=20)]
    parts = {(key[2], key[1] if key[1] != "?" else None) for key in keys if key}
    return PageContext(*parts.pop()) if len(parts) == 1 else PageContext()


def _of_url(url: str | None) -> PageContext:
    if not url:
        return PageContext()
    try:
        split = split_url(url[:MAX_TEXT])
        host = (split.hostname or "").removeprefix("www.")
    except ValueError:
        return PageContext()
    found = _PATHS[host].match(split.path) if host in _PATHS else None
    if found is None:
        return PageContext()
    groups = found.groupdict()
    return PageContext(
        groups.get("part") or groups.get("section"), groups.get("title") or _TITLES.get(host)
    )
