"""Routing of the demonstration server's requests."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize
from urllib.parse import parse_qsl, unquote

from wikicrawler.demo.api import ApiError, DemoApi
from wikicrawler.demo.titles import TitleError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikicrawler.demo.recording import RecordedWiki

ROBOTS = "User-agent: *\nDisallow:\n"


class DemoResponse(NamedTuple):
    """An HTTP response, without the headers that every response has."""

    body: str
    status: int = 200
    content_type: str = "text/html; charset=UTF-8"
    headers: tuple[tuple[str, str], ...] = ()


class DemoSite:
    """Routes request targets to the wiki, its API and the articles next to it."""

    def __init__(self, recording: RecordedWiki) -> None:
        self._recording = recording
        self._api = DemoApi(recording)

    def answer(self, target: str) -> DemoResponse:  # noqa: PLR0911 - one line a route
        """Return the response to ``GET target``."""
        path, _, query_string = target.partition("?")
        # Bytes that are not UTF-8 become U+FFFD, which is invalid in titles.
        path = normalize("NFC", unquote(path, errors="replace"))
        pairs = parse_qsl(query_string, keep_blank_values=True, errors="replace")
        query = {name: normalize("NFC", value) for name, value in pairs}
        if path == "/api.php":
            return self._api_response(query)
        if path == "/index.php" or (path == "/" and query):
            return self._page(query.pop("title", None), query)
        if path.startswith("/wiki/"):
            return self._page(path.removeprefix("/wiki/"), query)
        if path == "/":
            return self._redirect("/wiki/Main_Page", 302)
        if path == "/robots.txt":
            return DemoResponse(ROBOTS, content_type="text/plain; charset=UTF-8")
        if path.startswith("/articles/"):
            article = self._recording.articles.get(path.removeprefix("/articles/") or "index")
            if article is not None:
                return DemoResponse(article)
        return _plain_page("404 Not Found", 404)

    def _page(self, requested: str | None, query: Mapping[str, str]) -> DemoResponse:
        """Return the page titled *requested*, else that of ``curid``, else the main page."""
        recording = self._recording
        if query.get("action", "view") != "view":
            return _plain_page("This wiki is for reading only.", 403)
        if requested is None and "curid" in query:
            page = recording.by_id.get(int(query["curid"]) if query["curid"].isdecimal() else 0)
            return (
                DemoResponse(recording.html(page))
                if page
                else DemoResponse(recording.bad_title(""), 404)
            )
        try:
            title = recording.titles.normalise(requested or "Main Page")
        except TitleError:
            title = None
        if title is None or not title.text:
            return DemoResponse(recording.bad_title(requested or ""), 404)
        # MediaWiki redirects to the canonical title, unless there are other parameters.
        if requested != title.key and not query.keys() - {"action"}:
            return self._redirect(f"/wiki/{title.url}", 301)
        if title.text in recording.pages:
            return DemoResponse(recording.html(recording.pages[title.text]))
        return DemoResponse(recording.missing(title), 404)

    def _api_response(self, query: Mapping[str, str]) -> DemoResponse:
        if query.get("action") == "rsd":
            return DemoResponse(
                self._recording.rsd, content_type="application/rsd+xml; charset=utf-8"
            )
        headers: tuple[tuple[str, str], ...] = ()
        try:
            answer = self._api.answer(query)
        except ApiError as error:
            answer = self._api.error(error, query)
            headers = (("MediaWiki-API-Error", error.code),)
        old = "error" not in answer and query.get("formatversion") not in {"2", "latest"}
        text = json.dumps(answer, ensure_ascii=old, separators=(",", ":"))
        if query.get("format") != "json":  # MediaWiki's default format is an HTML page
            return DemoResponse(
                f"<!DOCTYPE html>\n<title>API result</title>\n<pre>{escape(text)}</pre>\n"
            )
        return DemoResponse(text, 200, "application/json; charset=utf-8", headers)

    def _redirect(self, path: str, status: int) -> DemoResponse:
        return DemoResponse("", status, headers=(("Location", self._recording.server + path),))


def _plain_page(sentence: str, status: int) -> DemoResponse:
    return DemoResponse(
        f"<!DOCTYPE html>\n<title>{sentence}</title>\n<h1>{sentence}</h1>\n", status
    )
