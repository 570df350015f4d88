"""An owner-only access token of OAuth 2 is sent to its wiki alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.servers.scripted import Reply, ScriptedServer
from tests.tiers.logins.crawls import VARIABLE, Project, wiki_entry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.servers.scripted import Exchange

TOKEN = "eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.eyJhdWQiOiJhIn0.c2lnbmF0dXJl-_x"  # noqa: S105
GENERAL = {"articlepath": "/wiki/$1", "scriptpath": "", "server": "", "mainpage": "Main"}
TEXT = "<p>Amber is fossilised tree resin, which has been valued since the Stone Age.</p>" * 9


class TokenWiki(ScriptedServer):
    """The API of a wiki as the extension OAuth guards it: it reads the header of each request.

    :param accepted: the token that is valid
    """

    def __init__(self, accepted: str, elsewhere: str = "") -> None:
        super().__init__()
        self._accepted = accepted
        self._elsewhere = elsewhere

    def reply_to(self, exchange: Exchange) -> Reply:
        parts = urlsplit(exchange.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/robots.txt":
            return Reply(404)
        given = exchange.headers.get("Authorization")
        if parts.path != "/api.php" or exchange.method != "GET":
            return Reply(302, {"Location": self._elsewhere}) if self._elsewhere else Reply(404)
        if given is not None and given != f"Bearer {self._accepted}":
            return _json({"error": {"code": "mwoauth-invalid-authorization", "info": given}})
        if given is None:
            code = "assertuserfailed" if "assert" in query else "readapidenied"
            return _json({"error": {"code": code, "info": "?"}})
        if query.get("meta") == "siteinfo":
            return _json({"query": {"general": GENERAL, "namespaces": {}}})
        title = query["page"]
        links = [{"ns": 0, "title": "Salt", "exists": True}]
        text = f'<div class="mw-parser-output">{TEXT}<a href="/wiki/Salt">Salt</a> {title}</div>'
        return _json({"parse": {"title": title, "revid": 7, "text": text, "links": links}})


def _json(answer: dict[str, object]) -> Reply:
    return Reply(headers={"Content-Type": "application/json"}, body=json.dumps(answer))


@pytest.fixture
def other() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server.on("/")


def project_for(wiki: TokenWiki, root: Path, more: str = "") -> Project:
    project = Project(root, {VARIABLE: TOKEN})
    login = f"{{token: {{env: {VARIABLE}}}}}"
    entry = wiki_entry(wiki.netloc, wiki.url("/api.php"), login)
    project.configure(f"mediawiki_sites:\n{entry}{more}")
    return project


def test_pages_are_read_with_the_token(tmp_path: Path) -> None:
    with TokenWiki(TOKEN) as wiki:
        project = project_for(wiki, tmp_path)
        project.crawl(wiki.url("/wiki/Amber"))
        assert {record["title"] for record in project.records()} == {"Amber", "Salt"}
        assert all(x.method == "GET" for x in wiki.exchanges)  # nobody logs in
        robots = [x for x in wiki.exchanges if x.path == "/robots.txt"]
        assert robots
        assert all("Authorization" not in x.headers for x in robots)
    assert project.files_with("/wiki/Salt")
    assert project.files_with(TOKEN) == []


def test_a_token_that_is_refused_is_sent_no_more(tmp_path: Path) -> None:
    with TokenWiki("another") as wiki:
        project = project_for(wiki, tmp_path)
        project.crawl(",".join(wiki.url(f"/wiki/{title}") for title in ("Amber", "Salt", "Tide")))
        sent = [x for x in wiki.exchanges if "Authorization" in x.headers]
        assert len(sent) == 1
    assert {skip["reason"] for skip in project.skipped()} == {"login"}
    assert len(project.skipped()) == 3
    assert "does not accept the access token: mwoauth-invalid-authorization" in project.log()
    assert project.files_with(TOKEN) == []  # the server's answer quotes it


def test_a_redirect_takes_no_token_along(tmp_path: Path, other: ScriptedServer) -> None:
    with TokenWiki(TOKEN, other.url("/")) as wiki:
        more = f'domains:\n  "{wiki.netloc}":\n    tiers: [http]\n'
        project = project_for(wiki, tmp_path, more)
        project.crawl(wiki.url("/wiki/Amber"), "-a", "scope=any")
        assert any("Authorization" in x.headers for x in wiki.exchanges)
    pages = [x for x in other.exchanges if x.path == "/"]
    assert pages
    assert all("Authorization" not in x.headers for x in other.exchanges)


class ParrotWiki(ScriptedServer):
    """A wiki that answers a log-in with the password, where a word of its API should be."""

    def reply_to(self, exchange: Exchange) -> Reply:
        if exchange.path == "/robots.txt":
            return Reply(404)
        if exchange.method == "POST":
            (password,) = parse_qs(exchange.body.decode())["lgpassword"]
            if "code" in self._scripts:
                return _json({"error": {"code": password, "info": password}})
            return _json({"login": {"result": password, "reason": password}})
        if "meta=tokens" in exchange.path:
            return _json({"query": {"tokens": {"logintoken": "t"}}})
        return _json({"error": {"code": "assertuserfailed", "info": "?"}})


@pytest.mark.parametrize("place", ["code", "result"])
def test_a_wiki_that_repeats_the_password_does_not_get_it_logged(
    tmp_path: Path, place: str
) -> None:
    password = "correct-horse-battery-staple"  # noqa: S105
    with ParrotWiki() as wiki:
        wiki.on(place)
        project = Project(tmp_path, {VARIABLE: password})
        login = f"{{user: R@bot, password: {{env: {VARIABLE}}}}}"
        entry = wiki_entry(wiki.netloc, wiki.url("/api.php"), login)
        project.configure(f"mediawiki_sites:\n{entry}")
        project.crawl(wiki.url("/wiki/Amber"))
        assert len([x for x in wiki.exchanges if x.method == "POST"]) == 1
    (skip,) = project.skipped()
    assert "***" in skip["detail"]
    assert project.files_with(password) == []


def test_with_another_download_handler_no_password_is_asked_for(tmp_path: Path) -> None:
    handler = "scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler"
    with ParrotWiki() as wiki:
        project = Project(tmp_path, {VARIABLE: "correct-horse-battery-staple"})
        login = f"{{user: R@bot, password: {{env: {VARIABLE}}}}}"
        entry = wiki_entry(wiki.netloc, wiki.url("/api.php"), login)
        project.configure(f"mediawiki_sites:\n{entry}")
        settings: dict[str, object] = {"DOWNLOAD_HANDLERS": json.dumps({"http": handler})}
        project.crawl(wiki.url("/wiki/Amber"), settings=settings)
        assert all(x.method == "GET" for x in wiki.exchanges)
    (skip,) = project.skipped()
    assert skip["reason"] == "login"
    assert "DOWNLOAD_HANDLERS" in skip["detail"]
