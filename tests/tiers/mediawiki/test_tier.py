"""Conversion of API responses to pages and failures."""

from __future__ import annotations

import json
from pathlib import Path
from time import thread_time
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html
from scrapy.http import Request, TextResponse

from wikicrawler.errors import Reason
from wikicrawler.pages import Action, Failure, Link, Page
from wikicrawler.tiers.mediawiki.api import MAX_BYTES
from wikicrawler.tiers.mediawiki.known_wiki import KnownWiki
from wikicrawler.tiers.mediawiki.site import WikiSite, read_siteinfo
from wikicrawler.tiers.mediawiki.tier import MediaWikiTier, read, request_url
from wikicrawler.tiers.mediawiki.titles import PageRef

DATA = Path(__file__).parent / "data"
HOST = "https://wiki.example"
API = HOST + "/api.php"
ASKED = HOST + "/wiki/Asked"


def recorded(name: str) -> bytes:
    return (DATA / f"{name}.json").read_bytes()


def wiki() -> WikiSite:
    site = read_siteinfo(recorded("siteinfo_v2"), {}, 200, API)
    assert isinstance(site, WikiSite)
    return site


SITE = wiki()


def answer(**parse: object) -> bytes:
    """Return a response in format version 2 for a page "Orc" with a little text."""
    page = {
        "title": "Orc",
        "pageid": 16,
        "revid": 17,
        "redirects": [],
        "text": '<div class="mw-parser-output"><p>Orcs.\n</p></div>',
        "categories": [],
        "links": [],
        "displaytitle": '<span class="mw-page-title-main">Orc</span>',
    }
    return json.dumps({"parse": page | parse}).encode()


def page_in(body: bytes, site: WikiSite = SITE, asked: str = ASKED) -> Page:
    found = read(body, {}, 200, site, asked)
    assert isinstance(found, Page)
    return found


def failure_in(body: bytes, status: int = 200, headers: dict[str, str] | None = None) -> Failure:
    found = read(body, headers or {}, status, SITE, ASKED)
    assert isinstance(found, Failure)
    return found


# the request


def test_request_by_title() -> None:
    url = request_url(PageRef("AT&T: C++ é"), SITE)
    assert url.startswith(API + "?")
    assert dict(parse_qsl(urlsplit(url).query, strict_parsing=True)) == {
        "action": "parse",
        "format": "json",
        "formatversion": "2",
        "page": "AT&T: C++ é",
        "redirects": "1",
        "prop": "text|links|categories|displaytitle|revid",
        "disableeditsection": "1",
        "disabletoc": "1",
        "disablelimitreport": "1",
        "maxlag": "5",
    }


def test_request_by_number() -> None:
    query = dict(parse_qsl(urlsplit(request_url(PageRef(pageid=14), SITE)).query))
    assert query["pageid"] == "14"
    assert "page" not in query


def test_a_title_is_escaped_in_the_url() -> None:
    query = parse_qsl(urlsplit(request_url(PageRef("A&action=delete#x"), SITE)).query)
    assert ("page", "A&action=delete#x") in query
    assert [value for name, value in query if name == "action"] == ["parse"]


# pages


@pytest.mark.parametrize("version", [1, 2])
def test_page_as_recorded(version: int) -> None:
    page = page_in(recorded(f"parse_redirect_v{version}"), asked=HOST + "/wiki/Sabatons")
    assert page.url == HOST + "/wiki/Iron_boots"
    assert page.redirected_from == HOST + "/wiki/Sabatons"
    assert page.title == "Iron boots & laces"
    assert (page.status, page.revid, page.lang, page.encoding) == (200, 111, "en", "utf-8")
    assert page.categories == ("Orcs", "Footwear of the North")  # not the hidden one
    assert page.links == (  # not the red one
        Link(HOST + "/wiki/100%25_Orc", 0),
        Link(HOST + "/wiki/AT%26T", 0),
        Link(HOST + "/wiki/Orc", 0),
        Link(HOST + "/wiki/The_Horde", 0),
        Link(HOST + "/wiki/%C3%89quipe", 0),
        Link(HOST + "/wiki/Talk:Thrall", 1),
        Link(HOST + "/wiki/Help:Contents", 12),
        Link(HOST + "/wiki/Category:Races", 14),
    )


def test_both_format_versions_give_the_same_page() -> None:
    assert page_in(recorded("parse_redirect_v1")) == page_in(recorded("parse_redirect_v2"))


def test_the_text_is_wrapped_in_a_document() -> None:
    body = page_in(recorded("parse_redirect_v2")).body
    assert body.startswith(
        b'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        b"<title>Iron boots &amp; laces</title></head><body>"
        b'<h1 id="firstHeading">Iron boots &amp; laces</h1>'
        b'<div id="mw-content-text"><div class="mw-parser-output"><p><b>Iron boots</b>'
    )
    root = html.document_fromstring(body)
    assert len(root.xpath("//div[contains(@class, 'mw-parser-output')]")) == 1
    assert root.xpath("//h2/span/@id") == ["Care"]


def test_text_without_its_own_wrapper_gets_one() -> None:
    body = page_in(answer(text="<p>Orcs.</p>")).body
    assert b'<div id="mw-content-text"><div class="mw-parser-output"><p>Orcs.</p></div>' in body


@pytest.mark.parametrize(
    ("wrapper", "lang"),
    [
        ('<div class="mw-content-ltr mw-parser-output" lang="pt-BR" dir="ltr">', "pt-BR"),
        ('<div class="mw-parser-output">', "en"),
        ('<div class="mw-parser-output" lang="&quot;&gt;x">', "en"),
    ],
)
def test_language(wrapper: str, lang: str) -> None:
    page = page_in(answer(text=f'{wrapper}<p lang="fr">Orcs.</p></div>'))
    assert page.lang == lang
    assert f'<html lang="{lang}">'.encode() in page.body


def test_language_unknown() -> None:
    page = page_in(answer(), WikiSite.default(API))
    assert page.lang is None
    assert b"<html><head>" in page.body


def test_page_that_was_not_redirected() -> None:
    page = page_in(answer(), asked=HOST + "/index.php?title=orc")
    assert page.url == HOST + "/wiki/Orc"
    assert page.redirected_from is None


@pytest.mark.parametrize(
    ("displaytitle", "title"),
    [
        ("<i>Orc</i> &amp; <b>co</b>", "Orc & co"),
        ("orc", "orc"),
        ("<span></span>", "Orc"),
        ("", "Orc"),
        (None, "Orc"),
        (5, "Orc"),
        ("a\nb\x1b[31m\u0085c\x00", "a b [31m c"),
        ("a\ud800b", "a b"),
        ("&lt;script&gt;", "<script>"),
        ("<" * 9000, "<" * 9000),
        ("x" * 20_000, "Orc"),
    ],
)
def test_title(displaytitle: object, title: str) -> None:
    assert page_in(answer(displaytitle=displaytitle)).title == title


def test_title_is_escaped_in_the_document() -> None:
    body = page_in(answer(displaytitle="&lt;/title&gt;&lt;script&gt;x&lt;/script&gt;")).body
    assert b"<script>" not in body


def test_links_and_categories_are_filtered() -> None:
    links: list[Any] = [
        {"ns": 0, "title": "Orc", "exists": True},
        {"ns": 0, "title": "Orc", "exists": True},
        {"ns": 0, "title": "Red", "exists": False},
        {"ns": 0, "title": "Red too"},
        {"ns": "0", "title": "A", "exists": True},
        {"ns": True, "title": "A", "exists": True},
        {"ns": 0, "title": "A\ud800", "exists": True},
        {"ns": 0, "title": "A|B", "exists": True},
        {"ns": 0, "title": ["A"], "exists": True},
        {"ns": 0, "exists": True},
        None,
        "A",
    ]
    categories: list[Any] = [
        {"category": "Orcs_of_Durotar"},
        {"category": "Orcs of Durotar"},
        {"category": "Tracked", "hidden": True},
        {"category": "Shown", "hidden": False},
        {"category": "A\nB"},
        {"category": {}},
        5,
    ]
    page = page_in(answer(links=links, categories=categories))
    assert page.links == (Link(HOST + "/wiki/Orc", 0),)
    assert page.categories == ("Orcs of Durotar", "Shown")


@pytest.mark.parametrize("revid", [0, -1, 1 << 70, "17", None, 1.5, True, []])
def test_an_invalid_revision_is_ignored(revid: object) -> None:
    assert page_in(answer(revid=revid)).revid is None


def test_invalid_text_is_repaired() -> None:
    body = page_in(answer(text="<p>a\0b\ud800c\ud83d\ude00</p>")).body
    assert "<p>ab\ufffdc😀</p>" in body.decode()


# failures


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (recorded("parse_missing_v2"), Failure(Reason.MISSING, "missingtitle", Action.FINAL, 404)),
        (
            recorded("parse_interwiki_v2"),
            Failure(Reason.INVALID_TITLE, "invalidtitle", Action.FINAL),
        ),
        (
            recorded("parse_special_v2"),
            Failure(Reason.INVALID_TITLE, "pagecannotexist", Action.FINAL),
        ),
        (
            recorded("parse_loop_v2"),
            Failure(Reason.EMPTY, "a redirect that leads nowhere", Action.FINAL),
        ),
        (recorded("parse_empty_v2"), Failure(Reason.EMPTY, "no text on the page", Action.NEXT)),
    ],
)
def test_failures_as_recorded(body: bytes, expected: Failure) -> None:
    assert failure_in(body) == expected


def error(code: object) -> bytes:
    return json.dumps({"error": {"code": code, "info": "<b>page text</b>\n\x1b[31m"}}).encode()


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("missingtitle", Failure(Reason.MISSING, "missingtitle", Action.FINAL, 404)),
        ("nosuchpageid", Failure(Reason.MISSING, "nosuchpageid", Action.FINAL, 404)),
        ("invalidtitle", Failure(Reason.INVALID_TITLE, "invalidtitle", Action.FINAL)),
        ("pagecannotexist", Failure(Reason.INVALID_TITLE, "pagecannotexist", Action.FINAL)),
        ("maxlag", Failure(Reason.BUSY, "maxlag", Action.WAIT)),
        ("ratelimited", Failure(Reason.BUSY, "ratelimited", Action.WAIT)),
        ("concurrency-limit", Failure(Reason.BUSY, "concurrency-limit", Action.WAIT)),
        ("readonly", Failure(Reason.API_ERROR, "readonly")),
        (
            "internal_api_error_DBQueryError",
            Failure(Reason.API_ERROR, "internal_api_error_dbqueryerror"),
        ),
        ("readapidenied", Failure(Reason.LOGIN, "readapidenied")),
        ("assertuserfailed", Failure(Reason.LOGIN, "assertuserfailed")),
        ("mwoauth-invalid-authorization", Failure(Reason.LOGIN, "mwoauth-invalid-authorization")),
        ("never heard of\n", Failure(Reason.API_ERROR, "an error without a readable code")),
        ("x" * 1000, Failure(Reason.API_ERROR, "an error without a readable code")),
        (17, Failure(Reason.API_ERROR, "an error without a readable code")),
        (None, Failure(Reason.API_ERROR, "an error without a readable code")),
    ],
)
def test_error_codes(code: object, expected: Failure) -> None:
    assert failure_in(error(code)) == expected


@pytest.mark.parametrize(
    ("header", "seconds"), [("5", 5.0), ("0", 0.0), ("soon", None), ("-5", None), (None, None)]
)
def test_retry_after(header: str | None, seconds: float | None) -> None:
    headers = {} if header is None else {"retry-after": header}
    assert failure_in(error("maxlag"), headers=headers).retry_after == seconds
    assert failure_in(b"", 429, headers).retry_after == seconds


CHALLENGE = b"<!DOCTYPE html><script>window._cf_chl_opt={}</script>"


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (200, b"<!DOCTYPE html><title>Some wiki</title>", Reason.API_OFF),
        (200, b"\xef\xbb\xbf \n<html>", Reason.API_OFF),
        (200, b"", Reason.API_OFF),
        (200, b"Service unavailable", Reason.API_OFF),
        (200, CHALLENGE, Reason.BLOCKED_CAPTCHA),
        (503, CHALLENGE, Reason.BLOCKED_CAPTCHA),
        (403, CHALLENGE, Reason.BLOCKED_CAPTCHA),
        (403, b"Forbidden", Reason.BLOCKED),
        (401, b"", Reason.BLOCKED),
        (403, answer(), Reason.BLOCKED),
        (404, b"<html>Not found</html>", Reason.API_OFF),
        (410, b"", Reason.API_OFF),
        (429, b"slow down", Reason.BUSY),
        (429, error("ratelimited"), Reason.BUSY),
        (503, b"", Reason.BUSY),
        (500, b"<html>Oops</html>", Reason.HTTP_ERROR),
        (502, b"", Reason.HTTP_ERROR),
        (400, b"Bad request", Reason.HTTP_ERROR),
        (500, error("internal_api_error_Exception"), Reason.API_ERROR),
        (500, answer(), Reason.HTTP_ERROR),
        (302, b"", Reason.HTTP_ERROR),
    ],
)
def test_responses_that_are_not_json(status: int, body: bytes, reason: Reason) -> None:
    found = failure_in(body, status)
    assert (found.reason, found.action) == (reason, Action.NEXT)


def test_article_about_challenges_is_a_page() -> None:
    text = '<div class="mw-parser-output"><code>window._cf_chl_opt</code></div>'
    assert page_in(answer(text=text)).title == "Orc"


@pytest.mark.parametrize(
    "body",
    [
        answer()[:-1],
        answer()[:40],
        b"[" * 100_000 + b"]" * 100_000,
        b'{"parse":' * 100_000 + b"1" + b"}" * 100_000,
        b'{"parse": {"revid": ' + b"9" * 5000 + b"}}",
        b'{"parse": "\xff"}',
        b"[]",
        b"{}",
        b"{\x00}",
        b'{"parse": null}',
        b'{"parse": []}',
        b'{"parse": {}}',
        b'{"error": null}',
        b'{"error": []}',
        b'{"error": "missingtitle"}',
        answer(title=None),
        answer(title=["Orc"]),
        answer(title=""),
        answer(title="A\ud800"),
        answer(title="A\0"),
        answer(title="../../etc/passwd"),
        answer(title="<script>"),
        answer(text=None),
        answer(text=5),
        answer(text={"*": 5}),
        answer(text=["x"]),
    ],
    ids=lambda body: repr(body[:30]),
)
def test_broken_responses(body: bytes) -> None:
    found = failure_in(body)
    assert (found.reason, found.action) == (Reason.API_ERROR, Action.NEXT)


def test_wrong_types_beside_the_text_do_not_lose_the_page() -> None:
    for odd in (None, 5, "x", [], {}, [[]], {"*": {}}, True):
        page = page_in(answer(links=odd, categories=odd, revid="x", displaytitle=odd))
        assert (page.links, page.categories, page.revid) == ((), (), None)


def test_a_response_that_is_too_large() -> None:
    found = failure_in(b'{"parse": "' + b"x" * MAX_BYTES)
    assert (found.reason, found.action) == (Reason.TOO_LARGE, Action.NEXT)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        '<div class="mw-parser-output"></div>',
        '<div class="mw-parser-output">\n<p>&nbsp; &#160;</p><!-- x --><img src="/x.png">\n</div>',
        "<",
    ],
)
def test_page_without_text(text: str) -> None:
    found = failure_in(answer(text=text))
    assert (found.reason, found.action, found.status) == (Reason.EMPTY, Action.NEXT, None)


@pytest.mark.parametrize(
    "text", ["x", "<p>&amp;</p>", "<p>&nbsp;x</p>", "x<p></p>", "<b> &lt; </b>"]
)
def test_a_page_with_little_text_is_a_page(text: str) -> None:
    assert text.encode() in page_in(answer(text=text)).body


def test_a_page_about_redirects_is_a_page() -> None:
    text = (
        '<div class="mw-parser-output"><p>Class <b>x</b></p><div class="redirectMsg">y</div></div>'
    )
    assert page_in(answer(text=text)).title == "Orc"


@pytest.mark.parametrize(
    "text",
    [
        '<div class="mw-parser-output" ' * 100_000,
        "<div" + ' class="x"' * 100_000,
        "<div" + ' class="mw-parser-output"' * 100_000 + ">x",
        "&nbsp;" * 100_000,
        "<" * 1_000_000,
        "> " * 500_000,
        ">" + " " * 1_000_000,
    ],
    ids=["wrapper", "class", "redirect", "nbsp", "open", "close", "spaces"],
)
def test_hostile_markup_is_read_quickly(text: str) -> None:
    start = thread_time()
    assert isinstance(read(answer(text=text), {}, 200, SITE, ASKED), Page | Failure)
    assert thread_time() - start < 5  # a few hundredths; minutes where it is quadratic


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
ITEM = JSON | st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("ns", "title", "*", "exists", "category", "hidden"), JSON)
)
PARSE = st.fixed_dictionaries(
    {},
    optional={
        "title": JSON | st.text(min_size=1),
        "text": JSON | st.text() | st.fixed_dictionaries({"*": st.text()}),
        "displaytitle": JSON,
        "revid": JSON,
        "redirects": JSON,
        "links": JSON | st.lists(ITEM, max_size=3),
        "categories": JSON | st.lists(ITEM, max_size=3),
    },
)
ANSWERS = (
    JSON
    | st.fixed_dictionaries({"parse": JSON | PARSE})
    | st.fixed_dictionaries({"error": JSON | st.fixed_dictionaries({"code": JSON})})
)


@given(ANSWERS, st.sampled_from([200, 200, 200, 301, 403, 404, 429, 500, 503]))
def test_arbitrary_json_does_not_raise(data: object, status: int) -> None:
    found = read(json.dumps(data).encode(), {"retry-after": "9" * 5000}, status, SITE, ASKED)
    if isinstance(found, Failure):
        assert found.detail.isprintable()
    else:
        found.body.decode()
        assert found.url.startswith(HOST + "/")
        assert found.title


@given(st.binary(max_size=300), st.integers(100, 599))
def test_arbitrary_bytes_do_not_raise(body: bytes, status: int) -> None:
    for whole in (body, b"{" + body, answer()[: len(body)] + body):
        assert isinstance(read(whole, {}, status, SITE, ASKED), Page | Failure)


# the tier


class FixedLookup:
    """Returns the same wiki, or None, for every URL."""

    def __init__(self, site: WikiSite | None) -> None:
        self._wiki = site and KnownWiki(
            site.api, site.server, siteinfo=site, siteinfo_requested=True
        )

    def wiki_of(self, url: str) -> KnownWiki | None:
        return self._wiki

    async def ensure_siteinfo(self, wiki: KnownWiki, url: str) -> None:
        raise AssertionError("it was asked")


def test_an_api_that_is_switched_off_is_not_requested() -> None:
    wikis = FixedLookup(SITE)
    tier = MediaWikiTier(wikis)
    page = Request(HOST + "/wiki/Orc")
    down = Failure(Reason.HTTP_ERROR, "HTTP 500")
    for _ in range(5):
        assert isinstance(tier.request(page), Request)
        tier.failed(page.url, down)
    found = tier.request(page)
    assert isinstance(found, Failure)
    assert found.reason is Reason.HTTP_ERROR


def test_tier_translates_both_ways() -> None:
    page = Request(HOST + "/index.php?title=orc", meta={"depth": 3})
    tier = MediaWikiTier(FixedLookup(SITE))
    request = tier.request(page)
    assert isinstance(request, Request)
    assert request.url == request_url(PageRef("Orc"), SITE)
    assert request.meta.items() >= {"depth": 3, "dont_redirect": True}.items()
    response = TextResponse(request.url, body=answer(), request=request)
    found = tier.read(response, page.url)
    assert found == read(answer(), {}, 200, SITE, page.url)


def test_the_tier_declines_other_urls() -> None:
    for url, site in ((HOST + "/wiki/Special:Random", SITE), (HOST + "/wiki/Orc", None)):
        found = MediaWikiTier(FixedLookup(site)).request(Request(url))
        assert isinstance(found, Failure)
        assert (found.reason, found.action) == (Reason.NO_TITLE, Action.NEXT)
