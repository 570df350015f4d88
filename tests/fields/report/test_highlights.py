"""Evidence is highlighted exactly where it is, whatever the text."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import html as lxml_html

from wikicrawler.fields.report import highlights
from wikicrawler.fields.report.escaping import shown
from wikicrawler.fields.report.highlights import Highlight, excerpt, is_place, marked

# With the characters that HTML parsers change, drop or refuse, and lone surrogates.
ODD = "<>&\"'\r\n\t\x00\x0b\x0c\x1b\x7f\x85\xa0\xad\u0301\u200b\u200d\u202e\u2028\ud800\udfff\ufffe"
CHARACTERS = st.one_of(
    st.sampled_from([*ODD, *"\U0001f1e9\U0001f468\u200d\U0010ffff\U000e0041\ufdd0مא中é"]),
    st.characters(),
)
TEXTS = st.text(CHARACTERS, min_size=1, max_size=60)


@st.composite
def spans(draw: st.DrawFn) -> tuple[str, list[Highlight]]:
    text = draw(TEXTS)
    count = draw(st.integers(1, 8))
    found = []
    for number in range(count):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        found.append(Highlight(start, end, f"evidence-{number}", "price"))
    return text, found


def read(html: str) -> lxml_html.HtmlElement:
    page = f"<!DOCTYPE html><meta charset=utf-8><body><div>{html}</div>"
    return lxml_html.document_fromstring(page.encode()).xpath("//div")[0]


def text_at(root: lxml_html.HtmlElement, name: str) -> str:
    parts = root.xpath("//mark[@id=$name or @data-continues=$name]", name=name)
    return "".join(part.text_content() for part in parts)


@given(spans())
@example(("abcdef", [Highlight(0, 3, "evidence-0", ""), Highlight(2, 5, "evidence-1", "")]))
@example(("abcdef", [Highlight(0, 4, "evidence-0", ""), Highlight(0, 2, "evidence-1", "")]))
def test_each_highlight_has_its_text_and_the_page_has_all(
    case: tuple[str, list[Highlight]],
) -> None:
    text, found = case
    root = read(marked(text, found, 0, len(text)))
    assert root.text_content() == shown(text)
    for one in found:
        assert text_at(root, one.id) == shown(text[one.start : one.end])
    ids = [mark.get("id") for mark in root.xpath("//mark[@id]")]
    assert sorted(ids) == sorted(one.id for one in found)


@given(TEXTS)
def test_only_what_cannot_be_seen_is_changed(text: str) -> None:
    kept = shown(text)
    if all(char.isprintable() or char in "\n\t" for char in text):
        assert kept == text
    assert not set(kept) & set("\r\x00\x1b\u202e\u200b\ud800\u2066")
    assert shown(kept) == kept


@pytest.mark.parametrize(
    "text", ["می\u200cخواهم", "👨\u200d👩\u200d👧", "e\u0301", "soft\u00adhyphen"]
)
def test_the_spelling_of_languages_stays(text: str) -> None:
    assert shown(text) == text


@pytest.mark.parametrize(
    "text", ["\u202etxt.exe", "a\u200bb", "\x1b[31m", "\U000e0041", "\x00", "\r\n", "\ud800"]
)
def test_what_deceives_is_named(text: str) -> None:
    assert shown(text) != text
    assert shown(text).isprintable() or "\n" in text


LONG = "".join(f"Line {number:05} of the page\n" for number in range(2_000))


def at(quote: str, number: int = 1) -> Highlight:
    start = LONG.index(quote)
    return Highlight(start, start + len(quote), f"evidence-{number}", "line")


def test_a_long_page_is_cut_around_its_evidence() -> None:
    first, second = at("Line 00500", 1), at("Line 01500", 2)
    found = excerpt(LONG, [second, first])
    root = read(found.html)
    shown_texts = [div.text_content() for div in root.xpath(".//div[@class='text']")]
    assert [text_at(root, one.id) for one in (first, second)] == ["Line 00500", "Line 01500"]
    assert all(text in LONG for text in shown_texts)
    gaps = [int(p.text.split()[0].replace(",", "")) for p in root.xpath(".//p[@class='cut']")]
    assert sum(gaps) == found.left_out == len(LONG) - sum(map(len, shown_texts))
    assert len(gaps) == 3
    assert sum(map(len, shown_texts)) == 2 * (2 * highlights.CONTEXT + len("Line 00500"))


def test_evidence_that_is_near_shares_its_surroundings() -> None:
    found = excerpt(LONG, [at("Line 00500", 1), at("Line 00505", 2)])
    root = read(found.html)
    assert len(root.xpath(".//div[@class='text']")) == 1


def test_a_short_page_is_shown_whole() -> None:
    found = excerpt("A page.", [])
    assert read(found.html).text_content() == "A page.\n"
    assert found.left_out == 0


def test_of_a_long_page_without_evidence_the_beginning_is_shown() -> None:
    found = excerpt(LONG, [])
    (div,) = read(found.html).xpath(".//div[@class='text']")
    assert LONG.startswith(div.text_content())
    assert found.left_out == len(LONG) - len(div.text_content()) > 0


def test_an_empty_page_has_no_text() -> None:
    assert excerpt("", []) == ("", frozenset(), 0)


def test_a_page_never_takes_more_than_its_room() -> None:
    text = "word " * 200_000
    many = [
        Highlight(start, start + 4, f"evidence-{start}", "word")
        for start in range(0, len(text) - 10, 2_000)
    ]
    found = excerpt(text, many)
    assert len(text) - found.left_out <= highlights.MAX_SHOWN
    assert 0 < len(found.ids) < len(many)
    root = read(found.html)
    assert {mark.get("id") for mark in root.xpath(".//mark")} == found.ids
    staircase = [Highlight(n, 500 + n, f"evidence-{n}", "word") for n in range(400)]
    assert len(excerpt(text, staircase).ids) <= highlights.MAX_HIGHLIGHTS


@pytest.mark.parametrize(
    ("start", "end", "text"),
    [(0, 0, ""), (-2, 3, "x"), (3, 2, ""), (0, 99, "A page."), (0, 1, "B"), (2, 3, "P")],
)
def test_evidence_that_is_not_in_the_text_is_no_place(start: int, end: int, text: str) -> None:
    assert not is_place("A page.", start, end, text)
    assert is_place("A page.", 2, 6, "page")
