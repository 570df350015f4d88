"""The original HTML is shown as its text and structure."""

from __future__ import annotations

import re

import pytest

from wikicrawler.dashboard.preview import original_document


def main_of(document: str) -> str:
    found = re.search(r"<main>(.*)</main></body></html>$", document, re.DOTALL)
    assert found
    return found[1]


def test_structure_and_text_stay_without_attributes() -> None:
    html = (
        "<!doctype html><title>x</title><body class=a><h1 id=a>One &amp; two</h1>"
        "<ul><li onclick=x>a<li>b</ul><p>c<br>d <a href=http://e/>e</a> f</p>"
        "<table><tr><td colspan=2>g</table>"
    )
    assert main_of(original_document(html, "T")) == (
        "<h1>One &amp; two</h1><ul><li>a</li><li>b</li></ul><p>c<br>d <a>e</a> f</p>"
        "<table><tr><td>g</td></tr></table>"
    )


def test_only_the_contents_of_other_elements_stay() -> None:
    body = main_of(original_document("<div><blink>a</blink><form>b<button>c</button></form>", "T"))
    assert body == "<div>abc</div>"


@pytest.mark.parametrize(
    "element", ["script", "style", "svg", "math", "iframe", "object", "template", "noembed"]
)
def test_what_acts_is_left_out_with_its_contents(element: str) -> None:
    html = f"<div>a</div><{element}>hidden</{element}><div>b</div>"
    body = main_of(original_document(html, "T"))
    assert "hidden" not in body
    assert element not in body
    assert "<div>a</div>" in body
    assert "<div>b</div>" in body


def test_an_image_is_its_alternative_text() -> None:
    body = main_of(original_document('<p><img src=x alt="a <b> cat">', "T"))
    assert body == '<p><span class="preview-image">Image: a &lt;b&gt; cat</span></p>'


def test_bytes_are_read_in_the_encoding_of_the_page() -> None:
    html = "<meta charset=iso-8859-2><p>Łódź".encode("iso-8859-2")
    assert main_of(original_document(html, "T")) == "<p>Łódź</p>"


def test_deep_elements_leave_their_text() -> None:
    body = main_of(original_document("<div>" * 3_000 + "deep", "T"))
    assert "deep" in body
    assert body.count("<div>") <= 100
    assert body.count("<div>") == body.count("</div>")


def test_a_long_page_is_cut_with_a_notice() -> None:
    document = original_document("<p>word</p>" * 100_000, "T")
    assert "Cut at 1000000 of 1100000." in document


@pytest.mark.parametrize("html", ["", " ", "<!-- -->", b"", "\x00"])
def test_an_empty_page_is_an_empty_document(html: str | bytes) -> None:
    assert main_of(original_document(html, "T")) in ("", " ")
