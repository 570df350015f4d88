"""Addresses of a wiki's pages, derived from one of them.

A wiki serves its pages at ``/wiki/$1``, ``/index.php?title=$1``, ``/$1`` or any other path. Each
link between its pages has the title of its target as an attribute, so that the links themselves
show the path; the page's own addresses and its configuration show it too.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from wikicrawler.content.find import by_class, by_id
from wikicrawler.content.wiki_config import text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.html import HtmlElement

    from wikicrawler.content.links import LinkResolver

_MAX_ANCHORS = 3000
_ENOUGH_VOTES = 60
_MAX_TITLE = 255
_MAX_CACHED = 300
"""Characters of URLs whose templates are kept."""
# What MediaWiki leaves as it is in a title, and what other software does.
_SAFE = (";@$!*(),/~:", "/", "", "/:", "!$&'()*+,;=:@/~")
_PLAIN_START = re.compile(r"[A-Za-z0-9_.~-]*")
"""Matches the characters before the first that one of them may encode."""
_FIRST_SAFE = re.compile(r"[A-Za-z0-9_.~;@$!*(),/:-]*")
"""Matches a title that the first of them writes as it is."""
_BEFORE_TITLE = "/=-_"
_AFTER_TITLE = ("", "/", ".", "&")
#: Query parameters of other views than the current page.
_OTHER_VIEW = frozenset(
    {"action", "curid", "diff", "feed", "oldid", "printable", "redirect", "redlink", "section"}
    | {"veaction"}
)


def wiki_paths(
    root: HtmlElement,
    anchors: Sequence[HtmlElement],
    resolver: LinkResolver,
    canonical: str,
    config: dict[str, Any],
    *,
    redirected: bool,
) -> dict[str, Any]:
    """Return what the page shows about its wiki's addresses; a key is absent if it is not shown.

    ``article_path`` is the path (and query) of a page, with ``$1`` for its title. ``script`` is the
    path of ``index.php``. ``page_name`` is the page's own title. ``case_sensitive`` is True if a
    title begins with a lower-case letter. Only addresses at the page's own host and port count.

    :param anchors: the links of the page
    :param redirected: True if the page's URL is that of a redirect to it
    """
    own = resolver.own_url
    titles = _Titles(own)
    tab = _own_tab(root, resolver)
    for anchor in anchors[:_MAX_ANCHORS]:
        if (href := anchor.get("href")) and (url := resolver.absolute(href)):
            titles.add(url, anchor)
            if titles.left <= 0:
                break
    name = text_of(config, "wgPageName")
    shown = name or _heading(root)
    path = (
        titles.most_common()
        or next(filter(None, (titles.template(url, shown) for url in (tab, canonical, own))), None)
        or _stated_path(config, own)
        or titles.most_common_by_text()
    )
    found = {
        "article_path": path,
        "script": titles.script or _local(text_of(config, "wgScript"), own),
        "page_name": (name or _title_in(tab, path) or (shown if redirected else "")).replace(
            "_", " "
        ),
        "case_sensitive": titles.case_sensitive or _begins_small(name),
    }
    return {key: value for key, value in found.items() if value}


class _Titles:
    """Addresses of pages by their titles."""

    def __init__(self, own_url: str) -> None:
        self._place = _place_of(own_url)
        self._votes: Counter[str] = Counter()
        self._text_votes: Counter[str] = Counter()
        self.left = _ENOUGH_VOTES
        """Number of links that may still change the result."""
        self.script = ""
        self.case_sensitive = False

    def add(self, url: str, anchor: HtmlElement) -> None:
        """Count *anchor*, a link to *url*."""
        if not self.script and "title=" in url and self._is_other_view(url):
            self.script = urlsplit(url).path
        if title := anchor.get("title"):
            if path := self.template(url, title):
                self._votes[path] += 1
                self.left -= 1
                if not self.case_sensitive:
                    self.case_sensitive = _begins_small(title)
        elif (text := anchor.text) and (path := self.template(url, text)):
            self._text_votes[path] += 1

    def most_common(self) -> str:
        """Return the path that most links show by their titles; empty if none shows one."""
        return self._votes.most_common(1)[0][0] if self._votes else ""

    def most_common_by_text(self) -> str:
        """Return the path that most links show by their texts; empty if fewer than two do."""
        path, votes = next(iter(self._text_votes.most_common(1)), ("", 0))
        return path if votes > 1 else ""

    def template(self, url: str, title: str) -> str:
        """Return path and query of *url* with ``$1`` in place of *title*; empty if they do not
        contain it."""
        if not title or not url or not self._place:
            return ""
        # The pages of a wiki have their menus, and most of their links, in common.
        is_short = len(url) < _MAX_CACHED and len(title) <= _MAX_TITLE
        return (_cached_template if is_short else _template)(self._place, url, title)

    def _is_other_view(self, url: str) -> bool:
        """Return True for MediaWiki's ``index.php?title=…&action=…``, under whatever name."""
        parts = urlsplit(url)
        if parts.netloc != self._place or "title=" not in parts.query:
            return False
        return not _is_view(parts.query) and ".php" in parts.path


def _template(own_place: str, url: str, title: str) -> str:
    name = "_".join(title.replace("_", " ").split())
    plain = _PLAIN_START.match(name)[0]  # type: ignore[index]  # it matches any text
    # Most titles that are not in their URLs, such as those of menus, are not from here on.
    if plain not in url or not 0 < len(name) <= _MAX_TITLE:
        return ""
    parts = urlsplit(url)
    if parts.netloc != own_place or "$1" in url or not _is_view(parts.query):
        return ""
    place = f"{parts.path}?{parts.query}" if parts.query else parts.path
    for form in (name,) if plain == name else _forms(name):
        start = place.rfind(form)
        end = start + len(form)
        if start > 0 and place[start - 1] in _BEFORE_TITLE and place[end : end + 1] in _AFTER_TITLE:
            return f"{place[:start]}$1{place[end:]}"
    return ""


_cached_template = lru_cache(maxsize=4096)(_template)


def _forms(name: str) -> Iterator[str]:
    """Yield what software may write for *name* in a URL."""
    rest = iter(_SAFE)
    if _FIRST_SAFE.fullmatch(name):
        next(rest)
        yield name
    for safe in rest:
        yield quote(name, safe=safe)


def _place_of(url: str) -> str:
    """Return host and port of *url*; empty if it is not a URL."""
    try:
        return urlsplit(url).netloc
    except ValueError:
        return ""


def _begins_small(title: str) -> bool:
    """Return True if a wiki that capitalises titles would not write *title*."""
    first = title[:1]
    if not first.islower() or ":" in title or "\u10d0" <= first <= "\u10ff":
        return False
    return len(first.upper()) == 1 and first.upper() != first


def _is_view(query: str) -> bool:
    if not query:
        return True
    try:
        return _OTHER_VIEW.isdisjoint(
            name for name, _ in parse_qsl(query, keep_blank_values=True, max_num_fields=20)
        )
    except ValueError:
        return False


def _own_tab(root: HtmlElement, resolver: LinkResolver) -> str:
    """Return the page's own URL by the selected tab of MediaWiki's skins (``Page``, ``Talk``)."""
    for item in by_class(root, "selected", "li"):
        identifier = item.get("id") or ""
        if identifier.startswith(("ca-nstab-", "ca-talk")):
            anchor = next(item.iter("a"), None)
            return resolver.absolute(anchor.get("href") or "") if anchor is not None else ""
    return ""


def _heading(root: HtmlElement) -> str:
    heading = by_id(root, "firstHeading", "h1", "h2")
    return heading.text_content()[: _MAX_TITLE + 1].strip() if heading is not None else ""


def _title_in(url: str, path: str) -> str:
    """Return the title in *url*, an address of the form *path*; empty if it has another form."""
    before, _, after = (path or "").partition("$1")
    parts = urlsplit(url)
    place = f"{parts.path}?{parts.query}" if parts.query else parts.path
    if not path or not place.startswith(before) or not place.endswith(after):
        return ""
    title = unquote(place[len(before) : len(place) - len(after)])
    return title if title.isprintable() and len(title) <= _MAX_TITLE else ""


def _stated_path(config: dict[str, Any], own: str) -> str:
    path = _local(text_of(config, "wgArticlePath"), own)
    if path.count("$1") == 1:
        return path
    script = _local(text_of(config, "wgScript"), own)
    return f"{script}?title=$1" if script and "?" not in script else ""


def _local(path: str, own: str) -> str:
    """Return *path* relative to the host of *own*; empty if it is on another host or no path."""
    try:
        parts = urlsplit(path)
    except ValueError:
        return ""
    if parts.netloc and parts.netloc != _place_of(own):
        return ""
    place = f"{parts.path}?{parts.query}" if parts.query else parts.path
    return place if place.startswith("/") else ""
