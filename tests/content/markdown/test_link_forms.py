"""Forms of links: inline, with references, relative to the page, and as text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import pytest
from hypothesis import HealthCheck, given, settings
from lxml import html as lxml_html

from tests.content.fidelity.test_random_pages import pages
from tests.content.rendering import page, render
from tests.content.test_golden import GOLDEN, PAGES, URLS
from tests.growth import LIMIT, growth
from wikicrawler.content import convert
from wikicrawler.errors import ContentError

if TYPE_CHECKING:
    from wikicrawler.items import Content

URL = "https://wiki.example/wiki/T"


def markdown(inner: str, links: str, url: str = URL) -> str:
    return convert(page(inner), url, links=links).markdown


def in_forms(html: str | bytes, url: str) -> dict[str, Content]:
    return {
        form: convert(html, url, links=form)
        for form in ("inline", "references", "relative", "text")
    }


def shown(text: str) -> str:
    return lxml_html.tostring(render(text), encoding="unicode")


def absolute(text: str, url: str) -> str:
    root = render(text)
    for anchor in root.iter("a"):
        anchor.set("href", urljoin(url, anchor.get("href")))
    return lxml_html.tostring(root, encoding="unicode")


def without_links(text: str) -> str:
    root = render(text)
    lxml_html.etree.strip_tags(root, "a")
    return "".join(root.text_content().split())


def assert_equal(found: dict[str, Content], url: str) -> None:
    inline = found["inline"]
    assert shown(found["references"].markdown) == shown(inline.markdown)
    assert absolute(found["relative"].markdown, url) == shown(inline.markdown)
    assert without_links(found["text"].markdown) == without_links(inline.markdown)
    assert "<a " not in shown(found["text"].markdown)
    for form, content in found.items():
        assert content.inline_markdown == inline.markdown, form
        assert content.text == inline.text, form
        assert content.links == inline.links, form


@pytest.mark.parametrize("name", PAGES)
def test_a_page_reads_the_same_in_each_form(name):
    url = URLS[name[:4]]
    assert_equal(in_forms((GOLDEN / f"{name}.html").read_bytes(), url), url)


@settings(max_examples=200, derandomize=True, suppress_health_check=list(HealthCheck))
@given(pages)
def test_a_random_page_reads_the_same_with_references_and_relative_links(inner):
    try:
        found = in_forms(page(inner), URL)
    except ContentError:
        return
    assert shown(found["references"].markdown) == shown(found["inline"].markdown)
    assert absolute(found["relative"].markdown, URL) == shown(found["inline"].markdown)
    assert found["text"].inline_markdown == found["inline"].markdown


def test_another_form_of_links_is_an_error():
    with pytest.raises(
        ValueError, match="links is 'html', not 'inline' or 'references' or 'relative' or 'text'"
    ):
        convert(page("x"), URL, links="html")


def test_references_are_numbered_in_the_order_of_the_text_and_defined_at_its_end():
    inner = "<p><a href=/b>b</a> <a href=/a>a</a> <a href=/b>again</a></p>"
    assert markdown(inner, "references") == (
        "[b][1] [a][2] [again][1]\n\n[1]: https://wiki.example/b\n[2]: https://wiki.example/a"
    )
    assert markdown("<p>no link</p>", "references") == "no link"


def test_what_is_no_link_has_no_number():
    inner = (
        "<pre><a href=/p>p</a></pre><p><code>x<div><a href=/c>c</a></div></code><a href=/a>a</a>"
    )
    text = markdown(inner, "references")
    assert text.endswith("\n\n[a][1]\n\n[1]: https://wiki.example/a")
    assert text.startswith(markdown(inner, "inline").partition("[a]")[0])


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        ("<h2><a href=/a>A</a></h2>", "## [A][1]"),
        ("<ul><li><a href=/a>A</a></ul>", "- [A][1]"),
        ("<p>x<ul><li><pre>[1]\n[1]: y</pre></ul><a href=/a>A</a>", None),
        ("<a href=/a>A</a><pre>```\n[1]: y</pre>", "[A][1]\n\n````\n```\n[1]: y\n````"),
        ("<a href=/a>A</a><blockquote>q</blockquote>", "[A][1]\n\n> q"),
        (
            "<table class=wikitable><tr><th>h<tr><td><a href=/a>A</a></table>",
            "| h |\n| --- |\n| [A][1] |",
        ),
        ("3 <a href=/a><img alt=Fuel src=/f.png></a>", "3 [Fuel][1]"),
    ],
)
def test_definitions_are_definitions_behind_any_block(inner, text):
    found = markdown(inner, "references")
    assert found.endswith("\n\n[1]: https://wiki.example/a")
    if text is not None:
        assert found.removesuffix("\n\n[1]: https://wiki.example/a") == text
    assert [a.get("href") for a in render(found).iter("a")] == ["https://wiki.example/a"]


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        ("x<sup>[<a href=#n>1</a>]</sup> <a href=/a>A</a>", r"x\[1\] [A][1]"),
        ("[x][1] <a href=/a>A</a>", r"[x]\[1\] [A][1]"),
        ("[1][1] <a href=/a>A</a>", r"\[1\]\[1\] [A][1]"),
        ("[ 1 ] <a href=/a>A</a>", r"\[ 1 \] [A][1]"),
        ("[2] and [2024] <a href=/a>A</a>", "[2] and [2024] [A][1]"),
        ("<code>a[1]</code> <a href=/a>A</a>", "`a[1]` [A][1]"),
        ("<a href=/a>1</a>", "[1][1]"),
        ("<a href=/a>[1]</a>", r"[\[1\]][1]"),
        ("<a href=/a>A [1] b</a>", r"[A \[1\] b][1]"),
        ("[<a href=/a>1</a>]", "[[1][1]]"),
        ("[x]<a href=/a>1</a>", r"[x\][1][1]"),
        ("[x]<a href=/a>A</a>", "[x][A][1]"),
        ("<a href=/a>A</a>[x](y)", r"[A][1][x\](y)"),
    ],
)
def test_numbers_in_brackets_that_the_page_has_are_no_links(inner, text):
    found = markdown(f"<p>{inner}</p>", "references")
    assert found == f"{text}\n\n[1]: https://wiki.example/a"
    assert shown(found) == shown(markdown(f"<p>{inner}</p>", "inline"))


def test_an_image_stays_with_references_and_as_text():
    html = page('<p>x <a href=/a><img alt="1" src=/f.png width=20></a> [1] y</p>')
    image = "![1](https://wiki.example/f.png)"
    found = convert(html, URL, images="markdown", links="references").markdown
    assert found == rf"x [{image}][1] \[1\] y" + "\n\n[1]: https://wiki.example/a"
    assert convert(html, URL, images="markdown", links="text").markdown == f"x {image} [1] y"


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("Foo", "/wiki/Foo"),
        ("/wiki/Foo_(bar)?a=1#b", "/wiki/Foo_(bar)?a=1#b"),
        ("https://wiki.example/", "/"),
        ("https://wiki.example", "https://wiki.example"),
        ("http://wiki.example/a", "http://wiki.example/a"),
        ("https://wiki.example:8080/a", "https://wiki.example:8080/a"),
        ("https://wiki.example.org/a", "https://wiki.example.org/a"),
        ("https://wiki.example//other.example/a", "https://wiki.example//other.example/a"),
        ("https://other.example/wiki/Foo", "https://other.example/wiki/Foo"),
        ("mailto:a@example.org", "mailto:a@example.org"),
    ],
)
def test_a_relative_link_leads_to_the_same_address(href, target):
    found = markdown(f"<p><a href='{href}'>x</a></p>", "relative")
    inline = markdown(f"<p><a href='{href}'>x</a></p>", "inline")
    assert found == f"[x]({target})"
    assert absolute(found, URL) == shown(inline)


def test_relative_links_are_those_of_the_page_not_of_its_base():
    html = "<base href=https://other.example/x/><p><a href=a>a</a> <a href=//wiki.example/b>b</a>"
    text = convert(html, URL, links="relative").markdown
    assert text == "[a](https://other.example/x/a) [b](/b)"


def test_a_record_at_another_host_has_the_whole_addresses():
    content = convert(page("<a href=/a>a</a>"), "http://wiki.example/T", links="relative")
    assert content.markdown_at("http://wiki.example/wiki/U") == "[a](/a)"
    for url in ("https://wiki.example/T", "http://wiki.example:81/T", "http://wiki.example.org/T"):
        assert content.markdown_at(url) == "[a](http://wiki.example/a)"
    inline = convert(page("<a href=/a>a</a>"), URL)
    assert inline.markdown_at("http://other.example/") == inline.markdown


@pytest.mark.parametrize("links", ["inline", "references"])
@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("Foo_(bar)", "Foo_(bar)"),
        ("(a)_b_(c)", "(a)_b_(c)"),
        ("Foo_%28bar%29", "Foo_%28bar%29"),
        ("a(b(c)d)", "a%28b%28c%29d%29"),
        ("a(b", "a%28b"),
        ("a)b(c", "a%29b%28c"),
        ("a_(b", "a_%28b"),
    ],
)
def test_parentheses_stay_in_a_url_if_they_are_pairs(path, target, links):
    text = markdown(f"<p><a href='/{path}'>x</a></p>", links)
    assert f"https://wiki.example/{target}" in text
    assert [a.get("href") for a in render(text).iter("a")] == [f"https://wiki.example/{target}"]


@pytest.mark.parametrize(
    "text",
    [
        *("[", "[1", "[1]", "[ ", "`", "``` ", "\\[", "[1]("),
        *("<a href=/a>[1]</a>", "<code>`[1]`</code>", "<a href=/{}>x</a> "),
    ],
)
def test_the_time_of_references_is_linear(text):
    def make(size: int) -> str:
        return page("<p><a href=/a>a</a>" + "".join(text.format(n) for n in range(size)))

    assert growth(lambda html: convert(html, URL, links="references"), make, 500) < LIMIT


def test_each_number_has_a_definition_and_each_definition_a_number():
    inner = "".join(f"<p><a href=/{n % 40}>{n}</a> [{n}]</p>" for n in range(100))
    text = markdown(inner, "references")
    used = re.findall(r"(?<!\\)\]\[(\d+)\]", text)
    defined = re.findall(r"(?m)^\[(\d+)\]: ", text)
    assert set(used) == set(defined)
    assert defined == [str(n) for n in range(1, 41)]
