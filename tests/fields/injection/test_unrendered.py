"""What of a content in HTML is not rendered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import LIMIT, growth
from wikicrawler.fields.definitions.define import define_fields
from wikicrawler.fields.findings import stated_findings
from wikicrawler.fields.injection.marks import HIDDEN
from wikicrawler.fields.injection.unrendered import is_html, unrendered_spans


def unrendered(text: str) -> list[str]:
    return [text[start:end] for start, end in unrendered_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<p>Price: 1</p>", []),
        ("<p title='Price: 1'>x</p>", ["'Price: 1'"]),
        ('<img alt="a > b" data-price=1>', ['"a > b"', "1"]),
        ("<INPUT VALUE='1'/>", ["'1'"]),
        ("<script>price = '<b>1</b>'</script><p>2</p>", ["price = '<b>1</b>'"]),
        ("<template><p>1</p></template><p>2</p>", ["<p>1</p>"]),
        ("<style>p{}</STYLE ><p>2", ["p{}"]),
        ("<p>2</p><script>1", ["1"]),
        ("<time datetime='2026-01-02'>today</time> <a href='mailto:a@b.example'>mail</a>", []),
        ("<p>1 < 2 and 'x' > 'y'</p>", []),
        ("<p title='1", []),
    ],
)
def test_attributes_scripts_and_templates_are_not_rendered(text: str, expected: list[str]) -> None:
    assert unrendered(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<!DOCTYPE html><p>x", True),
        ("\ufeff \n<!doctype HTML>", True),
        ("<div class='a'>x</div>", True),
        ("# Title\n\n<div class='a'>x</div>", False),
        ("<https://example.org/> is a site", False),
        ("a < b", False),
        ("", False),
    ],
)
def test_markdown_is_no_html(text: str, expected: bool) -> None:
    assert is_html(text) is expected


PRODUCT = (
    '<html><head><script type="application/ld+json">{"@context": "https://schema.org",'
    ' "@type": "Product", "name": "Mill", "sku": "M-77"}</script></head><body>%s</body>'
)


@pytest.mark.parametrize(("shown", "marks"), [("", (HIDDEN,)), ("<p>Number M-77</p>", ())])
def test_a_value_that_only_a_script_states_is_hidden(shown: str, marks: tuple[str, ...]) -> None:
    html = PRODUCT % shown
    (found,) = stated_findings(html, "u", html, (), define_fields({"sku": "string"}))
    assert (found.value, found.marks) == ("M-77", marks)


@given(st.text(alphabet="<>/='\" ascriptp-\n"))
def test_no_text_raises(text: str) -> None:
    last = 0
    for start, end in unrendered_spans(text):
        assert last <= start < end <= len(text)
        last = end


@pytest.mark.parametrize(
    "piece",
    [
        "<a ",
        "<a b='",
        '<a b="',
        "<a b='>",
        "<script>",
        "</script>",
        "<a b=c ",
        "<a b=''>",
        "b=",
        "<",
    ],
)
def test_the_time_is_linear(piece: str) -> None:
    def search(text: str) -> object:
        return list(unrendered_spans(text))

    def repeated(size: int) -> str:
        return piece * (size // len(piece))

    assert growth(search, repeated, 8_000) < LIMIT
    assert growth(search, lambda size: f"<a {repeated(size)}", 8_000) < LIMIT
