"""Names of companies are compared without what writers leave out."""

from __future__ import annotations

import pytest

from wikicrawler.reports.models import CompanyRef
from wikicrawler.reports.providers.company_names import company_key, keys_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Apple Inc.", "APPLE INC"),
        ("The Coca-Cola Company", "Coca Cola Co."),
        ("Nestlé S.A.", "Nestle SA"),
        ("Procter & Gamble Co", "Procter Gamble Company"),
    ],
)
def test_equal_names(one: str, other: str) -> None:
    assert company_key(one) == company_key(other)


def test_a_name_of_legal_forms_alone_stays() -> None:
    assert company_key("The Limited, Inc.") == "the limited inc"
    assert company_key("?!") == ""
    assert company_key("Delta Air Lines") != company_key("Delta Apparel")


def test_the_surest_key_is_first() -> None:
    company = CompanyRef.model_validate({"name": "Example Corp", "cik": 42, "ticker": "exm"})
    assert list(keys_of(company)) == ["0000000042", "ticker EXM", "name example"]
    assert list(keys_of(CompanyRef.model_validate({"name": "?!"}))) == []
