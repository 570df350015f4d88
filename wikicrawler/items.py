"""Records that a crawl writes, and the content that they are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple, TypedDict


class Attempt(TypedDict):
    """An attempt of a tier to fetch a page."""

    tier: str  #: ``mediawiki``, ``http`` or ``browser``
    reason: str  #: ``ok``, or a value of :class:`wikicrawler.errors.Reason`
    status: int | None  #: HTTP status; None without a response
    detail: str  #: one line for people: the API's error code, the exception, the rule


class Infobox(TypedDict):
    """An infobox of a page, as plain text."""

    title: str  #: empty if the infobox has none
    fields: dict[str, str]
    """Values by label, in the order of the infobox. Several values of a label are separate lines.
    A label that is repeated under another heading is prefixed with it: ``Home: Wins``."""


class _Written:
    """What a record has besides its fields."""

    __slots__ = ("written_content",)
    written_content: tuple[str, bytes]
    """``content``, and it as a JSON string in UTF-8; missing where no feed needs it, and in
    copies."""

    def keep_written(self, content: str, written: bytes) -> None:
        """Set :attr:`written_content`."""
        self.written_content = content, written


@dataclass(slots=True)
class CrawlResult(_Written):
    """A page as a Markdown record, in the same form whichever tier fetched it.

    Feeds contain the fields in this order. ``docs/crawl-result.schema.json`` is the JSON Schema of
    a record.
    """

    url: str
    """The page's own URL after redirects, never an API URL."""
    title: str
    """For a wiki page, its display title. For any other page the first of: ``og:title`` (which does
    not contain the site's name), the only ``<h1>``, ``<title>``, the first ``<h1>``."""
    content: str
    """GitHub-flavoured Markdown, without navigation and other furniture. An image that stands for
    words is its alt text; with ``WIKICRAWLER_IMAGES = "markdown"`` images are kept, too. Links have
    the form of ``WIKICRAWLER_LINKS``."""
    links: list[str] = field(default_factory=list)
    """Absolute URLs of linked pages on the same site, without fragments and duplicates."""
    categories: list[str] = field(default_factory=list)
    """Category names without the namespace, with spaces, without hidden categories."""
    tier: str = ""
    """``mediawiki``, ``http`` or ``browser``; empty if the tiers are disabled."""
    attempts: list[Attempt] = field(default_factory=list)
    """All attempts in order; the last one fetched the page."""
    status: int = 200
    redirected_from: str | None = None
    """The requested URL, if the wiki or the server redirected it to ``url``."""
    revid: int | None = None
    """MediaWiki revision id."""
    lang: str | None = None
    """BCP 47 language tag, as stated by the page."""
    fetched_at: str = ""
    """Time of the response, ISO 8601 in UTC, to the second."""
    content_hash: str = ""
    """``sha256:`` and the hexadecimal digest of ``content`` as UTF-8."""
    description: str | None = None
    """The page's own description, on one line."""
    published: str | None = None
    """Publication date from the page's metadata, never guessed: ISO 8601, a day or a time with the
    offset that the page states."""
    modified: str | None = None
    """Date of the last modification, in the same form."""
    license: str | None = None
    """URL of the text's licence, or its name if a wiki states only that."""
    author: str | None = None
    """Comma-separated author names from the page's metadata."""
    site_name: str | None = None
    infobox: list[Infobox] = field(default_factory=list)
    """Infoboxes of a wiki page. ``content`` has them too, as tables."""

    def __post_init__(self) -> None:
        if not self.content_hash:
            self.content_hash = hash_text(self.content)


class ChunkSpan(TypedDict):
    """A chunk of a page: ``prefix + content[start:end]`` is what to embed."""

    id: str
    """A UUID, which stays the same as long as the page has the chunk."""
    headings: list[str]
    """The headings above the chunk, outermost first. Those in it are not among them."""
    prefix: str
    """Empty, or the definitions of the chunk's links (``WIKICRAWLER_LINKS = "references"``), then
    the header of the table in whose middle the chunk begins."""
    start: int
    """Offset of its first character (Unicode code point) in ``content``."""
    end: int
    """Offset behind its last character."""
    tokens: int
    """Of the prefix and the text: an estimate, which is rather too high."""


DELETED = "deleted"


@dataclass(slots=True)
class PageChange(CrawlResult):
    """The record of a page that has changed since an earlier crawl (``-a since=``)."""

    change: str = "new"
    """``new``, ``modified``, ``moved``, ``refreshed`` (the wiki says that its output may have
    changed, and it has not) or ``deleted`` (an empty record)."""
    previous_url: str | None = None
    """Where the page was before, if it has moved: there is no page now."""


@dataclass(slots=True)
class ChunkedResult(CrawlResult):
    """The record of a page with its chunks (``WIKICRAWLER_CHUNKS``)."""

    chunks: list[ChunkSpan] | None = None
    """In the order of ``content``; None if it could not be split."""


@dataclass(slots=True)
class ChunkedChange(PageChange):
    """The record of a page that has changed, with its chunks."""

    chunks: list[ChunkSpan] | None = None
    """As in :class:`ChunkedResult`."""


def hash_text(text: str) -> str:
    """Return the hash of *text* in the form of ``content_hash``: ``sha256:…`` of its UTF-8."""
    return "sha256:" + sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Sketch(NamedTuple):
    """Hashes of a page's text: distinct native unsigned 32-bit integers, in no particular order.

    They are the same in every process, and have no meaning outside of a crawl.
    """

    words: bytes
    """Hashes of words without a digit."""
    numbers: bytes
    """Hashes of words with a digit."""
    phrases: bytes
    """Hashes of three consecutive words of a line, or of the whole line if it is shorter."""


@dataclass(frozen=True, slots=True)
class Content:
    """The result of converting an HTML page."""

    title: str
    markdown: str
    links: tuple[str, ...] = ()
    """Absolute http(s) URLs in the main content, in document order, without fragments and
    duplicates. For a wiki page, also the links in navigation boxes, which the Markdown leaves out.
    Edit links, red links, links to the page itself and links outside the content are excluded."""
    elsewhere: tuple[str, ...] = ()
    """Links outside the content of a non-wiki page, in the same form: menus, related pages, the
    footer. They are not in the record, but lead to other pages of the site."""
    nofollow: tuple[str, ...] = ()
    """URLs to which all links of the page have ``rel=nofollow``, in the same form."""
    categories: tuple[str, ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict)
    """Metadata of the page; a key is absent if the page does not state it.

    For any page: ``wiki`` (bool: a MediaWiki page), ``lang`` (BCP 47 tag), ``canonical`` (absolute
    URL), ``description``, ``published``, ``modified`` (ISO 8601), ``license`` (absolute URL),
    ``author`` and ``site_name`` (str), as in :class:`CrawlResult`, and ``edit_uri`` (absolute URL
    of ``<link rel=EditURI>``), and ``robots`` (dict: ``noindex`` and ``nofollow`` of the page's
    ``<meta>``, as a sorted list, by the robot's name, lower case), and ``meta`` (dict of str: the
    page's own ``keywords``, ``og_title``, ``og_description``, ``og_image`` and ``robots``, as it
    states them). For a wiki page also ``infobox``
    (list of :class:`Infobox`), ``revid`` (int), ``redirected_from`` (title of the redirect that
    led here), ``redirect_to`` (absolute URL: the page is a redirect that the wiki shows),
    ``namespace`` (int, MediaWiki's number), and the wiki's addresses: ``article_path``
    (``/wiki/$1``), ``script`` (path of ``index.php``), ``page_name`` (str), ``case_sensitive``
    (bool)."""
    sketch: Sketch | None = None
    """Sketch of the Markdown, if the crawl compares pages (see
    :mod:`wikicrawler.scope.families`)."""
    text_key: bytes = b""
    """Hash of the words of title and Markdown, if there are enough of them. A MediaWiki page has it
    if it states a canonical URL (see :mod:`wikicrawler.scope.same_text`)."""
    without_images: str | None = None
    """The Markdown without images and the texts that stand for them, if it has any and little
    else; with links inline."""
    inline_links: str | None = None
    """The Markdown with links inline, if ``markdown`` has them in another form."""
    origin: str = ""
    """Scheme, host and port to which the links of ``markdown`` are relative, if they are."""
    markdown_hash: str = ""
    """:func:`hash_text` of ``markdown``, from a worker process."""
    markdown_json: bytes = b""
    """``markdown`` as a JSON string (:func:`~wikicrawler.text.json_text.json_text`), from a worker
    process of a crawl that writes feeds of JSON lines."""

    @property
    def inline_markdown(self) -> str:
        """The Markdown with links inline, by which pages are compared and watched."""
        return self.markdown if self.inline_links is None else self.inline_links

    @property
    def text(self) -> str:
        """The Markdown without images, by which a page is judged: one of images only is empty."""
        return self.inline_markdown if self.without_images is None else self.without_images

    def markdown_at(self, url: str) -> str:
        """Return the Markdown for the page at *url*, against which its links resolve."""
        is_at_home = not self.origin or f"{url}/".startswith(f"{self.origin}/")
        return self.markdown if is_at_home else self.inline_markdown
