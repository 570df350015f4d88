"""Random text in random structures: the rendered Markdown has the same facts as the page."""

from __future__ import annotations

from html import escape

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.content.fidelity import check_fragment
from tests.content.rendering import page
from wikicrawler.content import convert
from wikicrawler.errors import ContentError

URL = "https://wiki.example/wiki/T"
TOKENS = (
    *"ab1 .-+*_#>|[]()!<&;:`~=\\\"'$^{}/é字「ا",
    *("](", "![", "---", "===", "1. ", "- ", "[x]", "[^1]", "&lt;", "```", "**", "~~", "word "),
    *("http://a.b", "www.a.b", "<b>", "<!--", "\n", "    "),
)

text = st.lists(st.sampled_from(TOKENS), min_size=1, max_size=8).map("".join)
words = text.map(escape)


def element(tag: str, inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return inner.map(lambda content: f"<{tag}>{content}</{tag.partition(' ')[0]}>")


def many(inner: st.SearchStrategy[str], least: int = 1, most: int = 3) -> st.SearchStrategy[str]:
    return st.lists(inner, min_size=least, max_size=most).map("".join)


formats = ("b", "i", "s", "code", "sup", "span")
formatted = st.recursive(
    words | st.just("<br>"),
    lambda inner: st.sampled_from(formats).flatmap(lambda tag: element(tag, many(inner))),
    max_leaves=4,
)
link = st.sampled_from(("/wiki/W", "/x_y*z", "//b.example/(c)")).flatmap(
    lambda href: element(f"a href='{href}'", many(formatted))
)
inline = (
    formatted
    | link
    | st.sampled_from(formats).flatmap(lambda tag: element(tag, many(formatted | link)))
)
paragraph = element("p", many(inline))
heading = st.sampled_from("123456").flatmap(lambda level: element(f"h{level}", many(inline)))
code_block = element("pre", many(words))


@st.composite
def data_table(draw: st.DrawFn) -> str:
    """Return a data table. The first cells span rows and the others columns, so that no two
    overlap: browsers differ in which of two overlapping cells they show."""

    def cell(attribute: str) -> str:
        tag, span = draw(st.sampled_from(["td", "td", "th"])), draw(st.sampled_from("11120"))
        return f"<{tag} {attribute}={span}>{draw(many(inline, 0, 2))}</{tag}>"

    def row() -> str:
        others = draw(st.integers(1, 3))
        return f"<tr>{cell('rowspan')}{''.join(cell('colspan') for _ in range(others))}</tr>"

    caption = draw(st.just("") | element("caption", words))
    rows = "".join(row() for _ in range(draw(st.integers(2, 4))))
    return f"<table class='wikitable'>{caption}{rows}</table>"


def within(block: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    item = element("li", st.builds("{}{}".format, many(inline), many(block, 0, 2)))
    return st.one_of(
        element("ul", many(item)),
        element("ol", many(item)),
        element("blockquote", many(block)),
        element("div", many(block)),
        element("dl", many(st.one_of(element("dt", words), element("dd", many(inline))))),
    )


blocks = st.recursive(paragraph | code_block, within, max_leaves=5)
pages = many(st.one_of(blocks, heading, data_table()), 1, 3)


@settings(max_examples=200, derandomize=True, suppress_health_check=list(HealthCheck))
@given(pages)
def test_rendered_markdown_has_the_facts_of_the_page(inner):
    try:
        markdown = convert(page(inner), URL).markdown
    except ContentError:
        return
    report = check_fragment(inner, markdown, URL)
    for kind in ("headings", "cells", "code", "links"):
        assert report.perfect(kind), report.describe(kind)
    assert not report.missing["symbols"], report.describe("symbols")
