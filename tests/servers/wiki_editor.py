"""Changes to a real MediaWiki, made by its own API."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from urllib.request import urlopen

from tests.servers import mediawiki_build as build

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers.mediawiki import RealMediaWiki

_RIGHTS = ("edit", "createpage", "move", "delete", "undelete", "suppressredirect", "noratelimit")


class WikiEditor:
    """Edits, moves and deletes the pages of *wiki*, whose files are in *data*.

    Everybody may do everything while it is used.
    """

    def __init__(self, wiki: RealMediaWiki, data: Path) -> None:
        self._wiki, self._data = wiki, data
        rights = "".join(f"$wgGroupPermissions['*']['{right}'] = true;" for right in _RIGHTS)
        wiki.php(rights + "$wgGroupPermissions['*']['delete-redirect'] = true;")

    def edit(self, title: str, text: str) -> None:
        """Give the page *title* the wikitext *text*; create it if there is none."""
        self._do(action="edit", title=title, text=text)

    def append(self, title: str, text: str) -> None:
        """Add *text* to the page *title*, which exists."""
        self._do(action="edit", title=title, appendtext=text, nocreate="1")

    def move(self, old: str, new: str, *, redirect: bool = True) -> None:
        self._do(
            action="move", **{"from": old, "to": new}, **({} if redirect else {"noredirect": "1"})
        )

    def delete(self, title: str) -> None:
        self._do(action="delete", title=title)

    def undelete(self, title: str) -> None:
        self._do(action="undelete", title=title)

    def run_jobs(self) -> None:
        """Do what the wiki has put off: after the change of a template, touch the pages with it."""
        build._run("runJobs", "--quiet", env=build.environment(self._data, self._wiki.url))

    def age(self) -> None:
        """Let all pages be touched long ago."""
        with closing(sqlite3.connect(self._data / "db" / "wiki.sqlite", timeout=30)) as db, db:
            db.execute("UPDATE page SET page_touched = '20240101000000'")

    def _do(self, **query: str) -> dict[str, Any]:
        body = urlencode({"format": "json", "formatversion": "2", "token": "+\\", **query})
        with urlopen(self._wiki.api, body.encode(), timeout=60) as response:  # noqa: S310
            answer: dict[str, Any] = json.load(response)
        if "error" in answer or query["action"] not in answer:
            raise RuntimeError(f"{query}: {answer}")
        return answer
