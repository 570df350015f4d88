"""What a row of the matrix is, and what is expected of a crawl that meets it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from tests.servers.hostile.answers import no_robots
from tests.servers.hostile.connection import WORDS, Connection, Request

if TYPE_CHECKING:
    import ssl

    from wikicrawler.errors import Reason

Serve = Callable[[Connection, Request], None]
"""Answers one request."""
Record = Mapping[str, Any]
"""A line of the feed, or of the file of skipped pages."""


@dataclass(frozen=True)
class Expect:
    """What a crawl that starts at the fault writes; see :func:`item`, :func:`skip`, :func:`site`.

    Attributes:
        pages: how many records.
        reasons: each page that is skipped has one of these, and one at least is skipped; empty:
            none is.
        has: texts that are in the content of the first record.
        lacks: texts that are in no record, whatever the field.
        tier: of the first record.
        detail: a text that is in the ``detail`` of a skipped page.
        also: more that must be true of the records and skipped pages.
    """

    pages: range
    reasons: frozenset[Reason] = frozenset()
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    tier: str = ""
    detail: str = ""
    also: Callable[[Sequence[Record], Sequence[Record]], bool] | None = None


def item(
    *has: str,
    lacks: Sequence[str] = (),
    tier: str = "http",
    also: Callable[[Sequence[Record], Sequence[Record]], bool] | None = None,
) -> Expect:
    """One record, and nothing skipped; without *has* it is the ordinary page's."""
    return Expect(range(1, 2), has=has or (WORDS,), lacks=tuple(lacks), tier=tier, also=also)


def skip(*reasons: Reason, detail: str = "") -> Expect:
    """No record, and a reason that is one of these."""
    return Expect(range(1), frozenset(reasons), detail=detail)


def site(
    pages: range,
    *reasons: Reason,
    has: Sequence[str] = (),
    lacks: Sequence[str] = (),
    also: Callable[[Sequence[Record], Sequence[Record]], bool] | None = None,
) -> Expect:
    """So many records of a site, and the rest skipped for *reasons*."""
    return Expect(pages, frozenset(reasons), tuple(has), tuple(lacks), also=also)


@dataclass(frozen=True)
class Fault:
    """One row.

    Attributes:
        name: unique, in kebab-case; the test's id.
        group: the row of the matrix that it belongs to.
        serve: answers every request but that of robots.txt.
        expect: what a crawl is to make of it.
        path: of the page that is asked for; None: ``/f/<name>``.
        requests: how many requests for anything but robots.txt the server may see; connections
            without a request count. None: one to three, as retries are bounded.
        robots: answers robots.txt; by default there is none (404), which allows all.
        greet: has the connection instead of *serve* and *robots*, before a request is read.
        tls: makes the TLS of the server by its address; the page is then at ``https://``.
        listen: ``refused``: nobody listens; ``full``: the kernel answers nobody.
        host: in the URL in the place of the server's address and port.
        api: the operator has configured ``/api.php`` of the server as that of a wiki.
        slow: ends by the download's time-out, which is to be short.
        settings: of the crawl of this row alone.
    """

    name: str
    group: str
    serve: Serve
    expect: Expect
    path: str | None = None
    requests: range | None = None
    robots: Serve = no_robots
    greet: Callable[[Connection], None] | None = None
    tls: Callable[[str], ssl.SSLContext] | None = None
    listen: Literal["open", "refused", "full"] = "open"
    host: str | None = None
    api: bool = False
    slow: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name
