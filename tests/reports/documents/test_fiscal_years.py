"""The fiscal year that a document says to be about."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from tests.reports.documents.making import source
from wikicrawler.reports.documents.fiscal_years import fiscal_year_of, possible_years
from wikicrawler.reports.documents.text import DocumentText


def year_of(text: str, facts: dict[str, str] | None = None, asked: int = 0, **fields: Any) -> Any:
    document = DocumentText(text, facts=facts or {})
    return fiscal_year_of(document, source(**fields), asked).year


@pytest.mark.parametrize(
    ("end", "years"),
    [
        (date(2022, 1, 2), (2021,)),
        (date(2024, 2, 3), (2024, 2023)),
        (date(2023, 3, 31), (2023, 2022)),
        (date(2023, 6, 30), (2023,)),
        (date(2023, 12, 31), (2023,)),
    ],
)
def test_a_year_is_named_after_its_end_or_the_year_before(
    end: date, years: tuple[int, ...]
) -> None:
    assert possible_years(end) == years


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("For the fiscal year ended September 30, 2023", 2023),
        ("For the fiscal year ended\nJanuary 2, 2022", 2021),
        ("For the years ended December 31, 2023, 2022 and 2021", 2023),
        ("For the years ended 31 December 2022 and 2023", 2023),
        ("years ended September 24, 2022 and September 30, 2023 and so on", 2023),
        ("53 weeks ended 3 September 2023", 2023),
        ("years ended February 29, 2024 and 2023", 2024),
        ("year ended on the date that the board has set: it is in May", None),
        ("Annual Report 2023" + " 2023" * 5, 2023),
        ("Annual Report 2022-23" + " 2023" * 5, 2023),
        ("Annual Report 2022–2023" + " 2023" * 5, 2023),
        ("Annual Report 2019-2023" + " 2019" * 5, 2019),
        ("Annual\nReport\n2023\n" + " 2023" * 5, 2023),
        ("Annual Report 2023", None),  # the text is about nothing
        ("Annual Report 2023" + " 2022" * 9 + " 2023" * 3, None),
        ("Annual Report 2023 meeting\nAnnual Report 2022" + " 2022" * 9, 2022),
        ("2023 shares", None),
        ("Annual Report 2023\nyear ended December 31, 2022", 2022),
        ("Annual Report 2023\n" + "x 2023 " * 900 + "year ended December 31, 2022", 2023),
        ("Annual Report\nyear ended March 31, 2023. " + "FY 2022 and FY2023. " * 4, 2023),
        ("Annual Report\nyear ended March 31, 2023. " + "FY 2022 " * 9 + "FY2023", 2022),
        ("Annual Report\nyear ended March 31, 2023. " + "FY 2022 " * 4 + "FY2023 " * 2, None),
        ("有価証券報告書 自 2022年4月1日 至 2023年3月31日 " + "2022年度 " * 9 + "2023年度", 2022),
    ],
)
def test_a_document_tells_its_year(text: str, year: int | None) -> None:
    assert year_of(text) == year


FEBRUARY = "For the fiscal year ended February 3, 2024"


@pytest.mark.parametrize(
    ("fields", "facts", "asked", "year"),
    [
        ({"period_end": date(2024, 2, 3), "fiscal_year": 2023}, {}, 2023, 2023),
        ({"period_end": date(2024, 2, 3), "fiscal_year": 2024}, {}, 2024, 2024),
        ({"period_end": date(2024, 1, 31)}, {}, 2023, 2023),  # within a week
        ({"period_end": date(2023, 1, 28), "fiscal_year": 2023}, {}, 2023, None),
        ({"period_end": date(2024, 2, 3), "fiscal_year": 2021}, {}, 2021, None),
        (
            {"period_end": date(2024, 2, 3), "fiscal_year": 2023},
            {"DocumentFiscalYearFocus": "2024"},
            2023,
            2024,
        ),
        ({"fiscal_year": 2023}, {}, 2023, 2023),
        ({}, {"DocumentFiscalYearFocus": "2023"}, 2024, 2023),
        ({}, {"DocumentFiscalYearFocus": "last"}, 2023, 2024),
        ({}, {}, 2023, 2024),
    ],
)
def test_a_year_with_two_names_is_told_by_the_provider_or_the_facts(
    fields: dict[str, Any], facts: dict[str, str], asked: int, year: int | None
) -> None:
    assert year_of(FEBRUARY, facts, asked, **fields) == year


def test_the_facts_have_the_end_where_the_cover_has_none() -> None:
    facts = {"DocumentPeriodEndDate": "September 30, 2023"}
    assert year_of("a cover", facts) == 2023
    assert year_of("a cover", facts, 2023, period_end=date(2023, 9, 30)) == 2023
    assert year_of("a cover", facts, 2022, period_end=date(2022, 9, 24)) is None
