"""Reading of the lists of categories' members."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from wikicrawler.errors import Reason
from wikicrawler.pages import Action, Failure, Link
from wikicrawler.tiers.mediawiki.category_members import (
    Members,
    category_title,
    lists_members,
    members_url,
    read_category_page,
    read_members,
)
from wikicrawler.tiers.mediawiki.site import WikiSite

SITE = WikiSite.default("https://w.example/api.php", pages="https://w.example/wiki/X")
PAGE = "https://w.example/wiki/Category:Orcs"


def read(data: object, **headers: str) -> Members | Failure:
    return read_members(json.dumps(data).encode(), headers, 200, SITE)


def members(body: str, site: WikiSite | None = SITE) -> Members | None:
    return read_category_page(body.encode(), PAGE, "utf-8", site)


def test_the_first_request_states_size_and_redirect_and_later_ones_go_on() -> None:
    first = parse_qs(urlsplit(members_url(SITE.api, "Category:A&B")).query)
    assert first["cmtitle"] == first["titles"] == ["Category:A&B"]
    assert (first["cmlimit"], first["maxlag"]) == (["500"], ["5"])
    assert "cmcontinue" not in first
    later = parse_qs(urlsplit(members_url(SITE.api, "Category:A", "page|41|7")).query)
    assert later["cmcontinue"] == ["page|41|7"]
    assert "titles" not in later


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Orcs", "Category:Orcs"),
        ("category:orcs of Durotar", "Category:Orcs of Durotar"),
        ("AT&T: a history", "Category:AT&T: a history"),
        ("a|b", None),
        ("", None),
        ("x" * 3_000, None),
    ],
)
def test_a_name_is_a_title_with_or_without_its_namespace(name: str, title: str | None) -> None:
    assert category_title(name, SITE) == title


def test_members_and_where_they_go_on_are_read() -> None:
    listed: list[Any] = [
        {"ns": 0, "title": "Thrall"},
        {"ns": 14, "title": "Category:Clans"},
        {"ns": 0, "title": "a|b"},
        {"ns": "0", "title": "Odd"},
        None,
        7,
    ]
    found = read({"query": {"categorymembers": listed}, "continue": {"cmcontinue": "page|x|1"}})
    assert found == Members(
        (
            Link("https://w.example/wiki/Thrall", 0),
            Link("https://w.example/wiki/Category:Clans", 14),
        ),
        ("page|x|1",),
    )


@pytest.mark.parametrize(
    ("pages", "empty"),
    [
        ([{"title": "Category:X", "missing": True}], True),
        ([{"title": "Category:X", "categoryinfo": {"size": 0}}], True),
        ([{"title": "Category:X", "categoryinfo": {"size": 3, "files": 3}}], False),
        ({"-1": {"title": "Category:X", "missing": ""}}, True),
        ({"5": {"title": "Category:X", "categoryinfo": {"size": 1}}}, False),
        ("odd", True),
    ],
)
def test_a_category_of_files_alone_is_not_empty(pages: object, empty: bool) -> None:
    found = read({"query": {"categorymembers": [], "pages": pages}})
    assert isinstance(found, Members)
    assert found.is_empty is empty


@pytest.mark.parametrize(
    ("to", "target"),
    [
        ("Category:Orc", "https://w.example/wiki/Category:Orc"),
        ("Orc", None),
        ("Category:<b>", None),
        (5, None),
    ],
)
def test_a_redirect_counts_if_it_leads_to_a_category(to: object, target: str | None) -> None:
    query = {"categorymembers": [], "redirects": [{"from": "Category:Orcs", "to": to}]}
    found = read({"query": query})
    assert isinstance(found, Members)
    assert found.target == target


def test_failures_of_the_api_are_told_apart() -> None:
    busy = read({"error": {"code": "maxlag"}}, **{"retry-after": "5"})
    assert isinstance(busy, Failure)
    assert (busy.action, busy.retry_after) == (Action.WAIT, 5.0)
    for data in ({}, [], {"query": 1}, {"query": {"categorymembers": {}}}, {"query": []}):
        found = read(data)
        assert isinstance(found, Failure)
        assert found.reason is Reason.API_ERROR


def test_an_endless_place_to_go_on_at_is_none() -> None:
    data = {"query": {"categorymembers": []}, "continue": {"cmcontinue": "x" * 5_000}}
    found = read(data)
    assert isinstance(found, Members)
    assert found.following == ()


LISTS = """<div id="mw-subcategories"><h2>Subcategories</h2>
<a href="/wiki/Category:Clans">Clans</a> <a href="/wiki/Kategorie:Klane">Klane</a></div>
<div id="mw-pages">(<a href="/index.php?title=Category:Orcs&amp;pageuntil=B#mw-pages">previous</a>)
(<a href="/index.php?title=Category:Orcs&amp;pagefrom=T%26T#mw-pages">next page</a>)
<a href="/wiki/Thrall">Thrall</a> <a href="/wiki/garrosh_Hellscream">G</a>
<a class="new" href="/index.php?title=Red&amp;action=edit&amp;redlink=1">Red</a>
<a href="https://other.example/wiki/Far">Far</a> <a href="javascript:x">x</a></div>
<div id="mw-category-media"><a href="/wiki/File:Orc.png">Orc.png</a></div>
<div class="printfooter"><a href="/wiki/Not_a_member">x</a></div>"""


def test_the_lists_of_a_page_are_read() -> None:
    found = members(LISTS)
    assert found is not None
    assert [
        (link.url.removeprefix("https://w.example/wiki/"), link.namespace) for link in found.links
    ] == [
        ("Category:Clans", 14),
        ("Kategorie:Klane", 14),
        ("Thrall", 0),
        ("Garrosh_Hellscream", 0),
        ("File:Orc.png", 6),
    ]
    assert found.following == ("https://w.example/index.php?title=Category:Orcs&pagefrom=T%26T",)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("subcatfrom=D", {"Clans", "Klane"}),
        ("pagefrom=T", {"Thrall", "Hellscream"}),
        ("filefrom=O", {"png"}),
        ("from=T", {"Clans", "Klane", "Thrall", "Hellscream", "png"}),
        ("pagefrom=", {"Clans", "Klane", "Thrall", "Hellscream", "png"}),
    ],
)
def test_a_list_that_goes_on_is_read_without_the_others(query: str, expected: set[str]) -> None:
    url = f"https://w.example/index.php?title=Category:Orcs&{query}"
    found = read_category_page(LISTS.encode(), url, "utf-8", SITE)
    assert found is not None
    assert {re.split(r"[:/_.]", link.url)[-1] for link in found.links} == expected


def test_without_a_known_wiki_links_are_as_the_page_has_them() -> None:
    found = members(LISTS, None)
    assert found is not None
    assert Link("https://w.example/wiki/garrosh_Hellscream") in found.links


def test_fandoms_lists_are_read() -> None:
    found = members(
        '<a class="category-page__member-link" href="/wiki/Thrall">T</a>'
        '<a class="category-page__member-link" href="/wiki/Category:Clans">C</a>'
        '<a href="https://w.example/wiki/Category:Orcs?from=T" '
        'class="category-page__pagination-next wds-button">Next</a>'
    )
    assert found is not None
    assert [link.namespace for link in found.links] == [0, 14]
    assert found.following == ("https://w.example/wiki/Category:Orcs?from=T",)


@pytest.mark.parametrize(
    ("body", "is_empty"),
    [
        ("<p>A page.</p>", None),
        ("", None),
        ('<div id="mw-content-text">Text</div>', None),
        ('<script>RLCONF={"wgNamespaceNumber":14,"a":1}</script><p>x</p>', True),
        ('<div class="mw-category-generated"></div>', True),
        ('<div id="mw-pages"></div>', True),
        ('<div id="mw-pages"><a href="/wiki/A">A</a></div>', False),
    ],
)
def test_an_empty_category_is_told_from_another_page(body: str, is_empty: bool | None) -> None:
    found = members(body)
    assert (found.is_empty if found is not None else None) is is_empty


@pytest.mark.parametrize(
    "body",
    [
        '<div id="mw-pages">' * 30_000,
        '<div id="mw-pages"><a href="' + "a" * 500_000 + '">x</a>',
        '<div id="mw-pages"><a href="//' + "\u0301" * 5_000 + '/">x</a>',
        '<div id="mw-pages"><a href="http://[">x</a><a href="/?' + "a&" * 5_000 + '">x</a></div>',
        "<" * 1_000_000 + '"mw-pages" id="mw-pages"',
    ],
    ids=["nested", "long", "combining", "broken", "brackets"],
)
def test_hostile_pages_are_read_or_refused(body: str) -> None:
    assert lists_members(body.encode())
    found = members(body)
    assert found is None or found.following == ()
