"""A value is contradicted if the page states another one beside the name of its field."""

from __future__ import annotations

from typing import Any

import pytest

from wikicrawler.fields.evidence.alignment import Content
from wikicrawler.fields.injection.labels import compare, stated_beside
from wikicrawler.fields.models import FieldDefinition


def is_contradicted(page: str, name: str, value: Any, **more: Any) -> bool:
    field = FieldDefinition.model_validate({"name": name} | more)
    stated = compare(value, Content(page), field)
    return stated.other and not stated.same


@pytest.mark.parametrize(
    "page",
    [
        "Price: 20 EUR",
        "- **Price:** 20 EUR",
        "## Price: 20",
        "| Price | 20 EUR |",
        "| Colour | red |\n| **Price** (EUR) | 20.00 |",
        "<table><tr><th>Price</th><td>20</td></tr></table>",
        "<dl><dt>Price</dt> <dd class=x>20</dd></dl>",
        "<div><b>Price</b>: <span>20</span> EUR</div>",
        "PRICE：20",
    ],
)
def test_the_name_of_a_field_is_a_label(page: str) -> None:
    text = f"{page}\n\nThe lid costs 3."
    assert is_contradicted(text, "price", 3.0, type="number")
    assert not is_contradicted(text, "price", 20.0, type="number")
    assert not is_contradicted(text, "weight", 3.0, type="number")


@pytest.mark.parametrize(
    ("page", "name", "value"),
    [
        ("Founded on: 5 May 1987", "founded_on", "1987-05-05"),
        ("Phone: +49 30 1234567", "phone", "+49301234567"),
        ("Maker: Ann Miller, Berlin", "maker", "Ann Miller"),
        ("Maker: Ann Miller", "maker", "Dr. Ann Miller"),
        ("unitPrice: 5 EUR", "unit_price", "7 EUR each"),
        ("Phone: on request", "phone", "+49 30 1234567"),
        ("Email: use the form", "email", "a@b.example"),
        ("Phone: 2", "phone", "+49 30 1234567"),
        (
            "Maker: this is a long sentence that says much about who has made the mill",
            "maker",
            "Bob",
        ),
    ],
)
def test_what_may_be_the_same_or_is_of_another_kind_contradicts_nothing(
    page: str, name: str, value: str
) -> None:
    assert not is_contradicted(page, name, value)


def test_fields_of_several_values_are_never_contradicted() -> None:
    page = "Tag: red"
    assert is_contradicted(page, "tag", "blue")
    assert not is_contradicted(page, "tag", "blue", type="list[string]")
    assert not is_contradicted(page, "tag", "blue", enum=["blue", "red"])
    assert not is_contradicted(page, "tag", "blue", derived=True)


def test_a_label_may_stand_in_several_places() -> None:
    content = Content("Price: 20\n\nPrice: 30\n\nSee the price.")
    assert list(stated_beside(content, FieldDefinition(name="price"))) == ["20", "30"]
    assert not is_contradicted(content.text, "price", 30.0, type="number")
    assert is_contradicted(content.text, "price", 40.0, type="number")
