"""What the demonstration wiki has to say: answers of a real MediaWiki, kept in files.

``scripts/render-demo-wiki`` writes these files; see there how.
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
    """What ``action=parse`` says of it, formatversion 2, redirects not followed."""
    redirects: list[dict[str, str]]
    """What the API says of the redirect that this page is; empty where it is none."""
    skin: str
    """The whole HTML page that a reader gets, redirects followed, but for ``{{TEXT}}``."""


class RecordedWiki:
    """All pages, and what else is served, for a wiki at the URL *server* (no slash at its end)."""

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
        """The page that *page* redirects to, or itself."""
        return self.pages[page.redirects[-1]["to"]] if page.redirects else page

    def html(self, page: WikiPage) -> str:
        """The page as a reader gets it."""
        return page.skin.replace("{{TEXT}}", self.follow(page).parse["text"])

    def missing(self, title: Title) -> str:
        """The page that says that there is none of this title."""
        forms = {
            "title": escape(title.text),
            "url": escape(title.url),
            "json_title": _script_string(title.text),
            "json_key": _script_string(title.key),
        }
        return re.sub(r"\{\{(\w+)\}\}", lambda place: forms[place[1]], self._missing)

    def bad_title(self, requested: str) -> str:
        """The page that says that no page can have the title *requested* for."""
        return self._bad_title.replace("{{url}}", quote(requested, safe="/:", errors="replace"))

    def _page(self, file: Traversable, skin: list[str]) -> WikiPage:
        data = json.loads(self._read(file))
        parse = {}
        for key, value in data["parse"].items():
            parse[key] = value
            if key == "revid":  # the order of MediaWiki's own answer
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
    """*text* cut where two pages of one skin begin to differ; joined they are *text* again."""
    return re.split(r'(?=[\s<,"/?:])', text)


def _script_string(text: str) -> str:
    """*text* inside a JSON string inside a script element."""
    return re.sub(r"[<>&]", lambda c: f"\\u{ord(c[0]):04x}", json.dumps(text, ensure_ascii=False))[
        1:-1
    ]
