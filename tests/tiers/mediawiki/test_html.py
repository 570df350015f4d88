"""A wiki page fetched as HTML equals the page from the API."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikicrawler.items import Content
from wikicrawler.pages import Link, Page
from wikicrawler.tiers.mediawiki.html import article_path_of, complete, is_redirect_stub
from wikicrawler.tiers.mediawiki.site import WikiSite
from wikicrawler.tiers.mediawiki.titles import page_of, url_of

SITE = WikiSite.default("https://wiki.example/api.php")
HOME = "https://wiki.example/wiki/"


def page(url: str, **known: object) -> Page:
    return Page(url=url, body=b"", encoding="utf-8", **known)  # type: ignore[arg-type]


def content(*links: str, **facts: object) -> Content:
    metadata = {"wiki": True, "lang": "en"} | facts
    return Content("A title", "Words.", links, categories=("Gems",), metadata=metadata)


def test_links_are_the_wikis_own_pages_with_their_namespaces() -> None:
    links = (
        HOME + "Jet",
        HOME + "jet",  # the same page
        HOME + "Category:Gems",
        HOME + "Special:Random",
        HOME + "Jet?action=edit",
        "https://wiki.example/index.php?title=Opal&oldid=5",
        "https://wiki.example/index.php?title=Opal",
        "https://elsewhere.example/wiki/Jet",
    )
    found = complete(page(HOME + "Amber"), content(*links), SITE)
    assert found.links == (
        Link(HOME + "Jet", 0),
        Link(HOME + "Category:Gems", 14),
        Link(HOME + "Opal", 0),
    )


TITLES = st.text("AZaz09_- ,.:()/'%é~?&", max_size=12) | st.sampled_from(
    ["Category:Gems", "A_(b)/C", "A__b", "A_", "../A", "Special:Random", "A" * 260, "Talk:A"]
)


@settings(deadline=None)
@given(TITLES, st.sampled_from(["/wiki/$1", "/$1", "/index.php?title=$1", "/$1.html"]))
def test_a_link_is_resolved_by_the_rules_of_its_title(title: str, path: str) -> None:
    site = WikiSite.default("https://wiki.example/api.php", path)
    url = "https://wiki.example" + path.replace("$1", title)
    ref = page_of(url, site)
    expected = ()
    if ref is not None and ref.title is not None:
        expected = (Link(url_of(ref.title, site), site.namespace_of(ref.title)[0]),)
    assert (
        complete(
            page("https://wiki.example" + path.replace("$1", "Amber")), content(url), site
        ).links
        == expected
    )


def test_the_url_is_the_one_that_the_wiki_itself_writes() -> None:
    odd = "https://wiki.example/index.php?title=amber_gem"
    assert complete(page(odd), content(), SITE).url == HOME + "Amber_gem"


def test_a_redirect_has_its_targets_url_and_redirected_from() -> None:
    facts = {"redirected_from": "Ambre", "canonical": HOME + "Amber"}
    found = complete(page(HOME + "Ambre"), content(**facts), SITE)
    assert (found.url, found.redirected_from) == (HOME + "Amber", HOME + "Ambre")


def test_a_canonical_url_on_another_host_is_ignored() -> None:
    facts = {"redirected_from": "Ambre", "canonical": "https://evil.example/wiki/Amber"}
    assert complete(page(HOME + "Ambre"), content(**facts), SITE).url == HOME + "Ambre"


def test_facts_from_the_api_are_kept() -> None:
    known = page(HOME + "Amber", title="amber", links=(), categories=("Resins",), revid=3)
    found = complete(known, content(HOME + "Jet"), SITE)
    assert (found.title, found.categories, found.revid) == ("amber", ("Resins",), 3)


def test_the_license_is_the_pages_own_or_the_wikis() -> None:
    address, name = "https://cc.example/by/4.0/", "Attribution"
    site = replace(SITE, license_url=address, license_text=name)
    amber = page(HOME + "Amber")
    assert complete(amber, content(), site).license == address
    assert complete(amber, content(license="https://own.example/"), site).license == (
        "https://own.example/"
    )
    assert complete(amber, content(), replace(site, license_url="")).license == name
    assert complete(amber, content(), SITE).license is None
    assert complete(page(HOME + "Amber", links=()), content(), site).license == address
    assert complete(amber, content(wiki=False), site).license is None


def test_a_page_outside_wikis_keeps_its_url_and_its_host_internal_links() -> None:
    url = "https://shop.example/a?id=1"
    links = ("https://shop.example/b", "https://elsewhere.example/c")
    found = complete(page(url), content(*links, wiki=False), None)
    assert (found.url, found.links) == (url, (Link("https://shop.example/b"),))


@pytest.mark.parametrize(
    ("name", "url", "path"),
    [
        ("Amber", "https://wiki.example/wiki/Amber", "/wiki/$1"),
        ("Amber", "https://wiki.example/Amber", "/$1"),
        ("Amber", "https://wiki.example/de/w/Amber?x=1", "/de/w/$1"),
        ("A/B", "https://wiki.example/wiki/A/B", "/wiki/$1"),
        ("\\u0411", "https://wiki.example/w/%D0%91", "/w/$1"),
        ("Amber", "https://wiki.example/index.php?title=Amber", None),
        ("Jet", "https://wiki.example/wiki/Amber", None),
        ('broken\\"', "https://wiki.example/wiki/Amber", None),
    ],
)
def test_the_article_path_is_derived_from_a_page(name: str, url: str, path: str | None) -> None:
    body = f'<script>RLCONF={{"wgPageName":"{name}","wgTitle":"x"}}</script>'.encode()
    assert article_path_of(body, url) == path


def test_no_article_path_is_derived_without_a_page_name() -> None:
    assert article_path_of(b"<p>no", HOME + "Amber") is None


def test_a_page_whose_url_the_wiki_cannot_interpret_keeps_its_links() -> None:
    links = ("https://wiki.example/de/wiki/Biene",)
    found = complete(page("https://wiki.example/de/wiki/Start"), content(*links), SITE)
    assert found.links == (Link(links[0]),)


def test_the_namespace_is_the_one_that_the_page_states() -> None:
    found = complete(page(HOME + "Kategorie:Bienen"), content(namespace=14), SITE)
    assert found.namespace == 14
    assert complete(page(HOME + "Category:Bees"), content(), SITE).namespace == 14


def test_a_redirect_stub_is_searched_quickly_in_hostile_markup() -> None:
    begun = time.thread_time()
    hostile = b'class="mw-parser-output ' * 40_000 + b'<div class="redirectMsg">'
    assert not is_redirect_stub(hostile)
    assert time.thread_time() - begun < 5  # a few thousandths; minutes where it is quadratic


def test_an_unfollowed_redirect_is_not_a_page() -> None:
    stub = b'<div class="mw-parser-output"><div class="redirectMsg"><p>Redirect to:</p></div></div>'
    assert is_redirect_stub(stub)
    assert not is_redirect_stub(b'<div class="mw-parser-output"><p>redirectMsg</p></div>')


def test_links_of_an_api_page_are_those_of_its_text() -> None:
    listed = (Link(HOME + "Template:Navbox", 10), Link(HOME + "Jet", 0))
    by_api = page(HOME + "Amber", links=listed)
    text = content(HOME + "Jet", HOME + "Category:Gems", "https://elsewhere.example/wiki/Opal")
    links = (Link(HOME + "Jet", 0), Link(HOME + "Category:Gems", 14))
    assert complete(by_api, text, SITE).links == links
    assert complete(page(HOME + "Amber"), text, SITE).links == links
    assert complete(by_api, text, None).links == listed  # nothing is known of the wiki's URLs


OWN = ["Amber", "amber", "Amber_", "../index.php?title=Amber", "Amber?redirect=no", "Amber?x=1"]


@pytest.mark.parametrize("own", OWN)
def test_a_link_to_the_page_itself_is_none_in_any_spelling(own: str) -> None:
    text = content(HOME + own, HOME + "Jet", redirected_from="Ambre", canonical=HOME + "Amber")
    for url in (HOME + "Amber", HOME + "Ambre"):
        assert complete(page(url), text, SITE).links == (Link(HOME + "Jet", 0),)
    api = page(HOME + "Amber", links=())
    assert complete(api, text, SITE).links == (Link(HOME + "Jet", 0),)


@pytest.mark.parametrize("host", ["www.wiki.example", "m.wiki.example"])
def test_links_of_a_page_at_another_name_of_the_wikis_host(host: str) -> None:
    text = content(HOME + "Jet", f"https://{host}/wiki/Opal", "https://other.example/wiki/Gold")
    links = (Link(HOME + "Jet", 0), Link(HOME + "Opal", 0))
    assert complete(page(f"https://{host}/wiki/Amber"), text, SITE).links == links
    assert complete(page(HOME + "Amber", links=()), text, SITE).links == links
