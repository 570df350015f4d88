"""Conversion of MediaWiki pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.content.rendering import page
from wikicrawler.content import convert
from wikicrawler.errors import ContentError, Reason

URL = "https://wiki.example/wiki/Eisengolem"
SKIN = (Path(__file__).with_name("golden") / "wiki_skin.html").read_text()


def test_a_skin_page_has_title_categories_and_metadata():
    content = convert(SKIN, URL)
    assert content.title == "Eisengolem"
    assert content.categories == ("Golems", "Eiserne Dinge")
    assert content.metadata == {
        "wiki": True,
        "canonical": "https://wiki.example/wiki/Eisengolem",
        "lang": "de-AT",
        "revid": 1234,
        "namespace": 4,
        "redirected_from": "Alter Golem",
        "edit_uri": "https://wiki.example/api.php?action=rsd",
        "article_path": "/wiki/$1",
        "page_name": "Eisengolem",
        "script": "/index.php",
    }


def test_api_response_and_skin_page_give_the_same_content():
    start = SKIN.index('<div class="mw-parser-output">')
    parse = SKIN[start : SKIN.index('<div class="printfooter">')].removesuffix("</div>")
    for chrome in ('<div id="toc"', '<span class="mw-editsection"'):
        assert chrome in parse
    api = f'<!DOCTYPE html><html lang="de-AT"><head><title>Eisengolem</title></head><body>{parse}'
    skin, wrapped = convert(SKIN, URL), convert(f"{api}</body></html>", URL)
    assert wrapped.markdown == skin.markdown
    assert wrapped.links == skin.links
    assert wrapped.title == skin.title
    assert wrapped.metadata["lang"] == skin.metadata["lang"]


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>A - B - Wiki</title><meta charset='utf-8'><body><p>x", "A - B"),
        ("<title>A - B</title><body><p>x", "A - B"),
        ("<title>T - W</title><meta charset='utf-8'><h1 id='firstHeading'>Right</h1><p>x", "Right"),
    ],
)
def test_the_title_is_the_heading_or_the_title_without_the_sites_name(html, title):
    assert convert(html, URL, wiki=True).title == title


@pytest.mark.parametrize(
    ("html", "wiki"),
    [
        ('<p>x</p><div class="mw-parser-output"><p>y</p></div>', True),
        ('<head><meta name="generator" content="MediaWiki 1.43"></head><p>x</p>', True),
        ('<body class="skin mediawiki"><p>x</p>', True),
        ('<head><meta name="generator" content="WordPress"></head><p>x</p>', False),
    ],
)
def test_a_wiki_page_is_detected(html, wiki):
    assert convert(html, URL).metadata["wiki"] is wiki


def test_links_are_collected_from_the_content_and_from_navigation_boxes():
    content = convert(
        page(
            '<p><a href="/wiki/B#X">b</a> <a href="/wiki/A">a</a> <a href="/wiki/B">b again</a>'
            '<a class="new" href="/w/index.php?title=R&amp;action=edit&amp;redlink=1">red</a>'
            '<a class="mw-selflink selflink">self</a><a href="/wiki/Eisengolem#Y">place</a>'
            '<a href="mailto:x@example.org">m</a><a href="javascript:x()">j</a></p>'
            '<span class="mw-editsection"><a href="/wiki/Eisengolem?action=edit">edit</a></span>'
            '<div class="navbox"><span class="navbar"><a href="/wiki/Template:N">v</a></span>'
            '<a href="/wiki/N">n</a></div><nav><a href="/wiki/O">o</a></nav>'
            '<div class="catlinks"><a href="/wiki/C">c</a></div>'
        ),
        URL,
    )
    expected = ["B", "A", "N", "O"]
    assert content.links == tuple(f"https://wiki.example/wiki/{name}" for name in expected)
    assert content.markdown == (
        "[b](https://wiki.example/wiki/B#X) [a](https://wiki.example/wiki/A) "
        "[b again](https://wiki.example/wiki/B)redself"
        "place[m](mailto:x@example.org)j"
    )


def test_hidden_tab_panels_are_kept_and_hidden_sort_keys_are_dropped():
    content = convert(
        page(
            '<div class="tabber"><div class="tabbertab" title="One" style="display:none"><p>panel'
            '</p></div></div><p><span style="display: none">7003</span>1,000</p>'
        ),
        URL,
    )
    assert content.markdown == "**One**\n\npanel\n\n1,000"


@pytest.mark.parametrize(
    "html",
    [
        "",
        " \n",
        "<!-- only a comment -->",
        "<!DOCTYPE html>",
        b"\x00\x00",
        "<html></html>",
        "<body class=mediawiki></body>",
        '<div class="mw-parser-output"><img src="x"></div>',
    ],
)
@pytest.mark.parametrize("wiki", [True, False, None])
def test_a_document_without_text_fails_with_empty(html, wiki):
    with pytest.raises(ContentError) as caught:
        convert(html, URL, wiki=wiki)
    assert caught.value.reason is Reason.EMPTY


@pytest.mark.parametrize(
    "html",
    [
        "<",
        "plain text",
        "<table><td>x",
        "<li>x",
        "<dd>x",
        "<tr><td>x",
        "<a>x",
        "<a href>x</a>",
        "<td rowspan=x colspan=-1>x",
        "<ol start=-5><li>x",
        '<base href="http://[">x<a href="http://[::1/">y</a>',
        "<ruby><rt>x",
        "<dl><p>x</dl>",
    ],
)
@pytest.mark.parametrize("wiki", [True, False])
def test_malformed_documents_convert(html, wiki):
    assert convert(html, URL, wiki=wiki).markdown


def test_pages_with_invalid_urls_convert():
    for url in ("", "http://[", "no url", "http://x.example:99999/"):
        assert convert(page('<p><a href="b">x</a></p>'), url).markdown


@pytest.mark.parametrize(
    ("body", "encoding", "text"),
    [
        ("<p>Größe</p>".encode("latin-1"), None, "Größe"),
        ("<p>Größe</p>".encode("utf-16"), None, "Größe"),
        ('<meta charset="windows-1251"><p>Тралл</p>'.encode("cp1251"), None, "Тралл"),
        ("<p>Größe</p>".encode(), "utf-8", "Größe"),
        ("<p>Größe</p>".encode(), "no-such-encoding", "Größe"),
    ],
)
def test_bytes_are_decoded_as_browsers_do(body, encoding, text):
    assert convert(body, URL, encoding=encoding, wiki=True).markdown == text


REDIRECTED = """<!DOCTYPE html><html><head><title>Amber</title><meta name="generator"
content="MediaWiki 1.39"><link rel="canonical" href="{canonical}"></head><body class="mediawiki">
<h1 id="firstHeading">Amber</h1><div id="contentSub"><span class="mw-redirectedfrom">(Redirected
from <a href="/wiki/Ambre?redirect=no" title="Ambre">Ambre</a>)</span></div><div
class="mw-parser-output"><p>Text with a <a href="{href}">link</a>.</p></div></body></html>"""


@pytest.mark.parametrize(
    ("href", "links"),
    [
        ("/wiki/Amber#History", ()),
        ("/wiki/Amber", ()),
        ("Amber#History", ()),
        ("https://wiki.example/wiki/Amber#History", ()),
        ("#History", ()),
        ("/wiki/Ambre", ("https://wiki.example/wiki/Ambre",)),
        ("/wiki/Ambre#History", ("https://wiki.example/wiki/Ambre",)),
        ("/wiki/Jet#History", ("https://wiki.example/wiki/Jet",)),
        ("Jet", ("https://wiki.example/wiki/Jet",)),
        ("/wiki/Amber/Colour", ("https://wiki.example/wiki/Amber/Colour",)),
    ],
)
def test_links_of_a_page_at_the_address_of_a_redirect_are_those_of_its_target(href, links):
    canonical = "https://wiki.example/wiki/Amber"
    html = REDIRECTED.format(canonical=canonical, href=href)
    at_redirect = convert(html, "https://wiki.example/wiki/Ambre")
    assert at_redirect.links == links
    assert ("](" in at_redirect.markdown) == bool(links)
    plain = html.replace("mw-redirectedfrom", "x")
    at_target = convert(plain, canonical)
    assert (at_target.links, at_target.markdown) == (at_redirect.links, at_redirect.markdown)


def test_a_canonical_address_of_another_host_is_not_the_pages_own():
    html = REDIRECTED.format(canonical="https://other.example/wiki/Amber", href="/wiki/Ambre#Top")
    assert convert(html, "https://wiki.example/wiki/Ambre").links == ()
