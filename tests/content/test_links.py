"""Resolution of links."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.content.rendering import render
from wikicrawler.content.conversion import convert
from wikicrawler.content.links import LinkResolver, markdown_url
from wikicrawler.urls.addresses import ascii_host, remove_dot_segments

PAGE = "https://wiki.example/wiki/T%C3%A4st?x=1#y"
starts = st.sampled_from(["/", "../", "https://en.x-y.example/", "http://a.example/", "?"])
rest = st.text(st.sampled_from("ab/..%2A%zz~,:@()'!*+=&$-_?#; ä\\|"), max_size=12)


@given(st.builds(str.__add__, starts, rest))
def test_the_fast_paths_resolve_like_the_general_case(href):
    # A leading space, which browsers strip, disables the fast paths.
    assert LinkResolver(PAGE).resolve(href) == LinkResolver(PAGE).resolve(f" {href}")
    assert LinkResolver(PAGE).absolute(href) == LinkResolver(PAGE).absolute(f" {href}")


@pytest.mark.parametrize("page", ["https://Wiki.Example:443/a", "https://wiki.example./a"])
def test_an_absolute_url_is_normalised_where_the_pages_own_is_not(page):
    assert LinkResolver(page).absolute("/wiki/Task") == "https://wiki.example/wiki/Task"


@pytest.mark.parametrize(
    "href",
    ["", "#place", "javascript:x()", "http://[", "ftp://x.example/", "/wiki/T%C3%A4st?x=1#z"],
)
def test_a_link_to_the_page_itself_or_to_nowhere_has_no_url(href):
    assert LinkResolver(PAGE).link_url(href) is None


@pytest.mark.parametrize("href", ["/wiki/Täst?x=1", "/wiki/T%c3%a4st?x=1", "?x=1"])
def test_the_page_itself_is_recognised_in_any_spelling(href):
    assert LinkResolver(PAGE).page_url(href) == ""


def test_page_urls_have_no_fragment_and_exclude_editors_and_mail():
    resolver = LinkResolver(PAGE)
    assert resolver.page_url("/wiki/A#B") == "https://wiki.example/wiki/A"
    assert resolver.page_url("/w/index.php?title=A&action=edit") == ""
    assert resolver.page_url("mailto:a@x.example") == ""
    assert resolver.link_url("/wiki/A#B") == "https://wiki.example/wiki/A#B"


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("https://bob:hunter2@a.example/b", "https://a.example/b"),
        ("//bob@a.example/", "https://a.example/"),
        ("https://wiki.example@a.example/", "https://a.example/"),
        ("https://a.example/@bob", "https://a.example/@bob"),
    ],
)
def test_user_name_and_password_are_removed(href, target):
    assert LinkResolver(PAGE).link_url(href) == LinkResolver(PAGE).page_url(href) == target
    assert (
        LinkResolver("https://bob:hunter2@wiki.example/").page_url("/a") == "https://wiki.example/a"
    )
    assert (
        LinkResolver(PAGE, "https://bob:hunter2@b.example/").page_url("/a") == "https://b.example/a"
    )


@pytest.mark.parametrize(
    "href",
    ["http://x\u2028y.example/", "http://a b.example/", "http://\x1b[31m.example/", "http://.."],
)
def test_a_link_without_a_valid_host_has_no_url(href):
    assert LinkResolver(PAGE).link_url(href) is None


def test_a_host_with_non_ascii_letters_is_valid():
    assert (
        LinkResolver(PAGE).link_url("http://bücher.example/ä")
        == "http://xn--bcher-kva.example/%C3%A4"
    )


HREFS = st.one_of(
    st.text(),
    st.text(st.sampled_from("htps:/\\.@[]%2eE#?& \t\n\0xyé|()<>`"), max_size=40),
    st.builds(
        "{}{}{}{}".format,
        st.sampled_from(["http://", "HTTPS:\\\\", "//", "///", "mailto:", "javascript:", "x:", ""]),
        st.text(st.sampled_from("aZß１.-_%[]:@ \\\u200b\u3002\ud800"), max_size=12),
        st.sampled_from(["", ":80", ":99999", ":x", "/", "/../", "/%2E%2e/", "?", "#"]),
        st.text(max_size=12),
    ),
)
BASES = st.one_of(st.none(), HREFS)


@given(HREFS, BASES)
def test_a_url_cannot_end_its_link_or_run_scripts(href, base):
    url = LinkResolver(PAGE, base).resolve(href)
    if url is None:
        return
    assert re.fullmatch(r"(https?://[a-z0-9._%@\[-][!-~]*|mailto:[!-~]*)", url)
    assert re.fullmatch(r"[!-~]+", markdown_url(url))
    assert not set("<>|\\`") & set(markdown_url(url))
    shown = render(f"a [x]({markdown_url(url)}) b [x][1]\n\n[1]: {markdown_url(url)}")
    assert [anchor.text for anchor in shown.iter("a")] == ["x", "x"]
    assert shown.text_content().strip() == "a x b x"


@given(HREFS)
def test_resolving_is_idempotent(href):
    resolver = LinkResolver(PAGE)
    url = resolver.resolve(href)
    if url is None or url.startswith("mailto:"):
        return
    assert resolver.resolve(url) == url
    assert ascii_host(host(url)) == host(url)
    assert not {".", "..", "%2e", "%2e%2e"} & set(urlsplit(url.lower()).path.split("/"))


def host(url):
    netloc = urlsplit(url).netloc.rpartition("@")[2]
    return netloc if netloc.endswith("]") else netloc.partition(":")[0]


@given(st.text(st.sampled_from("a/.%2Ee"), max_size=30))
def test_removing_dot_segments_is_idempotent(path):
    bare = remove_dot_segments("/" + path)
    assert remove_dot_segments(bare) == bare
    assert bare.startswith("/")
    assert not {".", ".."} & {segment.lower().replace("%2e", ".") for segment in bare.split("/")}
    plain = "/" + path.lower().replace("%2e", ".")
    assert urlsplit(urljoin("http://a.test", bare)).path == bare or "//" in bare
    assert bare.lower().replace("%2e", ".") == remove_dot_segments(plain)


@pytest.mark.parametrize("name", ["new ticket", "image", "selflink", "nav new"])
def test_the_classes_of_a_wikis_links_say_nothing_elsewhere(name):
    text = "The mill at Arden has two wheels; the lower one drives a saw that was added in 1831."
    body = f'<main><h1>Mills</h1><p>{text} <a class="{name}" href="/saw">The saw</a>.</p></main>'
    page = convert(body, "https://a.example/mills", wiki=False)
    assert page.links == ("https://a.example/saw",)
    assert "[The saw](https://a.example/saw)" in page.markdown
    container = (
        f'<div class="mw-parser-output"><p>{text} <a class="{name}" href="/saw">S</a></p></div>'
    )
    assert convert(container, "https://a.example/mills", wiki=True).links == ()


@pytest.mark.parametrize("name", ["moin-nonexistent", "nonexistent"])
def test_a_link_of_moin_to_a_page_that_does_not_exist_is_none(name):
    body = f'<main><p>Wheat is <a class="{name}" href="/ground">ground</a> in a mill.</p></main>'
    page = convert(body, "https://a.example/mills", wiki=False)
    assert page.links == ()
    assert page.markdown == "Wheat is ground in a mill."


def test_a_red_link_is_none_though_its_wiki_is_not_known():
    body = '<main><p>A <a class="new" href="/w/index.php?title=R&amp;redlink=1">red</a> link</p>'
    page = convert(body, "https://a.example/mills", wiki=False)
    assert page.links == ()
    assert "](" not in page.markdown
