"""Pages of a real MediaWiki: the API's parse response and the skin's page give the same record."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from tests.content.rendering import render
from wikicrawler.content import convert
from wikicrawler.errors import ContentError

if TYPE_CHECKING:
    from tests.servers.mediawiki import RealMediaWiki


def get(url: str) -> bytes:
    with urlopen(url) as answer:  # noqa: S310 - the wiki's own
        return answer.read()


def query_api(wiki: RealMediaWiki, **query: object) -> dict:
    return json.loads(
        get(f"{wiki.api}?{urlencode({**query, 'format': 'json', 'formatversion': 2})}")
    )


def convert_both(wiki: RealMediaWiki, title: str):
    """Return the results for the API's response and for the skin's page."""
    off = dict.fromkeys(("disableeditsection", "disabletoc", "disablelimitreport"), 1)
    parse = query_api(wiki, action="parse", page=title, prop="text", **off)["parse"]
    api = (
        f'<!DOCTYPE html><html lang="en"><head><title>{escape(parse["title"])}</title></head>'
        f"<body>{parse['text']}</body></html>"
    )
    url = wiki.article_url(title)
    return result(api, url), result(get(f"{url}?redirect=no"), url)


def result(html: bytes | str, url: str):
    """Return Markdown, links and infoboxes, without titles: only the skin has the display title."""
    try:
        content = convert(html, url)
    except ContentError as error:
        return error.reason
    return content.markdown, content.links, content.metadata.get("infobox")


@pytest.mark.parametrize("namespace", [0, 12, 14])
def test_api_and_skin_give_the_same_content(mediawiki, namespace):
    listed = query_api(
        mediawiki, action="query", list="allpages", apnamespace=namespace, aplimit=500
    )
    titles = [entry["title"] for entry in listed["query"]["allpages"]]
    assert titles
    for title in titles:
        api, skin = convert_both(mediawiki, title)
        assert api == skin, title
        if isinstance(api, tuple):
            assert not render(api[0]).xpath(".//img|.//script|.//style")
