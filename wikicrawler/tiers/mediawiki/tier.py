"""Tier ``mediawiki``: a page by ``api.php?action=parse``, as a whole HTML document.

https://www.mediawiki.org/wiki/API:Parsing_wikitext. Asked for in format version 2, read in either.
"""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape, unescape
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlencode, urlsplit

from wikicrawler.errors import Reason
from wikicrawler.pages import Action, Failure, Link, Page
from wikicrawler.tiers import state as st
from wikicrawler.tiers.mediawiki.api import as_dict, as_list, flag, read_answer, text
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
    from wikicrawler.tiers.mediawiki.known import KnownWiki
    from wikicrawler.tiers.mediawiki.site import WikiSite


class MediaWikiTier(Tier):
    """The wiki's own API: the request asks for the page's parsed text, the response is the page."""

    name = "mediawiki"
    # The response is smaller than the page, and has what that lacks: categories, the revision,
    # namespaces. At the cost of a plain GET the API would never be tried again on a wiki whose
    # pages come well.
    cost = 0.5
    needs_wiki = True
    at_page_url = False

    def __init__(self, wikis: KnowsWikis) -> None:
        self._wikis = wikis

    @classmethod
    def from_crawler(cls, crawler: Crawler, wikis: WikiDirectory) -> Self:
        return cls(wikis)

    async def ready(self, page_url: str) -> bool:
        """Ask the wiki what it is, once; False where it is not known any more, as in a crawl that
        was resumed."""
        wiki = self._wikis.known(page_url)
        if wiki is None:
            return False
        await self._wikis.ask(wiki, page_url)
        return True

    def request(self, page: Request) -> Request | Failure:
        """Return the request to the API for *page*, or a failure where its URL names no page of
        the wiki, or the API is not to be used now."""
        wiki = self._wikis.known(page.url)
        found = page_of(page.url, wiki.site) if wiki else None
        if found is None or wiki is None:
            return Failure(Reason.NO_TITLE, "the URL names no page of the wiki")
        if wiki.off is not None:
            return wiki.off
        made = page.replace(url=request_url(found, wiki.site))
        # Where its siteinfo came from is where the API is: a redirect now is a failure of the API.
        st.set_for_one(made, **wiki.api_meta, dont_redirect=True)
        return made

    def read(self, response: Response, page_url: str) -> Page | Failure:
        """Return the page in *response*."""
        wiki = self._wikis.known(page_url)
        if wiki is None:
            return Failure(Reason.NO_TITLE, "the URL names no page of the wiki")
        site = wiki.site
        found = read(response.body, headers_of(response), response.status, site, page_url)
        if isinstance(found, Failure) and found.reason is Reason.MISSING and _is_any_path(site):
            # the address may be of something else on the host: it is asked for itself
            return replace(found, action=Action.NEXT)
        return found

    def answered(self, page_url: str) -> None:
        if (wiki := self._wikis.known(page_url)) is not None:
            wiki.succeeded()

    def failed(self, page_url: str, failure: Failure) -> None:
        wiki = self._wikis.known(page_url)
        if wiki is not None and failure.reason is not Reason.ROBOTS:
            wiki.failed(failure)

    async def explain(self, page_url: str) -> Usability:
        """Ask the wiki what it is, and say whether the URL names a page of it."""
        wiki = self._wikis.known(page_url)
        if wiki is None:
            return Usability(False, "no wiki is known here")
        await self._wikis.ask(wiki, page_url)
        if wiki.off is not None:
            detail = f" ({wiki.off.detail})" if wiki.off.detail else ""
            why = f"{wiki.api} is not used: {wiki.off.reason}{detail}"
            return Usability(False, why, server_answers=False)
        told = wiki.site.generator or "a MediaWiki"
        page = page_of(page_url, wiki.site)
        if page is None:
            return Usability(False, f"{wiki.api} answers ({told}), but has no such page")
        name = f"page {page.title!r}" if page.title else f"page number {page.pageid}"
        return Usability(True, f"{wiki.api} answers ({told}): {name}")


class KnowsWikis(Protocol):
    """What the tier asks of a :class:`~wikicrawler.tiers.mediawiki.directory.WikiDirectory`."""

    def known(self, url: str) -> KnownWiki | None:
        """Return the wiki that *url* is a page of, as far as is known."""

    async def ask(self, wiki: KnownWiki, url: str) -> None:
        """Ask *wiki* for its siteinfo, once."""


def _is_any_path(wiki: WikiSite) -> bool:
    """Whether every path of the wiki's host is a title."""
    return urlsplit(wiki.article_url).path == "/$1"


def request_url(ref: PageRef, site: WikiSite) -> str:
    """URL that asks the API of *site* for the page *ref*, redirects followed."""
    query = {
        "action": "parse",
        "format": "json",
        "formatversion": "2",
        **({"page": ref.title} if ref.title is not None else {"pageid": str(ref.pageid)}),
        "redirects": "1",
        "prop": "text|links|categories|displaytitle|revid",
        # spares the server a tenth to a third of its work
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
    """The page in the API's answer to :func:`request_url`, which was sent for *page_url*.

    *headers* have lower-case names. Never raises, whatever the answer is.
    """
    answer = read_answer(body, headers, status)
    if isinstance(answer, Failure):
        return answer
    parse = as_dict(answer.get("parse"))
    title = text(parse, "title")
    content = _content(parse.get("text"))
    if not title or content is None or not is_legal(title):
        return Failure(Reason.API_ERROR, "no page in the answer")
    if _STUB.match(content[:_HEAD]):  # redirects were asked for: one that is left leads to itself
        return Failure(Reason.EMPTY, "a redirect that leads nowhere", Action.FINAL)
    if not _TEXT.search(content):
        return Failure(Reason.EMPTY, "no text on the page", Action.FINAL)
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


# Where the text's own <div> is looked for; a match must not run through megabytes.
_HEAD = 2000
_WRAPPER = re.compile(r'\s*<div\b[^>]*\bclass="[^">]*\bmw-parser-output\b[^>]*>')
_STUB = re.compile(_WRAPPER.pattern + r'\s*<div class="redirectMsg">')
_TEXT = re.compile(r"(?:\A|>)(?:\s|&nbsp;|&#160;)*(?!&nbsp;|&#160;)[^\s<]")
_LANG = re.compile(r'\blang="([^"]*)"')


def _content(value: object) -> str | None:
    """The page's HTML as text that UTF-8 can hold."""
    content = value.get("*") if isinstance(value, dict) else value
    if not isinstance(content, str):
        return None
    content = content.replace("\0", "")
    try:
        content.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, escaped in the JSON
        return content.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return content


def _document(title: str, content: str, lang: str | None) -> bytes:
    if not _WRAPPER.match(content[:_HEAD]):
        content = f'<div class="mw-parser-output">{content}</div>'
    attribute = f' lang="{lang}"' if lang else ""
    heading = escape(title)
    return (
        f'<!DOCTYPE html>\n<html{attribute}><head><meta charset="utf-8"><title>{heading}</title>'
        f'</head><body><h1 id="firstHeading">{heading}</h1><div id="mw-content-text">{content}'
        "</div></body></html>"
    ).encode()


def _language(content: str) -> str | None:
    """The language of the text where its wrapper states it, as it does since MediaWiki 1.40."""
    wrapper = _WRAPPER.match(content[:_HEAD])
    found = _LANG.search(wrapper[0]) if wrapper else None
    return found[1] if found and LANGUAGE.fullmatch(found[1]) else None


def _plain(markup: str) -> str:
    """The text of a title's markup on one line; empty where there is none or far too much."""
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
