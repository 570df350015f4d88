"""Members of a category, by the API's ``list=categorymembers`` or from the category's own page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl, urlencode

from lxml import etree

from wikicrawler.content.links import LinkResolver, base_of
from wikicrawler.content.parse import parse, utf8
from wikicrawler.errors import ContentError, Reason
from wikicrawler.pages import Failure, Link
from wikicrawler.tiers.mediawiki.api import as_dict, as_list, read_answer, text
from wikicrawler.tiers.mediawiki.titles import is_legal, normalise, page_of, url_of
from wikicrawler.urls.sites import host_of
from wikicrawler.urls.splitting import split_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lxml.html import HtmlElement

    from wikicrawler.tiers.mediawiki.site import WikiSite

CATEGORY = 14
"""Number of the namespace of categories."""
FILE = 6
_BATCH = 500  # the limit for anonymous clients
_LONGEST_PAGE = 2 * 2**20
_LONGEST_START = 2_000
_FANDOM = b'"category-page__member-link'
_MARKS = (b'"wgNamespaceNumber":14,', b"mw-category-generated")
"""On pages of categories that have no member, too."""
_LISTS = {
    "mw-subcategories": (CATEGORY, "subcatfrom"),
    "mw-pages": (None, "pagefrom"),
    "mw-category-media": (FILE, "filefrom"),
}
"""``id`` of the lists on a category's page, the namespace of their entries, and the query parameter
that says where the list begins."""
_STARTS = frozenset({"from", *(start for _, start in _LISTS.values())})
"""Before MediaWiki 1.18, and with Fandom, the parameter of all lists is ``from``."""
_ENDS = frozenset({"until", "pageuntil", "subcatuntil", "fileuntil"})


class Members(NamedTuple):
    """A batch of a category's members."""

    links: tuple[Link, ...]
    following: tuple[str, ...] = ()
    """Where the list goes on: ``cmcontinue`` of the API, or URLs of pages."""
    is_empty: bool = False
    """True if the wiki states that the category has no member."""
    target: str | None = None
    """URL of the category that this one redirects to."""


def category_title(name: str, site: WikiSite) -> str | None:
    """Return the title of the category *name*, with or without its namespace; None if the wiki
    cannot have it."""
    if site.namespace_of(name)[0] != CATEGORY:
        name = f"{site.names[CATEGORY]}:{name}"
    found = normalise(name, site)
    return found.title if found is not None else None


def members_url(
    api: str, title: str, following: str | None = None, *, with_files: bool = False
) -> str:
    """Return the API URL of a batch of the members of the category *title*.

    :param following: :attr:`Members.following` of the batch before; None for the first, which also
        states the category's size and redirect
    """
    query = {
        "action": "query",
        "list": "categorymembers",
        "format": "json",
        "formatversion": "2",
        "cmtitle": title,
        "cmprop": "title",
        "cmtype": "page|subcat|file" if with_files else "page|subcat",
        "cmlimit": str(_BATCH),
        "maxlag": "5",
    }
    if following is None:
        query |= {"titles": title, "prop": "categoryinfo", "redirects": "1"}
    else:
        query["cmcontinue"] = following
    return f"{api}?{urlencode(query)}"


def read_members(
    body: bytes, headers: Mapping[str, str], status: int, site: WikiSite
) -> Members | Failure:
    """Return the members in the response to :func:`members_url`. Never raises.

    :param headers: headers with lower-case names
    """
    answer = read_answer(body, headers, status)
    if isinstance(answer, Failure):
        return answer
    query = as_dict(answer.get("query"))
    members = query.get("categorymembers")
    if not isinstance(members, list):
        return Failure(Reason.API_ERROR, "no list of members in the answer")
    links = []
    for member in map(as_dict, members):
        title, number = text(member, "title"), member.get("ns")
        if title and is_legal(title) and type(number) is int:
            links.append(Link(url_of(title, site), number))
    more = as_dict(answer.get("continue")).get("cmcontinue")
    following = (more,) if isinstance(more, str) and len(more) <= _LONGEST_START else ()
    target = None
    for redirect in map(as_dict, as_list(query.get("redirects"))):
        found = normalise(text(redirect, "to") or "", site)
        if found is not None and found.title and found.namespace == CATEGORY:
            target = url_of(found.title, site)
    size = _size(query.get("pages"))
    return Members(tuple(links), following, not links and not following and not size, target)


def _size(pages: object) -> int:
    """Return the number of members that ``categoryinfo`` states; a page that redirects has none."""
    found = pages.values() if isinstance(pages, dict) else as_list(pages)  # format version 1 or 2
    sizes = [as_dict(as_dict(page).get("categoryinfo")).get("size") for page in found]
    return max((size for size in sizes if type(size) is int), default=0)


def lists_members(body: bytes) -> bool:
    """Return True if the page *body* has a list of a category's members; takes little time."""
    return any(f'id="{name}"'.encode() in body for name in _LISTS) or _FANDOM in body


def read_category_page(
    body: bytes, url: str, encoding: str | None = None, site: WikiSite | None = None
) -> Members | None:
    """Return the members that the page *url* of a category lists; None if it is no such page.

    Reads the lists of MediaWiki and of Fandom, in the first 2 MB. Takes milliseconds, and a tenth
    of a second at worst: do not call it on the event loop. Never raises.

    :param site: the page's wiki, if it is known
    """
    body = body[:_LONGEST_PAGE]
    if not (lists_members(body) or any(mark in body for mark in _MARKS)):
        return None
    try:
        root = parse(utf8(body, encoding))
    except (ContentError, etree.LxmlError):
        return None
    if root is None:
        return None
    resolver = LinkResolver(url, base_of(root))
    links: dict[str, Link] = {}
    following: dict[str, None] = {}
    begun = _parameters(url) & (_STARTS - {"from"})
    for anchor, number in _anchors(root, begun):
        href = resolver.absolute(anchor.get("href") or "").partition("#")[0]
        if not href or host_of(href) != host_of(url) or "new" in _classes(anchor):
            continue
        parameters = _parameters(href)
        if parameters & _STARTS:
            following[href] = None
        elif not parameters & _ENDS:
            link = _link(href, number, site)
            if link is not None:
                links[link.url] = link
    return Members(tuple(links.values()), tuple(following), not links and not following)


def _anchors(root: HtmlElement, begun: set[str]) -> Iterator[tuple[HtmlElement, int | None]]:
    """Yield the links of the lists, each with its namespace if the list states it.

    On a page where some list has *begun* further on, the others are shown again: they are left out.
    """
    lists = {name: one for name, one in _LISTS.items() if not begun or one[1] in begun}
    for element in root.iter("div", "a"):
        if element.tag == "a":
            if not {"category-page__member-link", "category-page__pagination-next"}.isdisjoint(
                _classes(element)
            ):
                yield element, None
        elif (name := element.get("id")) in lists:
            number, _ = lists.pop(name)  # each once, however they are nested
            for anchor in element.iter("a"):
                yield anchor, number


def _classes(element: HtmlElement) -> list[str]:
    return (element.get("class") or "").split()


def _parameters(url: str) -> set[str]:
    try:
        pairs = parse_qsl(split_url(url).query, max_num_fields=100)
    except ValueError:
        return set(_ENDS)
    return {name for name, value in pairs if value}


def _link(url: str, number: int | None, site: WikiSite | None) -> Link | None:
    ref = page_of(url, site) if site is not None else None
    if site is None or ref is None or not ref.title:
        return Link(url, number)
    return Link(url_of(ref.title, site), ref.namespace if number is None else number)
