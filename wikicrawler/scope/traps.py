"""Crawler traps as their URLs show them: the rules, without Scrapy.

A trap is a part of a site that has no end: a calendar, relative links that pile up, a session's
number in every link, filters that combine. What a URL alone gives away is told here; what takes the
pages themselves is in :mod:`wikicrawler.scope.families`.
"""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import takewhile
from typing import NamedTuple

import re2

from wikicrawler import options


class LeftOut(StrEnum):
    """Why a link is not followed. Logs and stats use these words."""

    REPEATING_PATH = "repeating_path"  # the same part of the path over and over
    DEEP_PATH = "deep_path"  # too many parts
    FAR_DATE = "far_date"  # a calendar that has left our time
    SESSION_ID = "session_id"  # but for a session's number it was asked for
    NOTHING_NEW = "nothing_new"  # the latest pages of its family said nothing new
    CHROME = "chrome"  # a page of the engine itself, without content
    NOFOLLOW = "nofollow"  # the page, or the link, asks robots not to follow
    SITE_MAX_PAGES = "site_max_pages"  # the site has as many pages as it may have
    SITE_MAX_DEPTH = "site_max_depth"  # too many links from the seed, for the site


RULES = tuple(LeftOut(name) for name in options.TRAP_RULES.default)
"""Those that can be switched off by ``WIKICRAWLER_TRAP_RULES``; by default all are on."""

MAX_SEGMENTS = 30
"""Parts of the longest path. Heritrix allows 20; source trees and mirrors are deeper than that."""
YEARS_AHEAD = 5
"""How far ahead of this year a calendar is followed."""
_LAST_YEAR = 2199  # beyond it a number of four digits is no year: a calendar comes by here

# Nothing that any rule or family looks at, as most links of a site: two parts and no number.
_PLAIN = re.compile(r"https?://[^/?#]+(?:/[^/?#0-9;(]*){0,2}/?\Z")

_MOST_NAMES = 6
"""Parts of a path that come over and over, from the first that is no number."""

# Dates that say where in a calendar the page is: those with a title behind them say what it is on.
_MONTH, _DAY = "(?:1[0-2]|0?[1-9])", "(?:3[01]|[12][0-9]|0?[1-9])"
_DATE = re.compile(
    rf"[/=](2[0-9]{{3}})/{_MONTH}(?:/{_DAY})?/?(?=[?&]|\Z)"
    rf"|[/=](2[0-9]{{3}})-{_MONTH}-{_DAY}/?(?=[?&T]|\Z)"
    rf"|=(2[0-9]{{3}})-{_MONTH}(?=&|\Z)"
)
# By RE2, in linear time: where many parameters have such a name, re tries them all again and again.
_YEAR = re2.compile(rb"(?i)[?&][^=&]*(?:year|yr|jahr)[^=&]*=(2[0-9]{3})(?:&|\z)")

# Names that mean nothing else; with the others the value must be made by a machine: a conference
# has sessions too.
_SESSION = re.compile(
    r";(?:jsessionid|phpsessid|sid|sessionid)=[^/?#&;]*"
    r"|/\((?:[A-Za-z]\([0-9a-z]{20,}\))+\)(?=/)"
    r"|([?&])(?:(?:jsessionid|phpsessid|aspsessionid[a-z]*|oscsid|zenid|cfid|cftoken)=[^&]*"
    r"|(?:sid|sess|session|session_?id|sessid|session_key)=(?=(?:[a-z]*+[0-9]){3})[0-9a-z]{16,}"
    r"|s=[0-9a-f]{32})(?=&|\Z)",
    re.IGNORECASE,
)


def canonical(url: str) -> str:
    """*url* without a session's number: URLs that differ by that alone lead to the same page."""
    if "?" not in url and ";" not in url and "(" not in url:
        return url
    bare, found = _SESSION.subn(lambda match: match[1] or "", url)
    if not found:
        return url
    return re.sub("&{2,}", "&", bare).replace("?&", "?").rstrip("?&")


def rule_against(url: str, year: int) -> LeftOut | None:
    """The rule that speaks against *url*, an absolute one without fragment; *year* is now."""
    if _PLAIN.match(url):
        return None
    place, _, query = url.partition("?")
    parts = place.count("/") - 2
    if parts > MAX_SEGMENTS:
        return LeftOut.DEEP_PATH
    if parts > 3 and (path := place[place.index("/", 8) :]):
        segments = path.split("/")
        # Cheaper than to look for what repeats, which is rare. The subpages of a wiki or the
        # languages of a manual have the same name three times, and no other part twice.
        if len(segments) - len(set(segments)) > 2 and _repeats(segments[1:]):
            return LeftOut.REPEATING_PATH
    date = _DATE.search(url)
    if date is None and query and "m" in query:  # month, mon, monat
        date = _YEAR.search(url.encode("utf-8", "backslashreplace"))
    if date is not None and year + YEARS_AHEAD < int(date[date.lastindex or 0]) <= _LAST_YEAR:
        return LeftOut.FAR_DATE
    return None


def _repeats(segments: list[str]) -> bool:
    """Return whether some of the *segments* of a path, at most 30, come three times in a row.

    Numbers alone (``/0/0/0``) do not count: maps and dates have such paths.
    """
    for length in range(1, len(segments) // 3 + 1):
        for start in range(len(segments) - 3 * length + 1):
            block = segments[start : start + length]
            if (
                block == segments[start + length : start + 2 * length]
                and block == segments[start + 2 * length : start + 3 * length]
                and "" not in block
            ):
                numbers = sum(1 for _ in takewhile(_is_number, block))
                if numbers < length <= numbers + _MOST_NAMES:
                    return True
    return False


def _is_number(segment: str) -> bool:
    return segment.isascii() and segment.isdigit()


class Family(NamedTuple):
    """What URLs have in common that one page of a site makes out of numbers and parameters."""

    place: str
    """Host and path, with 0 for each number."""
    names: frozenset[str]
    """Names of the parameters, without numbers."""
    numbered: bool
    """Whether the path, not the parameters alone, has numbers."""


_NUMBER = re.compile(r"((?:%[0-9A-Fa-f]{2})+)|[0-9A-Fa-f-]{16,}|[0-9]+")
_PARAMETER = re.compile(r"(?:\A|&)([^=&]*)")
_DIGITS = re.compile("[0-9]+")


def family_of(url: str) -> Family | None:
    """The family of *url*; None where nothing about it is made by a machine."""
    if _PLAIN.match(url):
        return None
    place, _, query = url.partition("?")
    start = place.find("/", 8)
    if start < 0:
        start = len(place)
    host, path = place[:start], place[start:].rstrip("/")
    shape = _NUMBER.sub(lambda match: match[1] or "0", path)
    numbered = shape != path
    parts = shape.split("/")
    if len(parts) > 3 and not parts[-1].startswith("0"):
        shape = f"/{parts[1]}/…"  # where relative links pile up, no two paths are alike
    elif not numbered and not query:
        return None
    names = frozenset(_DIGITS.sub("", name) for name in _PARAMETER.findall(query) if name)
    return Family(host + shape, names, numbered)
