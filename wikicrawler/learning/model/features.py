"""Heuristics of a URL, known before it is fetched. Attempts are grouped by them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.urls.sites import host_of, site_of_host
from wikicrawler.urls.splitting import split_url

if TYPE_CHECKING:
    from collections.abc import Mapping

DEPTH = 4
"""Number of path segments in a shape."""

_SUFFIX = re.compile(r"[^.]\.([a-z][a-z0-9]{1,4})\Z", re.IGNORECASE)
_WORD = re.compile(r"[a-z][a-z_-]{0,19}\Z")


class Features(NamedTuple):
    """The heuristics of a URL. All are text, so that a new one needs no new column."""

    domain: str
    """Host, lower-case, without port."""
    registered_domain: str
    suffix: str
    """Suffix of the file name in the path, with its dot (``.html``); empty if there is none, and
    for pages of wikis, whose titles may contain dots."""
    shape: str
    """The path without the parts that differ from page to page (:func:`shape_of`)."""
    scheme: str
    wiki: str
    """``wiki`` for a page of a wiki whose API may be used, else ``page``."""
    configured: str
    """The tier that the configuration would try first; empty if unknown."""

    @property
    def segment(self) -> str:
        """The first segment of the shape (:func:`segment_of`)."""
        return segment_of(self.shape)

    def named(self) -> Mapping[str, str]:
        """Return the values by name of the heuristic, as attempts are stored."""
        return self._asdict()


def features_of(url: str, *, is_wiki: bool, configured: str = "") -> Features:
    """Return the heuristics of *url*; for an invalid URL they are empty."""
    host = host_of(url)
    try:
        parts = split_url(url)
    except ValueError:
        parts = split_url("")
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


def segment_of(shape: str) -> str:
    """Return the first segment of *shape*, if others follow; else ``*``.

    >>> segment_of("/wiki/*"), segment_of("/#/#/*.html"), segment_of("/*.php?"), segment_of("/")
    ('wiki', '#', '*', '*')
    """
    first, slash, _ = shape[1:].partition("/")
    return first if slash else "*"


def shape_of(path: str, suffix: str = "") -> str:
    """Return the shape of *path*, whose file name ends with *suffix*.

    The first segment is kept if it is a word and not the last segment. Other segments become ``#``
    for a number, else ``*``. Segments deeper than :data:`DEPTH` become one ``…``.

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
