"""The records that a crawl writes."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple, TypedDict


class Attempt(TypedDict):
    """One try of one tier on one page, in the order in which they were made."""

    tier: str  #: ``mediawiki``, ``http`` or ``browser``
    reason: str  #: ``ok``, or a value of :class:`wikicrawler.errors.Reason`
    status: int | None  #: HTTP status; None where no answer came
    detail: str  #: one line for a person: the API's error code, the exception, the rule


class Infobox(TypedDict):
    """One infobox of a page, as plain text."""

    title: str  #: empty where it has none
    fields: dict[str, str]
    """Value by label, in the order of the box. The lines of a value are its several values. A label
    that comes again under another heading of the box has that heading before it: ``Home: Wins``."""


@dataclass(slots=True)
class CrawlResult:
    """One page as a clean Markdown record, the same whatever tier brought it.

    The fields are written to feeds in this order. ``docs/crawl-result.schema.json`` is the JSON
    Schema of a line.
    """

    url: str
    """Where the page is: its own address after redirects, never the API's."""
    title: str
    """Of a wiki page its display title. Of any other ``og:title``, which has no name of the site
    in it, else the only ``<h1>``, else ``<title>``, else the first ``<h1>``."""
    content: str
    """GitHub-flavoured Markdown without the page's chrome and images."""
    links: list[str] = field(default_factory=list)
    """Absolute URLs of the pages it links to on its own site, no fragments, no duplicates."""
    categories: list[str] = field(default_factory=list)
    """Category names without the namespace, with spaces; hidden categories are left out."""
    tier: str = ""
    """``mediawiki``, ``http`` or ``browser``; empty where the tiers are switched off."""
    attempts: list[Attempt] = field(default_factory=list)
    """Every tier tried, the one that brought the page last."""
    status: int = 200
    redirected_from: str | None = None
    """The URL asked for, where the wiki or the server led on from it to ``url``."""
    revid: int | None = None
    """MediaWiki revision id."""
    lang: str | None = None
    """BCP 47 tag as the page states it."""
    fetched_at: str = ""
    """When the answer came, ISO 8601 in UTC with seconds."""
    content_hash: str = ""
    """``sha256:`` and the hexadecimal digest of ``content`` as UTF-8."""
    description: str | None = None
    """What the page says it is about, on one line."""
    published: str | None = None
    """When it was published, as the page states it for machines: ISO 8601, a day or a time with
    the offset that it states; never guessed."""
    modified: str | None = None
    """When it was changed last, likewise."""
    license: str | None = None
    """Address of the licence of its text; the licence's name where a wiki has only that."""
    author: str | None = None
    """Names, parted by commas, as the page states them."""
    site_name: str | None = None
    infobox: list[Infobox] = field(default_factory=list)
    """The infoboxes of a wiki page, whose tables are in ``content`` too."""

    def __post_init__(self) -> None:
        if not self.content_hash:
            self.content_hash = hash_text(self.content)


def hash_text(text: str) -> str:
    """``sha256:…`` of *text* as UTF-8, as ``content_hash`` has it."""
    return "sha256:" + sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Sketch(NamedTuple):
    """A page's text as hashes: native unsigned integers of 32 bits, each once, in no order.

    They are the same in every process, and mean nothing outside of a crawl.
    """

    words: bytes
    """Words without a digit."""
    numbers: bytes
    """Words with one."""
    phrases: bytes
    """Three words in a row of a line; the whole line where it has fewer."""


@dataclass(frozen=True, slots=True)
class Content:
    """What the conversion of one HTML page gives."""

    title: str
    markdown: str
    links: tuple[str, ...] = ()
    """Absolute http(s) URLs in document order, without fragments and duplicates, of the main
    content only. Of a wiki page also those in navigation boxes that the Markdown leaves out;
    never edit links, red links, self links or links of the page's chrome."""
    elsewhere: tuple[str, ...] = ()
    """The same of the rest of a page that is no wiki's: menus, lists of related pages, the foot.
    They are no part of its record, but lead to the other pages of the site."""
    categories: tuple[str, ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict)
    """What else the page states; absent where it does not.

    Of any page: ``wiki`` (bool: a MediaWiki page), ``lang`` (BCP 47 tag), ``canonical`` (absolute
    URL), ``description``, ``published``, ``modified`` (ISO 8601), ``license`` (absolute URL),
    ``author`` and ``site_name`` (str), as :class:`CrawlResult` has them. Of a wiki page also
    ``infobox`` (list of :class:`Infobox`), ``revid`` (int), ``redirected_from`` (title of the
    redirect that led here), ``edit_uri`` (absolute URL of ``<link rel=EditURI>``), ``namespace``
    (int, MediaWiki's number)."""
    sketch: Sketch | None = None
    """Of the Markdown, where the crawl compares the page with others (see
    :mod:`wikicrawler.scope.families`)."""
