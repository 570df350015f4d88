"""What is known of a URL before it is fetched: the heuristics that attempts are counted by."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from wikicrawler.urls.sites import host_of, site_of_host

if TYPE_CHECKING:
    from collections.abc import Mapping

DEPTH = 4
"""Segments of a path that its shape tells apart."""

_SUFFIX = re.compile(r"[^.]\.([a-z][a-z0-9]{1,4})\Z", re.IGNORECASE)
_WORD = re.compile(r"[a-z][a-z_-]{0,19}\Z")


class Features(NamedTuple):
    """The heuristics of a URL, all of them text, so that a new one needs no new column."""

    domain: str
    """Its host, lower-case, without port."""
    registered_domain: str
    suffix: str
    """Of the file that the path names, with its dot (``.html``); empty where it names none, and for
    a page of a wiki, whose title may have any dots."""
    shape: str
    """The path with what differs from page to page left out (:func:`shape_of`)."""
    scheme: str
    wiki: str
    """``wiki`` for a page of a wiki whose API may be asked, else ``page``."""
    configured: str
    """The tier that the configuration would try first; empty where that is not known."""

    def named(self) -> Mapping[str, str]:
        """Value by name of the heuristic, as an attempt is stored."""
        return self._asdict()


def features_of(url: str, *, is_wiki: bool, configured: str = "") -> Features:
    """The heuristics of *url*; those of what is no URL are empty."""
    host = host_of(url)
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    found = None if is_wiki else _SUFFIX.search(parts.path)
    suffix = f".{found[1].lower()}" if found else ""
    return Features(
        domain=host,
        registered_domain=site_of_host(host),
        suffix=suffix,
        shape=shape_of(parts.path, suffix) + ("?" if parts.query else ""),
        scheme=parts.scheme,
        wiki="wiki" if is_wiki else "page",
        configured=configured,
    )


def shape_of(path: str, suffix: str = "") -> str:
    """The shape of *path*, whose file has that *suffix*.

    Its first segment where that is a word and a page lies below it, ``#`` for numbers and ``*`` for
    any other; what lies deeper than :data:`DEPTH` is one ``…``.

    >>> shape_of("/wiki/Main_Page"), shape_of("/2024/05/a-title.html", ".html")
    ('/wiki/*', '/#/#/*.html')
    """
    segments = [segment for segment in path.split("/") if segment]
    if not segments:
        return "/"
    marks = ["#" if segment.isdigit() else "*" for segment in segments[:DEPTH]]
    if len(segments) > 1 and _WORD.match(segments[0]):
        marks[0] = segments[0]
    if len(segments) > DEPTH:
        marks.append("…")
    return "/" + "/".join(marks) + suffix
