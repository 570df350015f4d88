"""The Markdown of hostile pages is inert.

A renderer that passes HTML through, as by default, produces only the elements of Markdown, and only
links that are on the page and lead to the web or to mail addresses.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.content.rendering import page, render, rendered_text
from wikicrawler.content import convert
from wikicrawler.errors import ContentError

URL = "https://wiki.example/wiki/T"
ELEMENTS = {
    *("a", "blockquote", "br", "code", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr"),
    *("li", "ol", "p", "pre", "s", "strong", "sub", "sup", "table", "tbody", "td", "th"),
    *("thead", "tr", "ul"),
}
ATTRIBUTES = {("a", "href"), ("code", "class"), ("ol", "start"), ("td", "style"), ("th", "style")}
HREFS = (
    *("javascript:alert(1)", "JaVaScript:alert(1)", " java&#10;script:alert(1)"),
    *("&#1;javascript:x", "vbscript:x", "data:text/html,&lt;script&gt;", "file:///etc/passwd"),
    *("blob:x", "//b.example/a", "https://a.example/)", 'https://a.example/" onclick="x'),
    *("https://a.example/ 'title'", "https://a.example/&gt;&lt;script&gt;"),
    *("https://a.example/](javascript:x)", "x:y", "&lt;x&gt;", "https://bob:pw@a.example/"),
    *("mailto:a@b.example?body=&lt;script&gt;)", "http://[::1", "/a\\", "javascript&colon;x"),
    *("https://a.example/?q=&amp;amp;lt;script&amp;amp;gt;|", "/wiki/`x`"),
)
TEXTS = (
    *("word", "[x](javascript:alert(1))", "![x](https://t.example/p.png)", "[x]: javascript:x"),
    *("[x]", "[", "]", "(", ")", "!", "](", "`", "``", "```", "~~~", "|", "\\", "*", "_"),
    *("&lt;", "&gt;", "&lt;script&gt;alert(1)&lt;/script&gt;", "&lt;img src=x onerror=x&gt;"),
    *("&lt;javascript:x&gt;", "&lt;https://t.example/&gt;", "&lt;!--", "--&gt;", "&lt;?x"),
    *("&lt;![CDATA[", "&lt;/p&gt;", ":", "&amp;lt;script&amp;gt;"),
    *("&#91;x&#93;&#40;javascript:x&#41;", "&amp;#60;b&amp;#62;", "\u2028", "&lt;sup"),
    *("&lt;a href=x&gt;", "\n", "\n\n", "\n    ", "# ", "- ", "1. ", "> ", "---", "&nbsp;"),
)
TAGS = (
    *("a", "b", "i", "s", "code", "sup", "sub", "span", "p", "div", "pre", "h2", "li", "ul"),
    *("ol", "table class=wikitable", "table class=infobox", "tr", "td", "th", "caption", "dl"),
    *("dt", "dd", "blockquote", "q", "svg onload=x", "script", "style", "textarea", "title"),
    *("math", "noscript", "iframe src=javascript:x", "form action=javascript:x"),
    *("object data=x", "details", "figure"),
)
pieces = st.one_of(
    st.sampled_from(TEXTS),
    st.sampled_from(HREFS).map(lambda href: f"<a href='{href}'>"),
    st.sampled_from(HREFS).map(lambda href: f'<a href="{href}" title="](javascript:x)">'),
    st.sampled_from(HREFS).map(lambda src: f'<img src="{src}" alt="![x](javascript:x)">'),
    st.sampled_from(TAGS).map(lambda tag: f"<{tag}>"),
    st.sampled_from(TAGS).map(lambda tag: f"</{tag.partition(' ')[0]}>"),
    st.just("<br>"),
)
bodies = st.lists(pieces, min_size=1, max_size=14).map("".join)


def article(inner: str) -> str:
    prose = "<p>Words of an article, so many that nobody doubts that it is one, and then some.</p>"
    return f"<html><body><article><h1>T</h1>{prose * 4}{inner}{prose * 4}</article></body></html>"


def assert_inert(markdown: str) -> None:
    for el in render(markdown).iter():
        assert el.tag in ELEMENTS, (el.tag, markdown)
        for name, value in el.items():
            assert (el.tag, name) in ATTRIBUTES, (el.tag, name, value, markdown)
        if el.tag == "a":
            href = el.get("href")
            assert urlsplit(href).scheme in {"http", "https", "mailto"}, markdown
            assert "@" not in urlsplit(href).netloc, markdown


@settings(max_examples=400, derandomize=True, suppress_health_check=list(HealthCheck))
@given(bodies, st.sampled_from([page, article]))
def test_the_markdown_of_any_page_is_inert(inner, whole) -> None:
    try:
        content = convert(whole(inner), URL)
    except ContentError:
        return
    assert "t.example" not in {urlsplit(link).hostname for link in content.links}
    for link in content.links:
        assert urlsplit(link).scheme in {"http", "https"}
        assert "@" not in urlsplit(link).netloc
    assert_inert(content.markdown)
    hosts = {urlsplit(a.get("href")).hostname for a in render(content.markdown).iter("a")}
    assert "t.example" not in hosts, content.markdown  # it occurs only in text


def test_a_code_block_in_a_list_in_a_link_stays_a_code_block() -> None:
    inner = "<a href='/b'><ol><ul><code>&lt;script&gt;x<p>&lt;/script&gt;</code></ul></ol></a>"
    markdown = convert(page(f"<p>Words.</p>{inner}"), URL).markdown
    assert_inert(markdown)
    code = render(markdown).findtext(".//pre/code")
    assert code.split() == ["<script>x", "</script>"]


@pytest.mark.parametrize("tag", ["sup", "sub"])
@pytest.mark.parametrize(
    "block", ["<li>", "<p>", "<br><br>", "<h2>", "<table><tr><td>a<td>", "<dd>"]
)
def test_superscript_around_a_block_does_not_turn_the_block_into_html(tag, block) -> None:
    script = "&lt;script&gt;alert(1)&lt;/script&gt;"
    markdown = convert(page(f"<p>Words.</p><{tag}>{block}{script}<p>{script}"), URL).markdown
    assert_inert(markdown)
    assert "<script>alert(1)</script>" in rendered_text(markdown)
