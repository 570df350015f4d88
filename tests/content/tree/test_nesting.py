"""Pages convert with all their text, however deep they are nested."""

from __future__ import annotations

import re

import pytest

from wikicrawler.content import convert
from wikicrawler.content.parse import parse

URL = "https://wiki.test/wiki/T"
LEVELS = {
    "div": "<div>x{} ",
    "ul": "<ul><li>x{} ",
    "ol": "<ol><li>x{} ",
    "dl": "<dl><dd>x{} ",
    "table": "<table><tr><td>x{} ",
    "blockquote": "<blockquote>x{} ",
    "section": "<section><p>x{} ",
    "span": "<span>x{} ",
    "custom element": "<x-card>x{} ",
    "mixed": "<div><ul><li><table><tr><td><blockquote>x{} ",
}


def page(level: str, count: int) -> str:
    return "<p>first </p>" + "".join(map(level.format, range(count)))


@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
@pytest.mark.parametrize("count", [1000, 5000])
def test_text_of_deep_pages_is_kept_in_order(level, count):
    markdown = convert(page(level, count), URL, wiki=True).markdown
    assert re.findall(r"x\d+", markdown) == [f"x{number}" for number in range(count)]


@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
def test_a_deep_page_that_is_no_wiki_has_an_article(level):
    markdown = convert(page(level, 5000), URL, wiki=False).markdown
    found = [int(number) for number in re.findall(r"x(\d+)", markdown)]
    assert found == list(range(found[0], 5000))


@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
def test_text_of_bottomless_pages_is_kept_in_order(level):
    root = parse(page(level, 100_000).encode())
    assert root is not None
    expected = [f"x{number}" for number in range(100_000)]
    assert root.text_content().split() == ["first", *expected]
    assert max(sum(1 for _ in el.iterancestors()) for el in list(root.iter())[::997]) <= 512


def test_a_bottomless_page_converts():
    markdown = convert(page(LEVELS["mixed"], 20_000), URL, wiki=True).markdown
    assert re.findall(r"x\d+", markdown) == [f"x{number}" for number in range(20_000)]


def test_what_follows_a_bottomless_element_is_read():
    deep = "<div>" * 100_000 + "deep" + "</div>" * 100_000
    markdown = convert(f"{deep}<h2>After</h2><ul><li>one<li>two</ul>", URL, wiki=True).markdown
    assert markdown == "deep\n\n## After\n\n- one\n- two"


@pytest.mark.parametrize("count", [300, 505, 509, 520, 1000, 2000, 3000, 50_000])
@pytest.mark.parametrize("around", ["div", "section", "main"])
def test_what_follows_a_deep_element_stays_in_its_block(around, count):
    deep = "<div>" * count + "deep" + "</div>" * count
    misnested = "<nav><div>Menu</nav>"
    for before in ("", misnested):
        root = parse(f"{before}<{around} id=it>{deep}<p>after</p></{around}><p>last".encode())
        assert root is not None
        assert root.find(f".//{around}[@id='it']").text_content() == "deepafter"


def test_tables_and_lists_in_too_many_wrappers_are_kept():
    page = (
        "<div>" * 3000 + "<table><tr><th>a<th>b<tr><td>c<td>d</table><ul><li>e<ul><li>f</ul></ul>"
    )
    markdown = convert(page, URL, wiki=True).markdown
    assert markdown == "| a | b |\n| --- | --- |\n| c | d |\n\n- e\n  - f"


@pytest.mark.parametrize("write", [str.lower, str.upper, str.title])
@pytest.mark.parametrize("name", ["embed", "source", "track", "wbr", "keygen", "bgsound"])
def test_nothing_is_inside_a_void_element(name, write):
    root = parse(f"<p>a<{write(name)} x=1><b>c</b></p>".encode())
    assert root is not None
    void = next(root.iter(name))
    assert (len(void), void.get("x"), void.getnext().tag) == (0, "1", "b")


@pytest.mark.parametrize("tags", ["</BODY ></Html>", "</body></html>"])
@pytest.mark.parametrize("closed", ["<HTML/><Body/>", "<html lang=x /><head/><body/>"])
def test_only_the_end_of_a_page_ends_its_body(tags, closed):
    root = parse(f"{closed}<p>a</p>{tags}<p>b</p>".encode())
    assert root is not None
    assert [el.text for el in root.find("body")] == ["a", "b"]
