"""The demonstration wiki's api.php, as MediaWiki 1.39 answers.

It knows ``action=parse`` (by ``page`` or ``pageid``, with ``redirects``), ``action=query`` with
``meta=siteinfo`` and ``list=allpages``, and both format versions. Every other parameter is accepted
and ignored; ``prop`` too, so that an answer to ``parse`` always has all of its parts.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

from wikicrawler.demo.titles import TitleError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikicrawler.demo.content import Content, WikiPage

# the member that formatversion 1 calls "*"
_STARRED = {
    "links": "title",
    "templates": "title",
    "categories": "category",
    "langlinks": "title",
    "iwlinks": "title",
}


_ENTITY = re.compile(r"&(?:#\d+|#x[0-9A-Fa-f]+|\w+);")  # understood here, though not in URLs


class ApiError(Exception):
    """The API's own error: a code and a sentence."""

    def __init__(self, code: str, info: str) -> None:
        super().__init__(info)
        self.code = code
        self.info = info


class Api:
    """Answers questions about *content*."""

    def __init__(self, content: Content) -> None:
        self._content = content

    def answer(self, question: Mapping[str, str]) -> dict[str, Any]:
        """The JSON answer to a query string's parameters.

        :raises ApiError: MediaWiki answers with an error of its own.
        """
        version = 2 if question.get("formatversion") in {"2", "latest"} else 1
        match question.get("action"):
            case "parse":
                return {"parse": self._parse(question, version)}
            case "query":
                return self._query(question, version)
            case other:
                raise _bad_value("action", other or "")

    def error(self, error: ApiError, question: Mapping[str, str]) -> dict[str, Any]:
        """The JSON answer that says *error*."""
        more = "docref" if question.get("formatversion") in {"2", "latest"} else "*"
        help_text = f"See {self._content.server}/api.php for API usage."
        return {"error": {"code": error.code, "info": error.info, more: help_text}}

    def _parse(self, question: Mapping[str, str], version: int) -> dict[str, Any]:
        page = self._page_asked_for(question)
        parse = page.parse
        if "redirects" in question:
            parse = {}
            for key, value in self._content.follow(page).parse.items():
                parse[key] = value
                if key == "revid":  # the order of MediaWiki's own answer
                    parse["redirects"] = page.redirects
            if "pageid" in question:  # MediaWiki repeats the redirect's own
                parse["pageid"] = page.parse["pageid"]
        return parse if version == 2 else formatversion1(parse)

    def _page_asked_for(self, question: Mapping[str, str]) -> WikiPage:
        content = self._content
        if "page" in question and "pageid" in question:
            text = 'The parameters "page" and "pageid" can not be used together.'
            raise ApiError("invalidparammix", text)
        if "pageid" in question:
            number = _integer(question, "pageid", 0)
            if number not in content.by_id:
                raise ApiError("nosuchpageid", f"There is no page with ID {number}.")
            return content.by_id[number]
        if "page" not in question:
            raise ApiError("missingparam", 'The "page" parameter must be set.')
        try:
            title = content.titles.normalise(_ENTITY.sub(_character, question["page"]))
        except TitleError:
            raise ApiError("invalidtitle", f'Bad title "{question["page"]}".') from None
        if not title.can_exist:
            raise ApiError("pagecannotexist", "Namespace doesn't allow actual pages.")
        if title.text not in content.pages:
            raise ApiError("missingtitle", "The page you specified doesn't exist.")
        return content.pages[title.text]

    def _query(self, question: Mapping[str, str], version: int) -> dict[str, Any]:
        answer: dict[str, Any] = {"batchcomplete": True if version == 2 else ""}
        result: dict[str, Any] = {}
        if "siteinfo" in question.get("meta", "").split("|"):
            known = self._content.siteinfo[version]
            wanted = question.get("siprop", "general").split("|")
            result |= {name: known[name] for name in wanted if name in known}
        if "allpages" in question.get("list", "").split("|"):
            result["allpages"], following = self._all_pages(question)
            if following:
                answer["continue"] = {"apcontinue": following, "continue": "-||"}
        return {**answer, "query": result} if result else answer

    def _all_pages(self, question: Mapping[str, str]) -> tuple[list[dict[str, Any]], str | None]:
        """The pages of one answer, and the key of the page at which the next one begins."""
        namespace = _integer(question, "apnamespace", 0)
        if namespace < 0 or namespace not in self._content.titles.numbers:
            raise _bad_value("apnamespace", question["apnamespace"])
        limit = 500 if question.get("aplimit") == "max" else _integer(question, "aplimit", 10)
        start = question.get("apcontinue") or question.get("apfrom", "")
        start = (start[:1].upper() + start[1:]).replace(" ", "_")
        only = question.get("apfilterredir", "all")
        if only not in {"all", "redirects", "nonredirects"}:
            raise _bad_value("apfilterredir", only)

        rows = []
        for page in self._content.pages.values():
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
        following = rows[limit][0] if len(rows) > limit else None
        return [row for _, row in rows[:limit]], following


def formatversion1(parse: dict[str, Any]) -> dict[str, Any]:
    """*parse* as ``formatversion=1`` has it.

    There true is an empty string and false is left out, the main member of an object is called
    ``*``, and an object of properties is a list.
    """
    old: dict[str, Any] = {}
    for key, value in parse.items():
        if key == "text":
            old[key] = {"*": value}
        elif key == "properties":
            old[key] = [{"name": name, "*": text} for name, text in value.items()]
        elif key in _STARRED:
            old[key] = [_starred(item, _STARRED[key]) for item in value]
        elif value is True:
            old[key] = ""
        elif value is not False:
            old[key] = value
    return old


def _starred(item: dict[str, Any], main: str) -> dict[str, Any]:
    old = {k: "" if v is True else v for k, v in item.items() if k != main and v is not False}
    return {**old, "*": item[main]}


def _character(entity: re.Match[str]) -> str:
    return html.unescape(entity[0])


def _integer(question: Mapping[str, str], name: str, default: int) -> int:
    text = question.get(name, str(default))
    try:
        return int(text)
    except ValueError:
        info = f'Invalid value "{text}" for integer parameter "{name}".'
        raise ApiError("badinteger", info) from None


def _bad_value(name: str, value: str) -> ApiError:
    return ApiError("badvalue", f'Unrecognized value for parameter "{name}": {value}.')
