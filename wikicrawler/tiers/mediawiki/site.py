"""Siteinfo of a MediaWiki: the addresses of its pages and its namespaces.

https://www.mediawiki.org/wiki/API:Siteinfo. A page must not direct the crawl to another site: an
address found in a page counts only on the page's own site.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urljoin, urlsplit

from wikicrawler.errors import Reason
from wikicrawler.pages import Failure
from wikicrawler.tiers.mediawiki.addresses import on_same_site, web_address
from wikicrawler.tiers.mediawiki.api import as_dict, as_list, flag, read_answer, text

if TYPE_CHECKING:
    from collections.abc import Mapping

LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
"""Approximation of a BCP 47 tag."""

_ARTICLE_PATH = "/wiki/$1"
_MAIN_ONLY = frozenset({0})

# https://www.mediawiki.org/wiki/Manual:Namespace#Built-in_namespaces: valid on every wiki
_CANONICAL = {
    -2: "Media",
    -1: "Special",
    0: "",
    1: "Talk",
    2: "User",
    3: "User talk",
    4: "Project",
    5: "Project talk",
    6: "File",
    7: "File talk",
    8: "MediaWiki",
    9: "MediaWiki talk",
    10: "Template",
    11: "Template talk",
    12: "Help",
    13: "Help talk",
    14: "Category",
    15: "Category talk",
}
_ALIASES = {"image": 6, "image talk": 7}
# The content namespaces to assume without siteinfo: the wiki's own ones, without talk pages and
# namespaces of extensions (Widget, Module, Gadget and Gadget definition).
_LIKELY_CONTENT = frozenset({0, *range(100, 4000, 2)} - {274, 828, 2300, 2302})


@dataclass(frozen=True)
class WikiSite:
    """The siteinfo of a wiki."""

    api: str
    """URL of its ``api.php``."""
    server: str
    """Scheme and host (and port) of its pages: ``https://en.wikipedia.org``."""
    article_path: str
    """Path of a page, ``/wiki/$1``; an absolute URL if the pages are on another host."""
    script_path: str
    """Path of the directory of ``index.php``, without the last slash: ``/w``, or empty."""
    namespaces: Mapping[str, int]
    """Namespace numbers by name and alias, lower case with spaces; without the main namespace."""
    names: Mapping[int, str]
    """The wiki's own name of each namespace, as in its titles."""
    script: str = ""
    """Path of ``index.php`` itself, if it differs: ``/w/index.php5``."""
    content_namespaces: frozenset[int] = _MAIN_ONLY
    case_sensitive: frozenset[int] = frozenset()
    """Namespaces whose titles may begin with a lower-case letter."""
    main_page: str | None = None
    """Title of the main page; None if unknown."""
    main_page_at_root: bool = False
    """True if the main page's URL is ``/``."""
    lang: str = ""
    """BCP 47 tag of its content; empty if unknown."""
    generator: str = ""
    license_url: str = ""
    license_text: str = ""
    articles: int | None = None
    """Number of its pages in the content namespaces, as it counts them; None if unknown."""

    def __hash__(self) -> int:
        return hash((self.api, self.article_path))

    @classmethod
    def default(
        cls, api: str, article_path: str | None = None, pages: str | None = None
    ) -> WikiSite:
        """Return MediaWiki's defaults, for a wiki whose siteinfo could not be read.

        :param pages: URL of any page of the wiki, if known
        """
        return cls(
            api=api,
            server=_origin(pages or api),
            article_path=article_path or _ARTICLE_PATH,
            script_path=_directory(api),
            namespaces=_keys(_CANONICAL) | _ALIASES,
            names=_CANONICAL,
            content_namespaces=_LIKELY_CONTENT,
        )

    @property
    def case(self) -> str:
        """Case rule of titles: ``first-letter`` (capitalised) or ``case-sensitive``."""
        return "case-sensitive" if 0 in self.case_sensitive else "first-letter"

    @cached_property
    def article_url(self) -> str:
        """Absolute URL of a page, with ``$1`` in place of its title."""
        return urljoin(self.server + "/", self.article_path)

    def namespace_of(self, title: str) -> tuple[int, str]:
        """Return the namespace number of a title and the rest: ``(14, "Orcs")`` for
        ``category: Orcs``."""
        title = title.removeprefix(":").strip(" _")
        prefix, colon, rest = title.partition(":")
        number = self.namespaces.get(_key(prefix)) if colon else None
        return (0, title) if number is None else (number, rest.strip(" _"))

    def namespace_number(self, name: str) -> int | None:
        """Return the number of the namespace *name*, ignoring case; ``main`` is namespace 0."""
        key = _key(name)
        return 0 if key in {"", "main"} else self.namespaces.get(key)


def siteinfo_url(api: str) -> str:
    """Return the URL of the siteinfo request."""
    query = {
        "action": "query",
        "meta": "siteinfo",
        "siprop": "general|namespaces|namespacealiases|rightsinfo|statistics",
        "format": "json",
        "formatversion": "2",
        "maxlag": "5",
    }
    return f"{api}?{urlencode(query)}"


def read_siteinfo(
    body: bytes,
    headers: Mapping[str, str],
    status: int,
    api: str,
    *,
    article_path: str | None = None,
    pages: str | None = None,
) -> WikiSite | Failure:
    """Return the siteinfo in the response to :func:`siteinfo_url`, in either format version.

    Fields that are missing or of a wrong type get the values of :meth:`WikiSite.default`. Never
    raises.

    :param article_path: the configured path, which overrides the wiki's
    :param pages: URL of a page of the wiki; its site is the one that the stated server must be on,
        by default the API's
    """
    answer = read_answer(body, headers, status)
    if isinstance(answer, Failure):
        return answer
    query = as_dict(answer.get("query"))
    general = as_dict(query.get("general"))
    path = _line(general.get("articlepath"))
    if not path:
        return Failure(Reason.API_ERROR, "no siteinfo in the answer")
    spaces = [s for s in map(as_dict, as_dict(query.get("namespaces")).values()) if _id(s)]
    own = {s["id"]: _line(text(s, "name")) for s in spaces}
    canonical = {s["id"]: _line(s.get("canonical")) for s in spaces}
    aliases = [a for a in map(as_dict, as_list(query.get("namespacealiases"))) if _id(a)]
    rights = as_dict(query.get("rightsinfo"))
    articles = as_dict(query.get("statistics")).get("articles")
    lang = _line(general.get("lang"))
    script_path = general.get("scriptpath")
    script_path = _line(script_path) if isinstance(script_path, str) else _directory(api)
    script = _line(general.get("script"))
    server = _own_server(_line(general.get("server")), pages or api)
    return WikiSite(
        api=api,
        server=server,
        article_path=article_path or _own_path(path, server),
        script_path=script_path,
        script=script if script.startswith(script_path + "/") else "",
        # If two namespaces have the same name, the canonical one wins, as in MediaWiki.
        namespaces={key: a["id"] for a in aliases if (key := _key(_line(text(a, "alias"))))}
        | _keys(own)
        | _keys(canonical)
        | _keys(_CANONICAL),
        names=_CANONICAL | {number: name for number, name in own.items() if name},
        content_namespaces=frozenset(s["id"] for s in spaces if flag(s, "content")) or _MAIN_ONLY,
        case_sensitive=frozenset(s["id"] for s in spaces if s.get("case") == "case-sensitive"),
        main_page=_line(general.get("mainpage")) or None,
        main_page_at_root=flag(general, "mainpageisdomainroot"),
        lang=lang if LANGUAGE.fullmatch(lang) else "",
        generator=_line(general.get("generator")),
        license_url=web_address(_line(rights.get("url")), api) or "",
        license_text=_line(rights.get("text")),
        articles=articles if type(articles) is int and 0 < articles < 1 << 40 else None,
    )


def _own_server(server: str, reached: str) -> str:
    """Return scheme and host of the wiki's pages: those that it states, if they are on the site of
    the URL at which it was *reached*, else that URL's.

    The scheme is always that URL's: wikis behind a proxy often state ``http``.
    """
    address = on_same_site(server, reached) if server else None
    if address is None:
        return _origin(reached)
    parts = urlsplit(address)
    own = urlsplit(reached)
    same_host = parts.hostname == own.hostname
    return _origin(reached) if same_host else f"{own.scheme}://{parts.netloc}"


def _own_path(path: str, server: str) -> str:
    """Return the article path that a wiki states; the default if it does not contain the title
    once, or is on another site."""
    return path if path.count("$1") == 1 and on_same_site(path, server + "/") else _ARTICLE_PATH


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _directory(url: str) -> str:
    return urlsplit(url).path.rpartition("/")[0]


def _id(record: Mapping[str, Any]) -> bool:
    number = record.get("id")
    return type(number) is int and abs(number) < 1_000_000


def _line(value: object) -> str:
    """Return *value* stripped if it is one line of at most 500 characters, else an empty string."""
    sane = isinstance(value, str) and len(value) <= 500 and value.isprintable()
    return value.strip() if isinstance(value, str) and sane else ""


def _key(name: str) -> str:
    return name.replace("_", " ").strip(" ").lower()


def _keys(names: Mapping[int, str]) -> dict[str, int]:
    return {_key(name): number for number, name in names.items() if name}
