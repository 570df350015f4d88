"""A wiki's siteinfo, and the discovery of its API."""

from __future__ import annotations

import json
import pickle
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.content import convert
from wikicrawler.content.edit_uri import read_edit_uri
from wikicrawler.errors import Reason
from wikicrawler.pages import Action, Failure
from wikicrawler.tiers.mediawiki.site import (
    WikiSite,
    read_rsd,
    read_siteinfo,
    rsd_address,
    siteinfo_url,
)

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
    assert query["siprop"] == ["general|namespaces|namespacealiases|rightsinfo"]
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
        (b'{"error": {"code": "readapidenied", "info": "x"}}', 200, Reason.API_ERROR),
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

PAGE = "https://en.wiki.example.org/wiki/Orc"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (
            '<link rel="EditURI" type="application/rsd+xml" '
            'href="https://en.wiki.example.org/api.php?action=rsd"/>',
            "https://en.wiki.example.org/api.php?action=rsd",
        ),
        ("<link href='/w/api.php?action=rsd' rel='EditURI'>", "/w/api.php?action=rsd"),
        ("<LINK HREF=/api.php?action=rsd REL=edituri>", "/api.php?action=rsd"),
        ('<link rel="alternate edituri" href="/a?b=1&amp;action=rsd">', "/a?b=1&action=rsd"),
        (
            '<link\n rel = "EditURI"\n href = "//api.example.org/a.php?action=rsd#x"\n>',
            "https://api.example.org/a.php?action=rsd",
        ),
        (
            '<link rel="stylesheet" href="/x"><link rel="EditURI" href="/a.php?action=rsd">',
            "/a.php?action=rsd",
        ),
        (
            '<link rel="EditURI" href="https://me:pw@en.wiki.example.org/?action=rsd">',
            "/?action=rsd",
        ),
        # none, or none to follow
        ('<link rel="EditURI" href="/xmlrpc.php?rsd" title="RSD">', None),  # a blog's
        ('<link rel="stylesheet" href="/api.php?action=rsd">', None),
        ('<link rel="EditURI">', None),
        ('<link rel="EditURI" href="">', None),
        ('<link rel="EditURI" href="https://victim.test/api.php?action=rsd">', None),
        ('<link rel="EditURI" href="http://127.0.0.1/api.php?action=rsd">', None),
        ('<link rel="EditURI" href="https://en.wiki.example.org@victim.test/">', None),
        ('<link rel="EditURI" href="javascript:alert(1)">', None),
        ('<link rel="EditURI" href="https://[">', None),
        ('<link rel="EditURI" href="https://en.wiki.example.org:99999/">', None),
        ("<p>no link</p>", None),
        ("", None),
    ],
)
def test_edit_uri_of_a_page(head: str, expected: str | None) -> None:
    page = f"<!DOCTYPE html><html><head>{head}</head><body><p>An orc.</p>".encode()
    if expected and expected.startswith("/"):
        expected = "https://en.wiki.example.org" + expected
    named = read_edit_uri(page, PAGE)
    assert rsd_address(named, PAGE) == expected
    assert convert(page, PAGE).metadata.get("edit_uri", "") == named
    assert convert(page, PAGE, wiki=True).metadata.get("edit_uri", "") == named


def test_edit_uri_is_resolved_by_the_base() -> None:
    head = '<base href="/w/"><link rel="EditURI" href="api.php?action=rsd">'
    assert read_edit_uri(head.encode(), PAGE) == "https://en.wiki.example.org/w/api.php?action=rsd"


def test_edit_uri_is_not_read_from_text() -> None:
    link = '<link rel="EditURI" href="/api.php?action=rsd">'
    for page in (f"<!-- {link} -->", f"<script>'{link}'</script>", f"<p title='{link}'>"):
        assert read_edit_uri(f"{page}<p>An orc.</p>".encode(), PAGE) == ""


def test_edit_uri_of_a_page_that_is_not_converted_is_searched_in_the_head_only() -> None:
    link = b'<link rel="EditURI" href="/api.php?action=rsd">'
    assert read_edit_uri(b" " * 1000 + link, PAGE) != ""
    assert read_edit_uri(b" " * 64 * 1024 + link, PAGE) == ""


@pytest.mark.parametrize(
    "hostile",
    [
        b"<link rel=edituri " + b"a" * 60_000 + b">",
        b"<link rel=edituri " + b"a " * 30_000 + b">",
        b"<link rel=edituri " + b" ".join(b"%x" % n for n in range(12_000)) + b">",
        b"<link rel=edituri" * 4_000,
        b"<link rel='edituri" + b"-=" * 30_000,
        b"edituri" + b"<b>" * 20_000,
    ],
    ids=range(6),
)
def test_a_hostile_head_is_searched_quickly(hostile: bytes) -> None:
    begun = time.thread_time()
    assert read_edit_uri(hostile, PAGE) == ""
    assert time.thread_time() - begun < 0.5  # CPU seconds; a few ms, 0.2 s at worst


RSD = """<?xml version="1.0"?><rsd version="1.0" xmlns="http://archipelago.phrasewise.com/rsd">
<service><apis><api name="{name}" preferred="true" apiLink="{link}" blogID=""><settings>
<setting name="OAuth" xml:space="preserve">false</setting></settings></api></apis>
<engineName xml:space="preserve">MediaWiki</engineName></service></rsd>"""


def rsd(link: str, name: str = "MediaWiki") -> bytes:
    return RSD.format(name=name, link=link).encode()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (rsd("https://en.wiki.example.org/api.php"), "https://en.wiki.example.org/api.php"),
        (rsd("//api.example.org/w/api.php"), "https://api.example.org/w/api.php"),
        (rsd("/w/api.php"), "https://en.wiki.example.org/w/api.php"),
        (b"\n" + rsd("/w/api.php?x=1#y"), "https://en.wiki.example.org/w/api.php"),
        # a blog's, of another site, no address, no RSD
        (rsd("/xmlrpc.php", "WordPress"), None),
        (rsd("https://victim.test/api.php"), None),
        (rsd("http://169.254.169.254/api.php"), None),
        (rsd("file:///etc/passwd"), None),
        (rsd(""), None),
        (b"", None),
        (b"<html><body>Not found</body></html>", None),
        (b"<rsd><api name='MediaWiki'/></rsd>", None),
        (b"{}", None),
        (b"\x00\xff", None),
        (rsd("/w/api.php")[:-20], None),
        (rsd("/w/api.php") + b"<!-- " + b"x" * 64 * 1024 + b" -->", None),
    ],
)
def test_api_in_an_rsd_document(body: bytes, expected: str | None) -> None:
    assert read_rsd(body, PAGE) == expected


def test_rsd_document_reads_no_file(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("/w/api.php")
    declared = f'<!DOCTYPE rsd [<!ENTITY x SYSTEM "{file.as_uri()}">]>'
    body = rsd("&x;").replace(b'<?xml version="1.0"?>', declared.encode())
    assert read_rsd(body, PAGE) is None


@pytest.mark.parametrize("place", [b"/w/api.php", b">false<"])
def test_an_rsd_document_with_entity_expansion_is_refused(place: bytes) -> None:
    entities = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(12))
    declared = f'<!DOCTYPE rsd [<!ENTITY a0 "ha">{entities}]>'
    body = rsd("/w/api.php").replace(b'<?xml version="1.0"?>', declared.encode())
    assert read_rsd(body.replace(place, place[:1] + b"&a12;" + place[-1:]), PAGE) is None
