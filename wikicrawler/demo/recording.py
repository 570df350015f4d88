"""Recorded responses of a real MediaWiki, which the demonstration wiki serves.

``scripts/render-demo-wiki`` writes the files and documents how.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from wikicrawler.demo.titles import Title, TitleNormaliser

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


@dataclass(frozen=True, slots=True)
class WikiPage:
    """One page of the wiki."""

    title: Title
    parse: dict[str, Any]
    """The ``action=parse`` response in formatversion 2, redirects not followed."""
    redirects: list[dict[str, str]]
    """The ``redirects`` of the API response; empty if the page is not a redirect."""
    skin: str
    """The whole HTML page, redirects followed, with ``{{TEXT}}`` in place of its text."""


class RecordedWiki:
    """All recorded responses, for a wiki at the URL *server* (without a trailing slash)."""

    def __init__(self, server: str) -> None:
        self.server = server
        here = files("wikicrawler.demo")
        siteinfo = json.loads(self._read(here / "siteinfo.json"))
        self.siteinfo: dict[int, dict[str, Any]] = {1: siteinfo["1"], 2: siteinfo["2"]}
        self.titles = TitleNormaliser(self.siteinfo[2])
        self.rsd = self._read(here / "rsd.xml")
        self._missing = self._read(here / "missing.html")
        self._bad_title = self._read(here / "badtitle.html")
        skin = split_tokens((here / "skin.html").read_text("utf-8"))
        pages = [self._page(file, skin) for file in (here / "pages").iterdir()]
        self.pages = {page.title.text: page for page in pages}
        self.by_id = {page.parse["pageid"]: page for page in pages}
        self.articles = {
            file.name.removesuffix(".html"): file.read_text("utf-8")
            for file in (here / "articles").iterdir()
        }

    def follow(self, page: WikiPage) -> WikiPage:
        """Return the target of *page* if it is a redirect, else *page*."""
        return self.pages[page.redirects[-1]["to"]] if page.redirects else page

    def html(self, page: WikiPage) -> str:
        """Return the HTML page for readers."""
        return page.skin.replace("{{TEXT}}", self.follow(page).parse["text"])

    def missing(self, title: Title) -> str:
        """Return the HTML page for a title without a page."""
        forms = {
            "title": escape(title.text),
            "url": escape(title.url),
            "json_title": _script_string(title.text),
            "json_key": _script_string(title.key),
        }
        return re.sub(r"\{\{(\w+)\}\}", lambda place: forms[place[1]], self._missing)

    def bad_title(self, requested: str) -> str:
        """Return the HTML page for an invalid title."""
        return self._bad_title.replace("{{url}}", quote(requested, safe="/:", errors="replace"))

    def _page(self, file: Traversable, skin: list[str]) -> WikiPage:
        data = json.loads(self._read(file))
        parse = {}
        for key, value in data["parse"].items():
            parse[key] = value
            if key == "revid":  # keep the order of MediaWiki's response
                parse["text"] = "\n".join(data["text"])
        return WikiPage(
            title=self.titles.normalise(parse["title"]),
            parse=parse,
            redirects=data["redirects"],
            skin=self._insert_server(
                "".join(
                    part if isinstance(part, str) else "".join(skin[part[0] : part[1]])
                    for part in data["skin"]
                )
            ),
        )

    def _read(self, file: Traversable) -> str:
        return self._insert_server(file.read_text("utf-8"))

    def _insert_server(self, text: str) -> str:
        return text.replace("{{SERVER}}", self.server)


def split_tokens(text: str) -> list[str]:
    """Split *text* where pages of the same skin can differ. The parts joined are *text* again."""
    return re.split(r'(?=[\s<,"/?:])', text)


def _script_string(text: str) -> str:
    """Return *text* escaped for a JSON string in a script element, without the quotes."""
    return re.sub(r"[<>&]", lambda c: f"\\u{ord(c[0]):04x}", json.dumps(text, ensure_ascii=False))[
        1:-1
    ]
