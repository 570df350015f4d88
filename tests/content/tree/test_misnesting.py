"""Text stands in the blocks in which a browser shows it, and pages without need cost no more."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.content.tree.blocks import blocks_of
from tests.content.tree.misnested import CASES, HARMLESS, LEFT, random_page
from wikicrawler.content import browser_tree, convert, parse
from wikicrawler.content.browser_tree import MAX_COPIES, MAX_ROOT_TAGS

if TYPE_CHECKING:
    from lxml.html import HtmlElement

ARTICLE = "<p>" + "The swans of the lake come back in March, and leave it in October. " * 5


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The pages whose tree is built as browsers do."""
    pages: list[bytes] = []
    build = browser_tree.browser_tree

    def kept(source: bytes, parser: object) -> HtmlElement | None:
        pages.append(source)
        return build(source, parser)  # type: ignore[arg-type]

    monkeypatch.setattr(browser_tree, "browser_tree", kept)
    return pages


def blocks(page: str) -> list[str]:
    root = parse.parse(parse.utf8(page))
    assert root is not None
    return blocks_of(root)


@pytest.mark.parametrize(("page", "expected"), CASES.values(), ids=CASES)
def test_text_of_a_misnested_page_stands_where_browsers_show_it(page, expected):
    assert blocks(page) == expected


@pytest.mark.parametrize(("page", "expected"), HARMLESS.values(), ids=HARMLESS)
def test_other_pages_are_left_to_libxml2(page, expected, built):
    assert blocks(page) == expected
    assert not built


@pytest.mark.parametrize(("page", "expected"), LEFT.values(), ids=LEFT)
def test_pages_left_as_they_are_have_all_their_text(page, expected, built):
    assert words(blocks(page)) == words(expected)
    assert not built


def words(lines: list[str]) -> str:
    return "".join(line.partition(": ")[2] for line in lines)


@pytest.mark.parametrize("menu", ["<nav><div>{}</nav>", "<header><div><ul><li>{}</header>"])
@pytest.mark.parametrize("main", ["<main>{}</main>", "<article>{}</article>", "{}"])
def test_an_unclosed_menu_does_not_take_the_page_with_it(menu, main):
    page = menu.format("<a href=/m>Menu</a>") + main.format(ARTICLE)
    assert convert(page, "https://site.test/", wiki=False).markdown.startswith("The swans")


def test_mistakes_beyond_those_that_libxml2_reports_count():
    page = "<div></p></div>" * 200 + CASES["nav over an open div"][0]
    assert blocks(page) == CASES["nav over an open div"][1]


def test_a_random_mistake_loses_no_text():
    for seed in range(200):
        page = random_page(seed)
        text = re.sub(r"<[^>]*>|\s", "", page)
        assert sorted(words(blocks(page))) == sorted(text), page


def test_the_tree_has_what_the_page_has(built):
    page = (
        "<nav><div></nav>"
        "<p id=one CLASS='two three' hidden @click=x {{y}}=z data-ä=1>&amp;é\U0001f600"
        "<o:p>office</o:p><pre>\n\n x\n</pre><!-- lost --><?lost lost?>"
        "<template><b>t</b></template><noscript><i>n</i></noscript>"
        '<svg viewBox="0 0"><foreignObject>s</foreignObject></svg><a"b>q'
    )
    root = parse.parse(page.encode())
    assert built
    assert root is not None
    p = root.find(".//p")
    assert dict(p.attrib) == {
        "id": "one",
        "class": "two three",
        "hidden": "",
        "@click": "x",
        "data-ä": "1",
    }
    assert p.text == "&é\U0001f600"
    assert [el.tag for el in p] == ["o:p"]
    assert root.find(".//pre").text == "\n x\n"
    assert root.findtext(".//template/b") == "t"
    assert root.findtext(".//noscript/i") == "n"
    assert root.findtext(".//svg/foreignobject") == "s"
    assert root.findtext(".//unknown") == "q"
    assert "lost" not in root.text_content()
    assert type(p) is type(root)
    assert hasattr(p, "drop_tree")


@pytest.mark.parametrize("reference", ["&#1;", "&#xb;", "\x01", "\x0c", "&#xFFFF;"])
def test_characters_that_no_record_may_have_are_left_out(reference, built):
    page = f"<nav><div></nav><p title='a{reference}b' x{reference}y=1>c{reference}d<a{reference}b>e"
    root = parse.parse(page.encode())
    assert built
    assert root is not None
    p = root.find(".//p")
    assert p.get("title").replace("\ufffd", "") == "ab"
    assert root.text_content().replace("\ufffd", "") == "cde"


def test_an_element_of_the_body_has_all_attributes_of_its_tags(built):
    page = "<body lang=de><nav><div></nav><body class=x lang=en>text"
    root = parse.parse(page.encode())
    assert built
    assert root is not None
    assert dict(root.find("body").attrib) == {"lang": "de", "class": "x"}


def test_tags_of_the_document_beyond_the_limit_are_ignored():
    bodies = "".join(f"<body a{number}=x>y" for number in range(20_000))
    root = parse.parse(f"<nav><div></nav>{bodies}".encode())
    assert root is not None
    assert len(root.find("body").attrib) == MAX_ROOT_TAGS
    assert root.text_content() == "y" * 20_000


def test_unclosed_formatting_is_not_copied_without_end():
    fonts = "".join(f"<font size={number}>" for number in range(500))
    root = parse.parse(f"<nav><div></nav>{fonts}{'<p>x' * 20_000}".encode())
    assert root is not None
    assert sum(1 for _ in root.iter()) < MAX_COPIES
    assert root.text_content() == "x" * 20_000


def test_formatting_of_a_large_page_is_kept():
    page = "<nav><div></nav>" + "<p>one <b>two</b> <code class=x>three</code>" * 5_000
    root = parse.parse(page.encode())
    assert root is not None
    assert sum(1 for _ in root.iter("b")) == 5_000
