"""Fidelity of every page of a real MediaWiki, from its API and from its skin."""

from __future__ import annotations

import json
import sys
from html import escape
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import urlopen

import pytest

from tests.content.fidelity import check, table
from tests.content.fidelity.score import total
from wikicrawler.content import convert
from wikicrawler.errors import ContentError, Reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.servers.mediawiki import RealMediaWiki

NAMESPACES = (0, 1, 4, 10, 12, 14)


def get(url: str) -> str:
    with urlopen(url) as answer:  # noqa: S310 - the wiki's own
        return answer.read().decode()


def query_api(wiki: RealMediaWiki, **query: object) -> dict:
    return json.loads(
        get(f"{wiki.api}?{urlencode({**query, 'format': 'json', 'formatversion': 2})}")
    )


def titles(wiki: RealMediaWiki) -> Iterator[str]:
    for namespace in NAMESPACES:
        listed = query_api(
            wiki, action="query", list="allpages", apnamespace=namespace, aplimit=500
        )
        yield from (entry["title"] for entry in listed["query"]["allpages"])


def skin(wiki: RealMediaWiki, title: str) -> str:
    return get(f"{wiki.article_url(title)}?redirect=no")


def api(wiki: RealMediaWiki, title: str) -> str:
    parse = query_api(wiki, action="parse", page=title, prop="text")["parse"]
    return (
        f'<!DOCTYPE html><html lang="en"><head><title>{escape(title)}</title></head>'
        f"<body>{parse['text']}</body></html>"
    )


def parsoid(wiki: RealMediaWiki, title: str) -> str:
    try:
        return get(f"{wiki.url}/rest.php/v1/page/{quote(title.replace(' ', '_'), safe='')}/html")
    except HTTPError as error:
        if error.code == 404:  # of the page "0"
            return "<html><body></body></html>"
        raise


def markdown_of(html: str, url: str) -> str:
    try:
        return convert(html, url).markdown
    except ContentError as error:
        if error.reason is Reason.EMPTY:
            return ""
        raise


@pytest.mark.parametrize("way", [skin, api, parsoid])
def test_every_page_keeps_its_content(mediawiki, way, capsys):
    reports = {}
    for title in titles(mediawiki):
        url, html = mediawiki.article_url(title), way(mediawiki, title)
        reports[title] = check(html, markdown_of(html, url), url)
    assert len(reports) > 100
    scores = total(report.scores for report in reports.values())
    with capsys.disabled():
        sys.stdout.write(f"\n{table({f'{way.__name__}, {len(reports)} pages': scores})}\n")
    for title, report in reports.items():  # pytest shows it if the test fails
        sys.stdout.write("" if report.perfect() else f"{title}\n{report.describe()}\n")
    assert scores["headings"].recall >= 0.999
    assert scores["headings"].precision >= 0.999
    for kind in ("cells", "links", "lists", "definitions", "code", "breaks", "words", "shingles"):
        assert scores[kind].recall >= 0.99, kind
    for kind in ("cells", "links", "lists", "code", "words"):
        assert scores[kind].precision >= 0.99, kind
    assert scores["chrome"].leaked <= 0.005
