"""A value has evidence if it stands in the page, and its quote too."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from wikicrawler.fields.evidence.alignment import Content
from wikicrawler.fields.evidence.search import Missing, find_evidence
from wikicrawler.fields.models import Evidence, FieldDefinition

PAGE = """# The **Salt** Road

Price: **1,234.50 EUR**. Published on 5 May 2024 by [Ann O’Hara](https://example.org/ann).

| Name | Quantity |
| --- | --- |
| Bob | 14 |
| Eve | 15 |

In stock. Rated 4.5 by 14 readers. Not sold in shops.
"""
CONTENT = Content(PAGE, "https://example.org/")


def field(kind: str = "string", name: str = "thing", *, derived: bool = False) -> FieldDefinition:
    return FieldDefinition.model_validate({"name": name, "type": kind, "derived": derived})


def text_of(value: Any, quote: str | None, of: FieldDefinition) -> str | None:
    """The text of the evidence, or the reason."""
    evidence, reason = find_evidence(CONTENT, value, quote, of)
    if evidence is None:
        return reason
    assert reason is None
    assert evidence.url == CONTENT.url
    assert PAGE[evidence.start : evidence.end] == evidence.text
    return evidence.text


@pytest.mark.parametrize(
    ("kind", "value", "quote", "expected"),
    [
        ("string", "The Salt Road", "The Salt Road", "The **Salt** Road"),
        ("number", 1234.5, "Price: 1,234.50 EUR", "Price: **1,234.50 EUR"),
        ("number", "1.234,50", "1,234.50 EUR", "1,234.50 EUR"),
        ("string", "2024-05-05", "on 5 May 2024", "on 5 May 2024"),
        ("string", "in_stock", "In stock.", "In stock."),
        ("boolean", True, "in stock", "In stock"),
        ("boolean", False, "Not sold in shops", "Not sold in shops"),
        ("list[string]", "Bob", "| Bob | 14 |", "| Bob | 14 |"),
        ("string", 14, "by 14 readers", "by 14 readers"),
        ("object", {"name": "Bob", "quantity": 14}, "Bob 14", "Bob | 14"),
        # without a quote
        ("number", 1234.5, None, "1,234.50"),
        ("string", "Ann O'Hara", " ", "Ann O’Hara"),
        ("string", "2024-05-05T10:00", None, "5 May 2024"),
        ("string", "https://example.org/ann", None, "https://example.org/ann"),
        ("list[object]", {"name": "Eve", "quantity": 15, "x": None}, None, "Eve | 15"),
        ("object", {"a": ["Bob", {"b": "Eve"}]}, None, "Bob | 14 |\n| Eve"),
        # with a quote that is made up, for a longer text
        ("string", "The Salt Road", "It is called The Salt Road", "The **Salt** Road"),
    ],
)
def test_a_value_has_the_place_where_it_stands(
    kind: str, value: Any, quote: str | None, expected: str
) -> None:
    assert text_of(value, quote, field(kind)) == expected


@pytest.mark.parametrize(
    ("kind", "value", "quote", "reason"),
    [
        ("number", 1234.6, "1,234.50 EUR", Missing.VALUE_NOT_IN_QUOTE),
        ("number", 234.5, "1,234.50 EUR", Missing.VALUE_NOT_IN_QUOTE),
        ("number", 4.5, "Price: 1,234.50 EUR", Missing.VALUE_NOT_IN_QUOTE),
        ("number", 4.5, "It costs 4.5 EUR", Missing.QUOTE_NOT_FOUND),
        ("number", 99, None, Missing.VALUE_NOT_FOUND),
        ("integer", 1, None, Missing.VALUE_NOT_FOUND),
        ("string", "2024-05-06", "on 5 May 2024", Missing.VALUE_NOT_IN_QUOTE),
        ("string", "Sal", None, Missing.VALUE_NOT_FOUND),
        ("string", "fourteen", "by 14 readers", Missing.VALUE_NOT_IN_QUOTE),
        ("string", "Bob", "Robert", Missing.QUOTE_NOT_FOUND),
        ("string", "234", "1,234.50 EUR", Missing.VALUE_NOT_IN_QUOTE),
        ("string", "1", "1,234.50 EUR", Missing.VALUE_NOT_IN_QUOTE),
        ("string", " ", "In stock", Missing.NOTHING_TO_SEARCH),
        ("string", None, "In stock", Missing.NOTHING_TO_SEARCH),
        ("string", "x" * 5001, None, Missing.TOO_LONG),
        ("boolean", True, None, Missing.NOTHING_TO_SEARCH),
        ("boolean", True, "sold in every shop", Missing.QUOTE_NOT_FOUND),
        ("number", float("nan"), None, Missing.NOTHING_TO_SEARCH),
        ("object", {"name": "Bob", "quantity": 16}, None, Missing.VALUE_NOT_FOUND),
        ("object", {"name": "Bob", "quantity": 16}, "Bob | 14", Missing.VALUE_NOT_IN_QUOTE),
        ("object", {}, None, Missing.NOTHING_TO_SEARCH),
        ("object", {str(i): i for i in range(51)}, None, Missing.TOO_LONG),
    ],
)
def test_a_value_without_evidence_has_the_reason(
    kind: str, value: Any, quote: str | None, reason: Missing
) -> None:
    assert text_of(value, quote, field(kind)) == reason


def test_the_place_near_the_name_of_the_field_counts() -> None:
    quantity = find_evidence(CONTENT, 14, None, field("integer", "quantity")).evidence
    rated = find_evidence(CONTENT, 14, None, field("integer", "isRatedBy")).evidence
    assert quantity is not None
    assert rated is not None
    assert PAGE[: quantity.start].endswith("Bob | ")
    assert PAGE[: rated.start].endswith("4.5 by ")


def test_a_made_up_quote_is_forgiven_next_to_the_name_of_the_field() -> None:
    assert text_of(4.5, "It is rated with 4.5", field("number", "rated")) == "4.5"


def test_a_derived_value_needs_no_text_of_its_own() -> None:
    derived = field("string", derived=True)
    assert text_of("expensive", "1,234.50 EUR", derived) == "1,234.50 EUR"
    assert text_of("expensive", None, derived) == Missing.VALUE_NOT_FOUND


def test_a_slip_in_a_quote_is_forgiven_with_its_score() -> None:
    evidence = find_evidence(
        CONTENT, 14, "In stock. Rates 4.5 by 14 reader. Not sold in shop.", field("integer")
    ).evidence
    assert evidence is not None
    assert evidence.method == "fuzzy"
    assert 0.9 <= evidence.score < 1


def test_values_of_an_object_stand_near_to_each_other() -> None:
    page = "Bob" + "\n\nfill" * 1000 + "\n\n14. Bob is 15. Eve is 14."
    content = Content(page)
    evidence = find_evidence(content, {"a": "Bob", "b": 14}, None, field("object")).evidence
    assert evidence is not None
    assert evidence.text == "14. Bob"
    far = Content("Bob" + "\n\nfill" * 1000 + "\n\n14.")
    assert find_evidence(far, {"a": "Bob", "b": 14}, None, field("object")).evidence is None


@given(st.integers(0, 10**12), st.integers(0, 11), st.sampled_from(["", "Price: {} EUR"]))
def test_a_number_with_another_digit_has_no_evidence(number: int, at: int, quote: str) -> None:
    digits = f"{number:012d}"
    other = int(f"{digits[:at]}{(int(digits[at]) + 1) % 10}{digits[at + 1 :]}")
    content = Content(f"# Shop\n\nPrice: **{number:,}** EUR, since May.")
    price = field("integer", "price")
    own, changed = quote.format(number), quote.format(other)
    assert find_evidence(content, number, own or None, price).evidence is not None
    for made_up in (own, changed):
        assert find_evidence(content, other, made_up or None, price).evidence is None


WORD = st.from_regex(r"[a-zà-ÿ]{3,9}[0-9]{2}", fullmatch=True)


@given(st.lists(WORD, min_size=2, max_size=8), st.integers(0, 7), st.data())
def test_a_string_with_another_digit_has_no_evidence(
    words: list[str], at: int, data: st.DataObject
) -> None:
    value = " ".join(words)
    changed = [*words]
    at %= len(words)
    changed[at] = words[at][:-1] + str((int(words[at][-1]) + 1) % 10)
    other = " ".join(changed)
    page = f"Head **{words[0]}** {' '.join(words[1:])} tail"
    assume(other not in page)
    content = Content(page)
    assert find_evidence(content, value, value, field()).evidence is not None
    quote = data.draw(st.sampled_from([None, value, other]))
    assert find_evidence(content, other, quote, field()).evidence is None


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
ANY = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)
KINDS = ["string", "number", "boolean", "list[string]", "object", "list[object]"]


@given(st.text(), ANY, st.none() | st.text(), st.sampled_from(KINDS), st.booleans())
def test_evidence_is_a_text_of_the_page_whatever_is_asked(
    page: str, value: Any, quote: str | None, kind: str, derived: bool
) -> None:
    content = Content(page, "u")
    evidence, reason = find_evidence(content, value, quote, field(kind, derived=derived))
    assert (evidence is None) is isinstance(reason, Missing)
    if evidence is not None:
        assert isinstance(evidence, Evidence)
        assert evidence.text
        assert page[evidence.start : evidence.end] == evidence.text


@given(st.text(min_size=1, max_size=30), st.text(max_size=30), st.text(max_size=30))
def test_a_text_of_the_page_has_evidence(value: str, before: str, behind: str) -> None:
    content = Content(f"{before}\n\n{value}\n\n{behind}")
    stripped = value.strip()
    if stripped and stripped[0].isalnum() and stripped[-1].isalnum():
        assert find_evidence(content, value, None, field()).evidence is not None
        assert find_evidence(content, value, value, field()).evidence is not None
