"""The api.php of the demonstration wiki, modelled on MediaWiki 1.39.

It supports ``action=parse`` (by ``page`` or ``pageid``, with ``redirects``), ``action=query`` with
``meta=siteinfo``, ``list=allpages``, ``list=search`` and ``prop=info`` (in format version 2; of
``revids``, ``titles`` or ``generator=allpages``), and both format versions. All other parameters
are ignored, including the ``prop`` of ``parse``, so that a ``parse`` response always has all its
parts.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

from wikicrawler.demo.search import search
from wikicrawler.demo.titles import TitleError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikicrawler.demo.recording import RecordedWiki, WikiPage

# The member that formatversion 1 calls "*", by the name of its list.
_STAR_MEMBERS = {
    "links": "title",
    "templates": "title",
    "categories": "category",
    "langlinks": "title",
    "iwlinks": "title",
}


_ENTITY = re.compile(r"&(?:#\d+|#x[0-9A-Fa-f]+|\w+);")  # accepted in API titles, not in URLs


class ApiError(Exception):
    """An error response of the API, with MediaWiki's code and message."""

    def __init__(self, code: str, info: str) -> None:
        super().__init__(info)
        self.code = code
        self.info = info


class DemoApi:
    """Answers API requests from a *recording*."""

    def __init__(self, recording: RecordedWiki) -> None:
        self._recording = recording

    def answer(self, parameters: Mapping[str, str]) -> dict[str, Any]:
        """Return the JSON response for the *parameters* of a query string.

        :raises ApiError: MediaWiki would respond with an API error.
        """
        version = 2 if parameters.get("formatversion") in {"2", "latest"} else 1
        match parameters.get("action"):
            case "parse":
                return {"parse": self._parse(parameters, version)}
            case "query":
                return self._query(parameters, version)
            case other:
                raise _bad_value("action", other or "")

    def error(self, error: ApiError, parameters: Mapping[str, str]) -> dict[str, Any]:
        """Return the JSON response for *error*."""
        more = "docref" if parameters.get("formatversion") in {"2", "latest"} else "*"
        help_text = f"See {self._recording.server}/api.php for API usage."
        return {"error": {"code": error.code, "info": error.info, more: help_text}}

    def _parse(self, parameters: Mapping[str, str], version: int) -> dict[str, Any]:
        page = self._requested_page(parameters)
        parse = page.parse
        if "redirects" in parameters:
            parse = {}
            for key, value in self._recording.follow(page).parse.items():
                parse[key] = value
                if key == "revid":  # keep the order of MediaWiki's response
                    parse["redirects"] = page.redirects
            if "pageid" in parameters:  # MediaWiki returns the id of the redirect
                parse["pageid"] = page.parse["pageid"]
        return parse if version == 2 else formatversion1(parse)

    def _requested_page(self, parameters: Mapping[str, str]) -> WikiPage:
        recording = self._recording
        if "page" in parameters and "pageid" in parameters:
            text = 'The parameters "page" and "pageid" can not be used together.'
            raise ApiError("invalidparammix", text)
        if "pageid" in parameters:
            number = _integer_parameter(parameters, "pageid", 0)
            if number not in recording.by_id:
                raise ApiError("nosuchpageid", f"There is no page with ID {number}.")
            return recording.by_id[number]
        if "page" not in parameters:
            raise ApiError("missingparam", 'The "page" parameter must be set.')
        try:
            title = recording.titles.normalise(_ENTITY.sub(_character, parameters["page"]))
        except TitleError:
            raise ApiError("invalidtitle", f'Bad title "{parameters["page"]}".') from None
        if not title.can_exist:
            raise ApiError("pagecannotexist", "Namespace doesn't allow actual pages.")
        if title.text not in recording.pages:
            raise ApiError("missingtitle", "The page you specified doesn't exist.")
        return recording.pages[title.text]

    def _query(self, parameters: Mapping[str, str], version: int) -> dict[str, Any]:
        answer: dict[str, Any] = {"batchcomplete": True if version == 2 else ""}
        result: dict[str, Any] = {}
        if "siteinfo" in parameters.get("meta", "").split("|"):
            known = self._recording.siteinfo[version]
            wanted = parameters.get("siprop", "general").split("|")
            result |= {name: known[name] for name in wanted if name in known}
        if "allpages" in parameters.get("list", "").split("|"):
            result["allpages"], next_key = self._all_pages(parameters)
            if next_key:
                answer["continue"] = {"apcontinue": next_key, "continue": "-||"}
        if "search" in parameters.get("list", "").split("|"):
            if not (words := parameters.get("srsearch", "").strip()):
                raise ApiError("missingparam", 'The "srsearch" parameter must be set.')
            limit = min(max(_integer_parameter(parameters, "srlimit", 10), 1), 500)
            result |= search(self._recording, words, limit)
        if "info" in parameters.get("prop", "").split("|"):
            if parameters.get("generator") == "allpages":
                own = {key.removeprefix("g"): value for key, value in parameters.items()}
                rows, next_key = self._all_pages(own)
                result["pages"] = [self._info(row["title"]) for row in rows]
                if next_key:
                    answer["continue"] = {"gapcontinue": next_key, "continue": "gapcontinue||"}
            else:
                result |= self._infos(parameters)
        return {**answer, "query": result} if result else answer

    def _infos(self, parameters: Mapping[str, str]) -> dict[str, Any]:
        """Return the pages that ``revids`` or ``titles`` name."""
        pages = self._recording.pages
        revids = set(parameters.get("revids", "").split("|"))
        found = [
            {**self._info(title), "revisions": [{"revid": page.parse["revid"], "parentid": 0}]}
            for title, page in pages.items()
            if str(page.parse["revid"]) in revids
        ]
        redirects = []
        for title in filter(None, parameters.get("titles", "").split("|")):
            if title not in pages:
                found.append({"title": title, "missing": True})
                continue
            page = pages[title]
            if "redirects" in parameters:
                redirects += page.redirects
                page = self._recording.follow(page)
            found.append(self._info(page.title.text))
        return {"redirects": redirects, "pages": found} if redirects else {"pages": found}

    def _info(self, title: str) -> dict[str, Any]:
        """Return what ``prop=info`` says of a page: nothing has touched it since 2024."""
        page = self._recording.pages[title]
        info = {
            "pageid": page.parse["pageid"],
            "ns": page.title.namespace,
            "title": title,
            "touched": "2024-01-01T00:00:00Z",
            "lastrevid": page.parse["revid"],
        }
        return info | ({"redirect": True} if page.redirects else {})

    def _all_pages(self, parameters: Mapping[str, str]) -> tuple[list[dict[str, Any]], str | None]:
        """Return the pages of one response, and the key of the first page of the next response."""
        namespace = _integer_parameter(parameters, "apnamespace", 0)
        if namespace < 0 or namespace not in self._recording.titles.numbers:
            raise _bad_value("apnamespace", parameters["apnamespace"])
        limit = (
            500
            if parameters.get("aplimit") == "max"
            else _integer_parameter(parameters, "aplimit", 10)
        )
        start = parameters.get("apcontinue") or parameters.get("apfrom", "")
        start = (start[:1].upper() + start[1:]).replace(" ", "_")
        only = parameters.get("apfilterredir", "all")
        if only not in {"all", "redirects", "nonredirects"}:
            raise _bad_value("apfilterredir", only)

        rows = []
        for page in self._recording.pages.values():
            key = page.title.key.partition(":")[2] if namespace else page.title.key
            if (
                page.title.namespace == namespace
                and key.encode() >= start.encode("utf-8", "replace")
                and only in {"all", "redirects" if page.redirects else "nonredirects"}
            ):
                row = {"pageid": page.parse["pageid"], "ns": namespace, "title": page.title.text}
                rows.append((key, row))
        rows.sort(key=lambda row: row[0].encode())
        limit = min(max(limit, 1), 500)
        next_key = rows[limit][0] if len(rows) > limit else None
        return [row for _, row in rows[:limit]], next_key


def formatversion1(parse: dict[str, Any]) -> dict[str, Any]:
    """Return *parse* in the form of ``formatversion=1``.

    In that form true is an empty string, false is omitted, the main member of an object is named
    ``*``, and the properties are a list.
    """
    old: dict[str, Any] = {}
    for key, value in parse.items():
        if key == "text":
            old[key] = {"*": value}
        elif key == "properties":
            old[key] = [{"name": name, "*": text} for name, text in value.items()]
        elif key in _STAR_MEMBERS:
            old[key] = [_to_formatversion1(item, _STAR_MEMBERS[key]) for item in value]
        elif value is True:
            old[key] = ""
        elif value is not False:
            old[key] = value
    return old


def _to_formatversion1(item: dict[str, Any], main: str) -> dict[str, Any]:
    old = {k: "" if v is True else v for k, v in item.items() if k != main and v is not False}
    return {**old, "*": item[main]}


def _character(entity: re.Match[str]) -> str:
    return html.unescape(entity[0])


def _integer_parameter(parameters: Mapping[str, str], name: str, default: int) -> int:
    text = parameters.get(name, str(default))
    try:
        return int(text)
    except ValueError:
        info = f'Invalid value "{text}" for integer parameter "{name}".'
        raise ApiError("badinteger", info) from None


def _bad_value(name: str, value: str) -> ApiError:
    return ApiError("badvalue", f'Unrecognized value for parameter "{name}": {value}.')
