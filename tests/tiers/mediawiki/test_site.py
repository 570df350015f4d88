"""A wiki's siteinfo."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.errors import Reason
from wikicrawler.pages import Action, Failure
from wikicrawler.tiers.mediawiki.site import WikiSite, read_siteinfo, siteinfo_url

DATA = Path(__file__).parent / "data"
API = "https://wiki.example/api.php"


def recorded(version: int = 2, **general: object) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads((DATA / f"siteinfo_v{version}.json").read_text())
    answer["query"]["general"] |= general
    return answer


def site_of(answer: object, api: str = API, article_path: str | None = None) -> WikiSite:
    site = read_siteinfo(json.dumps(answer).encode(), {}, 200, api, article_path=article_path)
    assert isinstance(site, WikiSite)
    return site


# siteinfo


def test_siteinfo_url() -> None:
    query = parse_qs(urlsplit(siteinfo_url("https://wiki.example/w/api.php")).query)
    assert query["meta"] == ["siteinfo"]
    assert query["siprop"] == ["general|namespaces|namespacealiases|rightsinfo|statistics"]
    assert (query["format"], query["formatversion"]) == (["json"], ["2"])


@pytest.mark.parametrize("version", [1, 2])
def test_siteinfo_as_recorded(version: int) -> None:
    site = site_of(recorded(version))
    assert site.server == "https://wiki.example"
    assert site.article_url == "https://wiki.example/wiki/$1"
    assert (site.script_path, site.main_page, site.lang) == ("", "Main Page", "en")
    assert site.generator == "MediaWiki 1.39.17"
    assert site.case == "first-letter"
    assert site.content_namespaces == {0}
    assert site.case_sensitive == {2300, 2301, 2302, 2303}
    assert site.names[4] == "Test Wiki"
    assert site.names[3000] == "Translation"
    assert not site.main_page_at_root


def test_both_format_versions_say_the_same() -> None:
    assert site_of(recorded(1)) == site_of(recorded(2))


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Orc", (0, "Orc")),
        ("Category:Orcs", (14, "Orcs")),
        ("category_talk : orcs of_x", (15, "orcs of_x")),
        ("Project:About", (4, "About")),
        ("TEST WIKI:About", (4, "About")),
        ("Image:X.png", (6, "X.png")),
        (":Category:Orcs", (14, "Orcs")),
        ("Colon:Not a namespace", (0, "Colon:Not a namespace")),
        (":Orc", (0, "Orc")),
        ("Category:File:X", (14, "File:X")),
        ("", (0, "")),
    ],
)
def test_namespace_of_a_title(title: str, expected: tuple[int, str]) -> None:
    assert site_of(recorded()).namespace_of(title) == expected


@pytest.mark.parametrize(
    ("name", "number"),
    [("Category", 14), ("image_talk", 7), ("test wiki", 4), ("main", 0), ("", 0), ("Orcs", None)],
)
def test_number_of_a_namespace(name: str, number: int | None) -> None:
    assert site_of(recorded()).namespace_number(name) == number


def test_a_canonical_namespace_name_takes_precedence_over_a_local_one() -> None:
    answer = recorded()
    answer["query"]["namespaces"]["3000"]["name"] = "Category"
    assert site_of(answer).namespace_of("Category:X")[0] == 14


def test_content_namespaces_and_license() -> None:
    answer = recorded()
    answer["query"]["namespaces"]["12"]["content"] = True
    answer["query"]["rightsinfo"] = {"url": "/wiki/License", "text": "CC BY-SA 4.0"}
    site = site_of(answer)
    assert site.content_namespaces == {0, 12}
    assert site.license_url == "https://wiki.example/wiki/License"
    assert site.license_text == "CC BY-SA 4.0"


@pytest.mark.parametrize(
    ("api", "server", "expected"),
    [
        # protocol-relative, as Wikimedia states it
        ("https://en.wikipedia.org/w/api.php", "//en.wikipedia.org", "https://en.wikipedia.org"),
        # behind a proxy: the scheme of the API's URL is used
        ("https://wiki.example/api.php", "http://wiki.example", "https://wiki.example"),
        ("http://127.0.0.1:9000/api.php", "http://127.0.0.1:8080", "http://127.0.0.1:9000"),
        # the API on a host of its own
        ("https://api.foo.org/api.php", "https://www.foo.org", "https://www.foo.org"),
        # another site
        ("https://wiki.example/api.php", "https://victim.test", "https://wiki.example"),
        ("https://wiki.example/api.php", "http://127.0.0.1", "https://wiki.example"),
        ("https://wiki.example/api.php", "http://[", "https://wiki.example"),
        ("https://wiki.example/api.php", "", "https://wiki.example"),
    ],
)
def test_server_of_the_pages(api: str, server: str, expected: str) -> None:
    assert site_of(recorded(server=server), api).server == expected


@pytest.mark.parametrize(
    ("stated", "url"),
    [
        ("/wiki/$1", "https://wiki.example/wiki/$1"),
        ("/index.php?title=$1", "https://wiki.example/index.php?title=$1"),
        ("https://wiki.example/x/$1", "https://wiki.example/x/$1"),
        ("https://victim.test/$1", "https://wiki.example/wiki/$1"),
        ("/wiki/", "https://wiki.example/wiki/$1"),
    ],
)
def test_article_path(stated: str, url: str) -> None:
    assert site_of(recorded(articlepath=stated)).article_url == url


def test_the_configured_article_path_takes_precedence() -> None:
    site = site_of(recorded(), article_path="/pages/$1")
    assert site.article_url == "https://wiki.example/pages/$1"


def test_defaults_without_siteinfo() -> None:
    site = WikiSite.default("https://wiki.example/w/api.php")
    assert site.article_url == "https://wiki.example/wiki/$1"
    assert (site.script_path, site.main_page) == ("/w", None)
    assert site.namespace_of("Image:X.png") == (6, "X.png")
    own = WikiSite.default("https://wiki.example/api.php", "/$1")
    assert (own.article_url, own.script_path) == ("https://wiki.example/$1", "")


def test_siteinfo_can_be_pickled() -> None:
    site = site_of(recorded())
    _ = site.article_url
    assert pickle.loads(pickle.dumps(site)) == site  # noqa: S301 - our own bytes


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (b"<!DOCTYPE html><html><body>Welcome</body></html>", 200, Reason.API_OFF),
        (b"", 200, Reason.API_OFF),
        (b"Not here", 404, Reason.API_OFF),
        (b"<html>Forbidden</html>", 403, Reason.BLOCKED),
        (b"{", 200, Reason.API_ERROR),
        (b"[]", 200, Reason.API_ERROR),
        (b"{}", 200, Reason.API_ERROR),
        (b'{"query": []}', 200, Reason.API_ERROR),
        (b'{"query": {"general": {"articlepath": 5}}}', 200, Reason.API_ERROR),
        (b'{"error": {"code": "readapidenied", "info": "x"}}', 200, Reason.LOGIN),
        (b'{"error": {"code": "maxlag", "info": "x"}}', 200, Reason.BUSY),
    ],
)
def test_a_response_without_siteinfo(body: bytes, status: int, reason: Reason) -> None:
    found = read_siteinfo(body, {}, status, API)
    assert isinstance(found, Failure)
    assert found.reason is reason
    assert found.action is (Action.WAIT if b"maxlag" in body else Action.NEXT)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
GENERAL = ("articlepath", "server", "scriptpath", "mainpage", "lang", "case", "generator")


@given(
    st.fixed_dictionaries(
        {
            "general": JSON
            | st.fixed_dictionaries({}, optional=dict.fromkeys(GENERAL, JSON)).map(
                lambda general: {"articlepath": "/wiki/$1"} | general
            ),
            "namespaces": JSON
            | st.dictionaries(
                st.text(max_size=3),
                JSON | st.fixed_dictionaries({"id": JSON, "name": JSON, "canonical": JSON}),
                max_size=3,
            ),
            "namespacealiases": JSON
            | st.lists(JSON | st.fixed_dictionaries({"id": JSON, "alias": JSON}), max_size=3),
            "rightsinfo": JSON | st.fixed_dictionaries({"url": JSON, "text": JSON}),
        }
    )
)
def test_wrong_types_never_raise(query: object) -> None:
    found = read_siteinfo(json.dumps({"query": query}).encode(), {}, 200, API)
    if isinstance(found, WikiSite):
        assert found.namespace_of("Category:X") == (14, "X")
        assert "$1" in found.article_url
        assert "" not in found.namespaces


# the way to the API


@pytest.mark.parametrize(
    ("stated", "articles"), [(1200, 1200), (0, None), ("1200", None), (True, None), (1 << 80, None)]
)
def test_the_number_of_articles_is_read_if_it_is_one(stated: object, articles: int | None) -> None:
    query = {"general": {"articlepath": "/wiki/$1"}, "statistics": {"articles": stated}}
    body = json.dumps({"query": query}).encode()
    site = read_siteinfo(body, {"content-type": "application/json"}, 200, "https://a.org/api.php")
    assert isinstance(site, WikiSite)
    assert site.articles == articles
