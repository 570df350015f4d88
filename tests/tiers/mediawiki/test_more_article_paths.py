"""Wikis with article paths of many forms, and without a usable API."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import project_settings, run
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from tests.servers.scripted import Exchange

TITLES = [
    *("Main Page", "Oats", "Rye", "Spelt wheat", "Barley (grain)", "Café", "Emmer/Seed", "Millet?"),
]
TEXT = "is a cereal that has been grown in the uplands since the Bronze Age, mostly on poor soils. "
FACES = {
    "query": ("/w/index.php?title={}", "/w/index.php"),
    "root query": ("/index.php?title={}", "/index.php"),
    "path info": ("/index.php/{}", "/index.php"),
    "path info below": ("/w/index.php/{}", "/w/index.php"),
    "short": ("/{}", "/w/index.php"),
    "wiki": ("/wiki/{}", "/w/index.php"),
    "other word": ("/kb/{}", "/mw/index.php"),
    "php5": ("/wiki/index.php5?title={}", "/wiki/index.php5"),
    "language": ("/de/wiki/{}", "/de/w/index.php"),
    "bare query": ("/?title={}", "/index.php"),
}
APIS = {
    "404": Reply(404),
    "403": Reply(403, body="<h1>Forbidden</h1>"),
    "html": Reply(body="<!doctype html><title>Home</title><p>Welcome to the site."),
    "denied": Reply(
        200,
        {"Content-Type": "application/json", "MediaWiki-API-Error": "readapidenied"},
        json.dumps({"error": {"code": "readapidenied", "info": "You need read permission."}}),
    ),
}


SAYS = ["config and EditURI", "EditURI", "config", "nothing"]


def encoded(title: str) -> str:
    found = title.replace(" ", "_")
    for character in "?é":
        found = found.replace(character, "".join(f"%{b:02X}" for b in character.encode()))
    return found


class Wiki(ScriptedServer):
    """Serves its pages at one form of URL only."""

    def __init__(self, face: str, api: str, *, config: bool, edit_uri: bool) -> None:
        super().__init__()
        self.pattern, self.script = FACES[face]
        self.api, self.config, self.edit_uri = APIS[api], config, edit_uri
        self.wrong: list[str] = []

    def address(self, title: str) -> str:
        return self.url(self.pattern.format(encoded(title)))

    def title_of(self, path: str) -> str | None:
        """The title of a page at *path*, as this wiki serves it."""
        before, _, _ = self.pattern.partition("{}")
        parts = urlsplit(path)
        if "title=" in before:
            if parts.path != urlsplit(before).path:
                return None
            (title,) = parse_qs(parts.query).get("title", [None])
        elif path.startswith(before):
            title = unquote(parts.path[len(before) :])
        else:
            return None
        found = title.replace("_", " ") if title else None
        return found if found in TITLES else None

    def reply_to(self, exchange: Exchange) -> Reply:
        path = exchange.path
        if path == "/robots.txt":
            return Reply(404)
        if urlsplit(path).path.endswith(("/api.php", "/api.php5")):
            own = urlsplit(path).path == self.script.replace("index", "api")
            return self.api if own else Reply(404)
        title = self.title_of(path)
        if title is None:
            if "action=" not in path:
                self.wrong.append(path)
            return Reply(404, body="<!doctype html><title>Not found</title>")
        return Reply(body=self.page(title))

    def page(self, title: str) -> str:
        links = " ".join(
            f'<a href="{self.pattern.format(encoded(t))}" title="{t}">{t}</a>' for t in TITLES
        )
        api = self.url(self.script.replace("index", "api"))
        edit = f'<link rel="EditURI" type="application/rsd+xml" href="{api}?action=rsd">'
        config = json.dumps(
            {
                "wgPageName": title.replace(" ", "_"),
                "wgTitle": title,
                "wgNamespaceNumber": 0,
                "wgArticleId": TITLES.index(title) + 1,
                "wgArticlePath": self.pattern.replace("{}", "$1"),
                "wgScript": self.script,
            }
        )
        script = f"<script>RLCONF={config};</script>" if self.config else ""
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title} – Grains'
            '</title><meta name="generator" content="MediaWiki 1.31.1">'
            f"{edit if self.edit_uri else ''}{script}</head>"
            '<body class="mediawiki ltr ns-0 skin-vector"><div id="content" class="mw-body">'
            f'<h1 id="firstHeading" class="firstHeading">{title}</h1><div id="bodyContent">'
            '<div id="mw-content-text" lang="en" class="mw-content-ltr">'
            f'<div class="mw-parser-output"><p>{title} {TEXT * 3}</p><p>{links}</p></div></div>'
            f'</div></div><div id="p-tb"><a href="{self.script}?title=Special:RecentChanges">'
            f'Changes</a><a href="{self.script}?title={encoded(title)}&amp;action=edit">Edit</a>'
            "</div></body></html>"
        )


# All pairs of a face and an API, and of a face and what its pages say.
CASES = [
    (face, api, SAYS[(row + column) % len(SAYS)])
    for row, face in enumerate(FACES)
    for column, api in enumerate(APIS)
]


@pytest.mark.parametrize(("face", "api", "says"), CASES)
@deferred_f_from_coro_f
async def test_every_page_comes_at_an_address_that_the_wiki_serves(
    face: str, api: str, says: str
) -> None:
    with Wiki(face, api, config="config" in says, edit_uri="EditURI" in says) as wiki:
        seed = wiki.address("Main Page")
        done = await run(WikiSpider, project_settings(), seeds=seed)
        titles = {wiki.title_of(item.url.removeprefix(wiki.url(""))) for item in done.items}
        assert titles == set(TITLES)
        assert len(done.items) == len(TITLES)
        assert [path for path in wiki.wrong if "Special:" not in path] == []
