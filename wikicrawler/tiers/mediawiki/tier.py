"""Tier ``mediawiki``: a page from ``api.php?action=parse``, as a complete HTML document.

https://www.mediawiki.org/wiki/API:Parsing_wikitext. Requests use format version 2; responses are
read in either version.
"""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlencode, urlsplit

from wikicrawler.errors import Reason
from wikicrawler.operations import API
from wikicrawler.pages import Action, Failure, Link, Page
from wikicrawler.text.references import unescape
from wikicrawler.tiers import state as st
from wikicrawler.tiers.mediawiki.api import as_dict, as_list, flag, read_answer, text
from wikicrawler.tiers.mediawiki.article_list import list_articles
from wikicrawler.tiers.mediawiki.site import LANGUAGE
from wikicrawler.tiers.mediawiki.titles import PageRef, is_legal, page_of, url_of
from wikicrawler.tiers.response_headers import headers_of
from wikicrawler.tiers.tier import Tier, Usability

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response

    from wikicrawler.tiers.mediawiki.directory import WikiDirectory
    from wikicrawler.tiers.mediawiki.known_wiki import KnownWiki
    from wikicrawler.tiers.mediawiki.site import WikiSite


# Failures that say nothing about the API: many wikis have pages without text, one after another.
_NOT_OF_API = frozenset({Reason.ROBOTS, Reason.EMPTY})


class MediaWikiTier(Tier):
    """Tier that fetches the parsed text of a page from the wiki's own API."""

    name = "mediawiki"
    # The response is smaller than the page and includes data that the page lacks: categories,
    # revision, namespaces. At the cost of a plain GET, the learner would never try the API again on
    # a wiki where plain HTTP works.
    cost = 0.5
    needs_wiki = True
    at_page_url = False
    operation = API

    def __init__(self, wikis: WikiLookup) -> None:
        """
        :param wikis: the wikis of the crawl
        """
        self._wikis = wikis

    @classmethod
    def from_crawler(cls, crawler: Crawler, wikis: WikiDirectory) -> Self:
        return cls(wikis)

    async def ready(self, page_url: str) -> bool:
        """Request the wiki's siteinfo, once. Return False if the wiki is no longer known, as in a
        resumed crawl."""
        wiki = self._wikis.wiki_of(page_url)
        if wiki is None:
            return False
        await self._wikis.ensure_siteinfo(wiki, page_url)
        return True

    def request(self, page: Request) -> Request | Failure:
        """Return the API request for *page*; a failure if its URL is not a page of the wiki, or the
        API is switched off."""
        wiki = self._wikis.wiki_of(page.url)
        found = page_of(page.url, wiki.site) if wiki else None
        if found is None or wiki is None:
            return Failure(Reason.NO_TITLE, "the URL names no page of the wiki")
        if wiki.off is not None:
            return wiki.off
        made = page.replace(url=request_url(found, wiki.site))
        # The siteinfo request has followed redirects, so a redirect now is a failure of the API.
        st.set_tier_meta(made, **wiki.api_meta, dont_redirect=True)
        return made

    def read(self, response: Response, page_url: str) -> Page | Failure:
        """Return the page in *response*."""
        wiki = self._wikis.wiki_of(page_url)
        if wiki is None:
            return Failure(Reason.NO_TITLE, "the URL names no page of the wiki")
        site = wiki.site
        found = read(response.body, headers_of(response), response.status, site, page_url)
        if isinstance(found, Failure) and found.reason is Reason.MISSING and _is_any_path(site):
            # Every path is a title, so the URL may belong to other software: fetch it directly.
            return replace(found, action=Action.NEXT)
        return found

    def answered(self, page_url: str) -> None:
        if (wiki := self._wikis.wiki_of(page_url)) is not None:
            wiki.succeeded()

    def failed(self, page_url: str, failure: Failure) -> None:
        wiki = self._wikis.wiki_of(page_url)
        if wiki is not None and failure.reason not in _NOT_OF_API:
            wiki.failed(failure)

    async def map_urls(self, url: str, limit: int) -> list[str] | None:
        """Return the URLs of the wiki's articles, from its API."""
        wiki = self._wikis.wiki_of(url)
        if wiki is None:
            return None
        await self._wikis.ensure_siteinfo(wiki, url)
        return await list_articles(self._wikis, wiki, limit) if wiki.has_api else None

    async def explain(self, page_url: str) -> Usability:
        """Request the wiki's siteinfo, and return whether the URL is a page of the wiki."""
        wiki = self._wikis.wiki_of(page_url)
        if wiki is None:
            return Usability(False, "no wiki is known here")
        await self._wikis.ensure_siteinfo(wiki, page_url)
        if wiki.off is not None:
            detail = f" ({wiki.off.detail})" if wiki.off.detail else ""
            why = f"{wiki.api} is not used: {wiki.off.reason}{detail}"
            return Usability(False, why, server_answers=False)
        software = wiki.site.generator or "a MediaWiki"
        page = page_of(page_url, wiki.site)
        if page is None:
            return Usability(False, f"{wiki.api} answers ({software}), but has no such page")
        name = f"page {page.title!r}" if page.title else f"page number {page.pageid}"
        return Usability(True, f"{wiki.api} answers ({software}): {name}")


class WikiLookup(Protocol):
    """The part of :class:`~wikicrawler.tiers.mediawiki.directory.WikiDirectory` that the tier
    uses."""

    def wiki_of(self, url: str) -> KnownWiki | None:
        """Return the wiki of the page at *url*, if one is known."""

    async def ensure_siteinfo(self, wiki: KnownWiki, url: str) -> None:
        """Request the siteinfo of *wiki*, once."""

    async def get(self, url: str, wiki: KnownWiki) -> Response | Failure:
        """Return the response of *wiki*'s API at *url*, or why there is none."""


def _is_any_path(wiki: WikiSite) -> bool:
    """Return True if every path of the wiki's host is a title."""
    return urlsplit(wiki.article_url).path == "/$1"


def request_url(ref: PageRef, site: WikiSite) -> str:
    """Return the URL of the API request for the page *ref*, with redirects resolved."""
    query = {
        "action": "parse",
        "format": "json",
        "formatversion": "2",
        **({"page": ref.title} if ref.title is not None else {"pageid": str(ref.pageid)}),
        "redirects": "1",
        "prop": "text|links|categories|displaytitle|revid",
        # Saves the server a tenth to a third of its work.
        "disableeditsection": "1",
        "disabletoc": "1",
        "disablelimitreport": "1",
        # https://www.mediawiki.org/wiki/Manual:Maxlag_parameter
        "maxlag": "5",
    }
    return f"{site.api}?{urlencode(query)}"


def read(
    body: bytes, headers: Mapping[str, str], status: int, site: WikiSite, page_url: str
) -> Page | Failure:
    """Return the page in the response to :func:`request_url`, sent for *page_url*. Never raises.

    :param headers: headers with lower-case names
    """
    answer = read_answer(body, headers, status)
    if isinstance(answer, Failure):
        return answer
    parse = as_dict(answer.get("parse"))
    title = text(parse, "title")
    content = _content(parse.get("text"))
    if not title or content is None or not is_legal(title):
        return Failure(Reason.API_ERROR, "no page in the answer")
    if _is_stub(content):  # the API resolves redirects: a remaining one is a loop
        return Failure(Reason.EMPTY, "a redirect that leads nowhere", Action.FINAL)
    if not _TEXT.search(content):
        return Failure(Reason.EMPTY, "no text on the page")  # the page as HTML may have some
    shown = _plain(text(parse, "displaytitle") or "") or title
    lang = _language(content) or site.lang or None
    revid = parse.get("revid")
    return Page(
        url=url_of(title, site),
        body=_document(shown, content, lang),
        encoding="utf-8",
        title=shown,
        redirected_from=page_url if as_list(parse.get("redirects")) else None,
        revid=revid if type(revid) is int and 0 < revid < 1 << 63 else None,
        lang=lang,
        links=tuple(dict.fromkeys(_links(parse.get("links"), site))),
        categories=tuple(dict.fromkeys(_categories(parse.get("categories")))),
    )


# Part of the text in which its own <div> is searched: a match must not scan megabytes.
_HEAD = 2000
_DIV = re.compile(r"\s*+<div\b[^>]*+>")
_CLASS = re.compile(r'\bclass="([^">]*+)')
_REDIRECT = re.compile(r'\s*+<div class="redirectMsg">')
_TEXT = re.compile(r"(?:\A|>)(?:\s|&nbsp;|&#160;)*+[^\s<]")
_LANG = re.compile(r'\blang="([^"]*+)"')


def _wrapper(content: str) -> str:
    """Return the start tag of the text's own ``<div class="mw-parser-output">``, which *content*
    begins with; an empty string if it does not."""
    tag = _DIV.match(content, 0, _HEAD)
    if tag is None:
        return ""
    classes = " ".join(_CLASS.findall(tag[0]))
    return tag[0] if "mw-parser-output" in classes.split() else ""


def _is_stub(content: str) -> bool:
    """Return True if *content* shows a redirect that was not followed."""
    start = len(_wrapper(content))
    return bool(start and _REDIRECT.match(content, start, _HEAD))


def _content(value: object) -> str | None:
    """Return the page's HTML as text that UTF-8 can encode."""
    content = value.get("*") if isinstance(value, dict) else value
    if not isinstance(content, str):
        return None
    content = content.replace("\0", "")
    try:
        content.encode()
    except UnicodeEncodeError:  # an unpaired surrogate, escaped in the JSON
        return content.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return content


def _document(title: str, content: str, lang: str | None) -> bytes:
    if not _wrapper(content):
        content = f'<div class="mw-parser-output">{content}</div>'
    attribute = f' lang="{lang}"' if lang else ""
    heading = escape(title)
    return (
        f'<!DOCTYPE html>\n<html{attribute}><head><meta charset="utf-8"><title>{heading}</title>'
        f'</head><body><h1 id="firstHeading">{heading}</h1><div id="mw-content-text">{content}'
        "</div></body></html>"
    ).encode()


def _language(content: str) -> str | None:
    """Return the language that the text's wrapper states, as it does since MediaWiki 1.40."""
    found = _LANG.search(_wrapper(content))
    return found[1] if found and LANGUAGE.fullmatch(found[1]) else None


def _plain(markup: str) -> str:
    """Return the text of a title's markup on one line; empty if there is none or it is too long."""
    if len(markup) > 10_000:
        return ""
    plain = unescape(re.sub(r"<[^<>]*>", "", markup))
    return " ".join(re.sub("[\\x00-\\x1f\\x7f-\\x9f\ud800-\udfff]", " ", plain).split())


def _links(value: object, site: WikiSite) -> Iterator[Link]:
    for link in map(as_dict, as_list(value)):
        title, namespace = text(link, "title"), link.get("ns")
        if title and flag(link, "exists") and is_legal(title) and type(namespace) is int:
            yield Link(url_of(title, site), namespace)


def _categories(value: object) -> Iterator[str]:
    for category in map(as_dict, as_list(value)):
        name = text(category, "category")
        if name and not flag(category, "hidden") and is_legal(name):
            yield name.replace("_", " ")
