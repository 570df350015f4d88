"""Fiscal years are distinguished from dates, ranges and numbers."""

from __future__ import annotations

from datetime import date

import pytest

from wikicrawler.reports.providers.company_ir.kinds import annual_span
from wikicrawler.reports.providers.company_ir.words import name_of, plain
from wikicrawler.reports.providers.company_ir.years import year_of_filing, years_in


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("Annual Report 2023", [2023]),
        ("FY23 Annual Report", [2023]),
        ("Fiscal 2023", [2023]),
        ("ar98", [1998]),
        ("10-K 23", [2023]),
        ("Annual Report 2022-23", [2023]),
        ("Annual Report 2022/2023", [2023]),
        ("Annual Report 1999-00", [2000]),
        ("for the fiscal year ended June 30, 2023", [2023]),
        ("Geschäftsjahr 2023", [2023]),
        ("year ended 31 March 2023", [2023]),
        ("52 weeks ended January 3, 2021", [2020]),
        ("Annual Report 2023, published 12 April 2024", [2023]),
        ("2023 10-K", [2023]),
        ("2024 Proxy and 2023 Annual Report", [2024, 2023]),
        ("Annual reports 2010–2021", []),
        ("April 2024", []),
        ("04/12/2024", []),
        ("2024-04-12", []),
        ("report 2024-03", []),
        ("20240312", []),
        ("report 123456 v 23 k", []),
        ("10-K 10k", []),
        ("Form 10-K 10.2 MB", []),
        ("Form 10-K, 10 MB", []),
        ("Form 20-F 20f", []),
        ("1492 and 2525", []),
        ("Annual Report 2023 (PDF, 2048 KB)", [2023]),
        ("٢٠٢٣", []),
        ("", []),
    ],
)
def test_fiscal_years_of_texts(text: str, years: list[int]) -> None:
    assert [found.year for found in years_in(plain(text)).fiscal] == years


def test_the_other_year_of_an_end_in_january_is_kept() -> None:
    found = years_in(plain("fiscal year ended February 3, 2024")).only()
    assert found is not None
    assert (found.year, found.other) == (2024, 2023)
    assert found.period_end == date(2024, 2, 3)


def test_the_first_year_of_a_span_is_kept() -> None:
    found = years_in("annual report 2022 23").only()
    assert found is not None
    assert (found.year, found.other) == (2023, 2022)


def test_a_file_of_sec_names_the_end_of_its_period() -> None:
    found = years_in(name_of("https://example.com/aapl-20230930.htm")).only()
    assert found is not None
    assert (found.year, found.period_end) == (2023, date(2023, 9, 30))
    assert years_in(name_of("https://example.com/20250303-annual-report.pdf")).only() is None
    assert years_in("aapl 20231399").only() is None


def test_dates_of_publication_are_known() -> None:
    for text in ("Feb 20, 2024", "20 February 2024", "02/20/2024", "20.02.2024", "2024-02-20"):
        assert years_in(plain(text)).published == date(2024, 2, 20)
    assert years_in(plain("February 2024")).published == date(2024, 2, 28)


def test_ranges_are_archives() -> None:
    assert years_in("annual reports 2010 2021").spans == ((2010, 2021),)


def test_the_year_nearest_to_the_kind_counts() -> None:
    for text in (
        "2024 Proxy Statement and 2023 Annual Report",
        "Annual Report 2023 and Notice 2024",
    ):
        words = plain(text)
        found = years_in(words).nearest(annual_span(words))
        assert found is not None
        assert found.year == 2023
    assert years_in("").nearest((0, 1)) is None
    assert years_in("").nearest(None) is None


@pytest.mark.parametrize(
    ("day", "expected"),
    [(date(2024, 2, 20), (2023, 2024)), (date(2023, 9, 14), (2023, None))],
)
def test_a_filing_is_of_the_year_that_ended_before(
    day: date, expected: tuple[int, int | None]
) -> None:
    assert year_of_filing(day) == expected
