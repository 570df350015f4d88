"""MediaWikis whose pages are at other places than ``/wiki/``, and whose API cannot be used.

::

    with FacedWiki(FACES["index.php"], api="404") as wiki:
        ...crawl wiki.url(wiki.face.of("Main Page"))...
        assert wiki.refused == []      # URLs that no wiki of this face has
        assert found == wiki.page_urls()

The pages link to each other as MediaWiki's do, and the server has nothing but these pages, their
other views (history, edit form, old revision) and two special pages.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Literal
from urllib.parse import parse_qs, quote, unquote, urlsplit

from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from tests.servers.scripted import Exchange

Api = Literal["404", "403", "html", "readapidenied"]
TITLES = (
    *("Main Page", "Honey bee", "Queen bee", "Smoker (tool)", "Bees & wasps", "C++", "Rösser"),
    *("Category:Tools", "Help:Hive", "Bee/Anatomy"),
)
#: Redirects; the last two of a chain lead to pages by way of the one before.
REDIRECTS = {"Apis": "Honey bee", "Bee": "Apis", "Insect": "Bee", "Loop one": "Loop two"}
REDIRECTS["Loop two"] = "Loop one"
_TEXT = "Each colony has workers, drones and a queen, and stores honey in combs of wax. " * 4


@dataclass(frozen=True)
class Face:
    """Where a wiki has its pages, and what its pages say about it."""

    article_path: str
    script: str = "/index.php"
    config: Literal["RLCONF", "mw.config", "var", ""] = "RLCONF"
    """Form of the configuration in its pages; empty if there is none."""
    paths_in_config: bool = False
    """True if that has ``wgArticlePath`` and ``wgScript``, as before MediaWiki 1.17."""
    titles_in_links: bool = True
    canonical: bool = False
    tabs: bool = True
    root: bool = False
    """True if the main page is served at ``/`` too."""

    def of(self, title: str) -> str:
        """Path of the page *title*."""
        name = quote(title.replace(" ", "_"), safe=";@$!*(),/~:")
        return self.article_path.replace("$1", name)


FACES = {
    "wiki": Face("/wiki/$1"),
    "short, script elsewhere": Face("/wiki/$1", "/w/index.php"),
    "query": Face("/w/index.php?title=$1", "/w/index.php"),
    "query at the root": Face("/index.php?title=$1", root=True),
    "path info": Face("/index.php/$1"),
    "path info, directory": Face("/mediawiki/index.php/$1", "/mediawiki/index.php"),
    "root": Face("/$1", "/w/index.php", root=True),
    "index.php5 in /wiki/": Face("/wiki/index.php5?title=$1", "/wiki/index.php5"),
    "root query": Face("/?title=$1", "/index.php", root=True),
    "language": Face("/en/pages/$1", "/en/index.php"),
    "suffix": Face("/wiki/$1.html", "/w/index.php"),
    "fixed parameter": Face("/hub.php?wiki=bees&title=$1", "/hub.php"),
    "old": Face("/old/index.php?title=$1", "/old/index.php", "var", paths_in_config=True),
    "old, by path": Face("/pages/$1", "/old/index.php", "var", paths_in_config=True),
    "no configuration": Face("/w/index.php?title=$1", "/w/index.php", "", canonical=True),
    "only links": Face("/w/index.php/$1", "/w/index.php", "", tabs=False),
    "only page names": Face("/p/$1", "/w/index.php", titles_in_links=False, tabs=False),
    "only canonical": Face("/c?title=$1", "/c", "mw.config", False, False, True, False),
    "only tabs": Face("/t/index.php/$1", "/t/index.php", "", titles_in_links=False),
}


class FacedWiki(ScriptedServer):
    """A wiki of ten pages.

    *api* says how its API fails; *linked* is False if its pages do not name it.
    """

    def __init__(self, face: Face, *, api: Api = "404", linked: bool = True) -> None:
        super().__init__()
        self.face = face
        self._api: Api = api
        self._linked = linked
        self.refused: list[str] = []
        """Paths without a page that were requested."""
        self._pages = {self._key(face.of(title)): title for title in (*TITLES, *REDIRECTS)}

    def page_urls(self) -> set[str]:
        """URLs of all pages, redirects excluded."""
        return {self.url(self.face.of(title)) for title in TITLES}

    def serves(self, url: str) -> bool:
        """Return True if *url* is one of its pages."""
        parts = urlsplit(url)
        place = f"{parts.path}?{parts.query}" if parts.query else parts.path
        return parts.netloc == self.netloc and self._key(place) in self._pages

    def reply_to(self, exchange: Exchange) -> Reply:
        path = exchange.path
        plain = urlsplit(path)
        if plain.path == "/robots.txt":
            return Reply(404)
        if plain.path.endswith("/api.php"):
            return self._api_reply()
        if path == "/" and self.face.root:
            return self._page("Main Page")
        if plain.path == self.face.script and "action=" in plain.query:
            return Reply(body=_document("<title>View</title>", "<form>An edit form</form>"))
        shown = self._pages.get(
            self._key(path.replace("&redirect=no", "").replace("?redirect=no", ""))
        )
        if shown is None:
            self.refused.append(path)
            return Reply(404, body=_document("<title>?</title>", "There is no such page."))
        return self._page(shown)

    def _key(self, place: str) -> str:
        parts = urlsplit(place)
        query = sorted((k, v[0]) for k, v in parse_qs(parts.query).items())
        return f"{unquote(parts.path)}?{query}"

    def _api_reply(self) -> Reply:
        if self._api == "html":
            return Reply(body=_document("<title>Wiki</title>", "<p>The API is closed."))
        if self._api == "readapidenied":
            error = {"error": {"code": "readapidenied", "info": "You need read permission"}}
            headers = {
                "Content-Type": "application/json",
                "MediaWiki-API-Error": "readapidenied",
            }
            return Reply(200, headers, json.dumps(error))
        return Reply(int(self._api), body=_document("<title>No</title>", "<p>No."))

    def _page(self, title: str) -> Reply:
        asked, end = title, REDIRECTS.get(title)
        note = ""
        if end is not None:  # MediaWiki follows one redirect
            note = f'<span class="mw-redirectedfrom">(Redirected from {self._link(asked)})</span>'
            title, end = end, REDIRECTS.get(end)
        if end is None:
            links = "".join(f"<li>{self._link(other)}</li>" for other in (*TITLES, *REDIRECTS))
            history = f"{self.face.script}?title={quote(title)}&amp;action=history"
            content = (
                f"<p>{escape(title)}: {_TEXT}</p><ul>{links}</ul>"
                f'<p><a href="{history}">History</a> <a href="{history}&amp;redlink=1" class="new"'
                f' title="Nothing (page does not exist)">Nothing</a></p>'
            )
        else:
            link = self._link(end, "redirect=no" if end in REDIRECTS else "")
            content = (
                '<div class="redirectMsg"><p>Redirect to:</p>'
                f'<ul class="redirectText"><li>{link}</li></ul></div>'
            )
        body = (
            f'<h1 id="firstHeading">{escape(title)}</h1><div id="contentSub">{note}</div>'
            f'<div id="mw-content-text"><div class="mw-parser-output">{content}</div></div>'
        )
        if self.face.tabs:
            link = f'<a href="{escape(self.face.of(title))}">Page</a>'
            body += f'<ul><li id="ca-nstab-main" class="selected">{link}</li></ul>'
        return Reply(body=_document(self._head(title, asked), body))

    def _link(self, title: str, query: str = "") -> str:
        href = self.face.of(title)
        if query:
            href += f"{'&' if '?' in href else '?'}{query}"
        attribute = f' title="{escape(title)}"' if self.face.titles_in_links else ""
        return f'<a href="{escape(href)}"{attribute}>{escape(title)}</a>'

    def _head(self, title: str, asked: str) -> str:
        head = f"<title>{escape(title)} - Bees</title>"
        head += '<meta name="generator" content="MediaWiki 1.39.1">'
        directory = self.face.script.rpartition("/")[0]
        if self._linked:
            head += f'<link rel="EditURI" href="{directory}/api.php?action=rsd">'
        if self.face.canonical:
            head += f'<link rel="canonical" href="{escape(self.url(self.face.of(title)))}">'
        values: dict[str, object] = {
            "wgPageName": title.replace(" ", "_"),
            "wgNamespaceNumber": {"Category": 14, "Help": 12}.get(title.partition(":")[0], 0),
            "wgRevisionId": 7,
        }
        if asked != title:
            values["wgRedirectedFrom"] = asked.replace(" ", "_")
        if self.face.paths_in_config:
            values |= {"wgArticlePath": self.face.article_path, "wgScript": self.face.script}
        return f"{head}<script>{_script(self.face.config, values)}</script>"


def _script(form: str, values: dict[str, object]) -> str:
    if form == "var":
        return "".join(f"var {name} = {json.dumps(value)};\n" for name, value in values.items())
    text = json.dumps(values, separators=(",", ":"))
    forms = {"RLCONF": f"RLCONF={text};", "mw.config": f"mw.config.set({text});"}
    return forms.get(form, "")


def _document(head: str, body: str) -> str:
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">{head}</head>'
        f'<body class="mediawiki">{body}</body></html>'
    )
