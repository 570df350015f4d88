"""A text is found in a page in another spelling, and what is found is the page's own."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import LIMIT, growth
from wikicrawler.fields.evidence.alignment import MAX_FUZZY, Content, is_whole
from wikicrawler.fields.evidence.folding import Folded, Span, fold
from wikicrawler.fields.evidence.spellings import date_spans, number_spans

PAGE = """# The **Salt** Road

Price: **1,234.50 EUR** – [Ann O’Hara](https://example.org/a_(b) "Ann") said: “it’s *fine*”.

| Name | Qty |
| ---- | --: |
| Bob  | 14  |

- snake\\_case and `code` 3\\*4, m<sup>2</sup>, H<sub>2</sub>O
- The \\<b> tag, \\<script>
- Stra\u00dfe, cafe\u0301, \ufb01ne, Tai\u00adwan &amp; co
"""


def found(page: str, text: str) -> str | None:
    match = next(Content(page).find(text), None)
    return match and page[match.span.start : match.span.end]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Salt Road", "The **Salt** Road"),
        ("THE SALT\n ROAD", "The **Salt** Road"),
        ("Price: 1,234.50 EUR", "Price: **1,234.50 EUR"),
        ("Ann O'Hara said", 'Ann O’Hara](https://example.org/a_(b) "Ann") said'),
        ('"it\'s fine"', "“it’s *fine*”"),
        ("EUR - Ann", "EUR** – [Ann"),
        ("Name Qty Bob 14", "Name | Qty |\n| ---- | --: |\n| Bob  | 14"),
        ("snake_case", "snake\\_case"),
        ("3*4", "3\\*4"),
        ("m²", "m<sup>2"),
        ("H2O", "H<sub>2</sub>O"),
        ("The <b> tag, <script>", "The \\<b> tag, \\<script"),
        ("STRASSE", "Straße"),
        ("café", "cafe\u0301"),
        ("fine, Taiwan", "\ufb01ne, Tai\u00adwan"),
        ("Taiwan & co", "Tai\u00adwan &amp; co"),
        ("https://example.org/a_(b)", "https://example.org/a_(b)"),
        ("Sal", None),  # within a word
        ("234.50", None),  # within a number
        ("1,234", None),
        ("cafe", None),  # without the accent
        ("34", None),
        ("m2", None),
        ("Bob 15", None),
        ("", None),
        ("**", None),
        ("\u0301", None),
    ],
)
def test_a_text_is_found_in_another_spelling(text: str, expected: str | None) -> None:
    assert found(PAGE, text) == expected


def test_scripts_without_spaces_have_words_of_one_character() -> None:
    assert found("价格是１２元。", "价格") == "价格"
    assert found("价格是１２元。", "12元") == "１２元"
    assert (
        found("\u1112\u1161\u11ab\u1100\u1173\u11af", "한글")
        == "\u1112\u1161\u11ab\u1100\u1173\u11af"
    )


LONG = "The harbour of Old Kessel was built in 1842 and holds 130 boats in the winter."


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ("The harbor of Old Kessel was built in 1842 and holds 130 boats in winter.", True),
        ("harbour of Old Kessel, was build in 1842", True),
        ("The harbour of Old Kessel was built in 1843 and holds 130 boats in the winter.", False),
        ("The harbour of Old Kessel was built in 1842 and holds 13 boats in the winter.", False),
        ("A tower in New Kessel was burnt down in 1842 by 130 men", False),
        ("harbour", False),
        ("x" * (MAX_FUZZY + 1), False),
    ],
)
def test_a_slip_is_found_but_no_other_number(quote: str, stands: bool) -> None:
    content = Content(f"Intro **text**.\n\n{LONG} And more of it.")
    match = content.fuzzy(quote)
    assert (match is not None) is stands
    if match:
        assert 0.9 <= match.score < 1
        assert "1842" in content.text[match.span.start : match.span.end]
        assert is_whole(content.text, match.span)


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("The harbour ... was built in 1842", "The **harbour** of Old Kessel was built in 1842"),
        ("The harbour […] built in … in the winter", LONG[:-1].replace("harbour", "**harbour**")),
        ("was built in 1842 ... The harbour", None),  # in another order
        ("The harbour ... was built in 1843", None),
        ("The harbour ... boats", None),  # a part that is too short
        ("The harbour ... far behind it", None),
        ("... ...", None),
    ],
)
def test_a_quote_that_leaves_something_out_is_found_by_its_parts(
    quote: str, expected: str | None
) -> None:
    page = f"{LONG.replace('harbour', '**harbour**')}\n\n{'fill ' * 300}far behind it."
    match = Content(page).elided(quote)
    assert (match and page[match.span.start : match.span.end]) == expected
    assert match is None or match.method == "fuzzy"


MARKUP = "* ** _ ` [ ]( ) ](u) \\ | # <b> </b> < &amp; 1,5 \ufb01 … words 漢字 İ ſ K ß ² e\u0301"
CHARACTERS = "\n  \u0301 \u1112\u1161\u200b\u200d\U0001f468\ud800\udc00\xa0\x00"
PIECES = st.sampled_from([*MARKUP.split(), *CHARACTERS, "\n- "])
TEXT = st.lists(PIECES | st.text(max_size=5), max_size=30).map("".join)


@given(TEXT)
def test_spans_survive_the_folding_of_any_text(text: str) -> None:
    folded = Folded(text)
    last = Span(0, 0)
    for index in range(len(folded.text)):
        span = folded.span(index, index + 1)
        assert 0 <= span.start < span.end <= len(text)
        assert last.start <= span.start
        assert last == span or last.end <= span.start
        last = span


@given(TEXT, TEXT, TEXT)
def test_what_is_found_is_the_text_in_the_folded_form(before: str, text: str, behind: str) -> None:
    page = f"{before} {text} {behind}"
    for match in Content(page).find(text):
        span = match.span
        own = page[span.start : span.end]
        assert is_whole(page, span)
        if match.method == "exact":
            assert own == text.strip()
        else:
            assert fold(text) in Folded(page).text


@given(st.text(min_size=1), st.text(), st.text())
def test_a_plain_text_is_found_wherever_it_stands(text: str, before: str, behind: str) -> None:
    page = f"{before}\n\n{text}\n\n{behind}"
    if text.strip() and text.strip()[0].isalnum() and text.strip()[-1].isalnum():
        assert next(Content(page).find(text), None) is not None


HOSTILE = [
    "a",
    "word ",
    "[",
    "](",
    "](x)",
    "*",
    "*a",
    "\\",
    "é",
    "漢",
    "e\u0301",
    "\u0301",
    "<a",
    '<a"',
]
HOSTILE += [
    "&a",
    "\n",
    "| - ",
    "\n- ",
    "~",
    "](a(",
    "a_b ",
    "²",
    "<sup>",
    "\n:",
    "](](x)",
    "1,",
    "1 ",
]
HOSTILE += ["111 ", "2024 ", "-1", "5 May 2024 "]


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_page_is_searched_in_linear_time(piece: str) -> None:
    def search(text: str) -> object:
        content = Content(text)
        sought = (piece * 200)[:400] + "x y 2024"
        dates = sum(1 for _ in date_spans(text, (2024, 5, 6)))
        return [*content.find(sought)], content.fuzzy(sought), len(content.numbers), dates

    assert growth(search, partial(_repeated, piece), 4_000) < LIMIT


def _repeated(piece: str, size: int) -> str:
    return piece * (size // len(piece))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1234.5", {"1234.5"}),
        ("1,234.50", {"1234.5"}),
        ("1.234,50", {"1234.5"}),
        ("1'234.50", {"1234.5"}),
        ("1\xa0234,5", {"1234.5"}),
        ("1.234", {"1.234", "1234"}),
        ("0.500", {"0.5"}),
        ("1,23,456", {"123456"}),
        ("12.345.678,9", {"12345678.9"}),
        ("１２３", {"123"}),
        ("٣٫٥", {"3.5"}),
        ("EUR5 US$6 7kg 8% (9) #10", {"5", "6", "7", "8", "9", "10"}),
        ("20x30", {"20", "30"}),
        ("1.2 million", {"1.2", "1200000"}),
        ("3,5 Mrd. €", {"3.5", "3500000000"}),
        ("12k", {"12", "12000"}),
        (".5", {"0.5"}),
        ("-5", {"-5"}),
        ("3-4", {"3", "4"}),
        ("12.05.2024", {"12", "5", "2024"}),
        ("2024-05-12", {"12", "5", "2024"}),
        ("1,2,3", {"1", "2", "3"}),
        ("USB3 v2 10³ 10<sup>3</sup> 10^3 1.2.3", set()),
        ("Fourteen of them, twenty-one and NINETY others; zero", {"14", "21", "90", "0"}),
        ("sixty\xa0five or forty, one", {"65", "40", "1"}),
        ("someone, seventh, sixes, tent, often, weight, two_a, all-in-one", set()),
        ("two hundred, three-quarters, five thousand, a hundred and six, nine point", set()),
        ("9" * 50, set()),
    ],
)
def test_a_number_is_read_in_its_usual_spellings(text: str, numbers: set[str]) -> None:
    assert set(number_spans(text)) == set(map(Decimal, numbers))


def test_thousands_with_spaces_may_be_several_numbers() -> None:
    assert {Decimal(1234567), Decimal(567)} <= set(number_spans("1 234 567"))
    assert Decimal("1234.5") in number_spans("1 234,50")


@given(st.integers(-(10**9), 10**9), st.sampled_from(["{:d}", "{:,d}"]), st.text(max_size=5))
def test_a_number_that_stands_alone_is_found(number: int, form: str, around: str) -> None:
    text = f"{around} ( {form.format(number)} ) {around}"
    assert Decimal(number) in number_spans(text)


@given(TEXT)
def test_numbers_of_any_text_stand_in_it(text: str) -> None:
    for spans in number_spans(text).values():
        assert all(0 <= start < end <= len(text) for start, end in spans)


DATES = """5 May 2024; May 5, 2024; 05.05.2024; 5/5/2024; 2024-05-05; 5. Mai 2024; 5 мая 2024;
2024年5月5日; le 5 mai 2024; 5 de mayo de 2024; on 5th May, 2024 at 10:00"""


@pytest.mark.parametrize(
    "text",
    DATES.split(";"),
)
def test_a_date_is_found_in_another_format(text: str) -> None:
    assert any(date_spans(f"Since {text}.", (2024, 5, 5)))
    assert not any(date_spans(text, (2024, 6, 5)))
    assert not any(date_spans(text, (2023, 5, 5)))
    assert not any(date_spans(text, (2024, 5, 25)))
