"""The fiscal year of a filing: facts, then practice, then rules."""

from __future__ import annotations

from datetime import date

import pytest

from wikicrawler.reports.providers.edgar.facts import FactYear
from wikicrawler.reports.providers.edgar.filings import Filing
from wikicrawler.reports.providers.edgar.fiscal_year import FiscalYear, fiscal_years
from wikicrawler.reports.providers.edgar.periods import period_of


def filing(
    number: int,
    end: str | None,
    filed: str | None = None,
    form: str = "10-K",
    document: str = "form10k.htm",
) -> Filing:
    return Filing(
        f"0000000042-24-{number:06}",
        form,
        date.fromisoformat(filed) if filed else None,
        date.fromisoformat(end) if end else None,
        document,
    )


def year_of(end: str, sic: int | None = None, others: tuple[str, ...] = ()) -> FiscalYear:
    """The year of one filing of a company with *others*, by rule."""
    filings = [filing(number, day) for number, day in enumerate((end, *others))]
    return fiscal_years(filings, {}, sic=sic)[filings[0].accession]


@pytest.mark.parametrize(
    ("end", "sic", "others", "year", "is_certain"),
    [
        ("2023-12-31", None, (), 2023, True),
        ("2023-06-30", None, (), 2023, True),
        ("2023-09-30", 3571, (), 2023, True),
        ("2023-01-01", None, (), 2022, True),
        ("2021-01-07", None, (), 2020, True),
        ("2021-01-08", None, (), 2021, False),
        ("2024-01-28", 3674, (), 2024, False),
        ("2024-01-28", 5211, (), 2023, False),
        ("2024-02-03", 5331, (), 2023, False),
        ("2024-01-31", 5331, (), 2024, False),
        ("2021-01-31", 5211, ("2022-01-30", "2020-02-02"), 2020, False),  # a Sunday by chance
        ("2021-01-31", 5211, ("2015-06-30",), 2021, False),  # of another year end
        ("2023-02-25", 5411, (), 2022, False),
        ("2023-03-07", 5912, (), 2022, False),
        ("2023-03-08", 5912, (), 2023, False),
        ("2023-02-25", None, (), 2023, False),
        ("2024-03-31", 3651, (), 2024, False),
        ("2024-05-31", 2000, (), 2024, False),
        ("2024-06-08", 2000, (), 2024, True),
    ],
)
def test_rules(
    end: str, sic: int | None, others: tuple[str, ...], year: int, is_certain: bool
) -> None:
    found = year_of(end, sic, others)
    assert (found.year, found.is_certain) == (year, is_certain)
    assert found.reason.startswith("by rule")
    assert ("uncertain" in found.reason) != is_certain


@pytest.mark.parametrize(
    ("end", "fact", "year"),
    [
        ("2024-01-28", 2023, 2023),
        ("2024-01-28", 2024, 2024),
        ("2022-01-02", 2021, 2021),
        ("2024-03-31", 2023, 2023),
        ("2023-12-31", 2022, 2023),  # the period does not touch 2022
        ("2023-12-31", 2024, 2023),
        ("2023-09-30", 2022, 2022),
        ("2023-09-30", 2021, 2023),
        ("2023-09-30", None, 2023),
    ],
)
def test_facts_decide_if_the_period_touches_their_year(
    end: str, fact: int | None, year: int
) -> None:
    one = filing(1, end)
    found = fiscal_years([one], {one.accession: FactYear(fact, 3, 4)})[one.accession]
    assert found.year == year
    if fact == year:
        assert found.is_certain
        assert found.reason == f"companyfacts labels 3 of 4 facts of this filing with fiscal {year}"
    elif fact is not None:
        assert not found.is_certain
        assert found.reason.startswith(f"companyfacts says fiscal {fact}, which")


def test_facts_of_a_filing_without_any_day_decide() -> None:
    one = filing(1, None)
    assert fiscal_years([one], {})[one.accession].year is None
    found = fiscal_years([one], {one.accession: FactYear(2020, 1, 1)})[one.accession]
    assert (found.year, found.end) == (2020, None)


def test_the_practice_of_the_nearest_year_decides() -> None:
    filings = [filing(n, f"{2000 + n}-01-2{n % 3 + 6}") for n in range(1, 20)]
    facts = {
        filings[9].accession: FactYear(2009, 1, 1),  # ended in January 2010
        filings[17].accession: FactYear(2018, 1, 1),  # ended in January 2018
    }
    years = fiscal_years(filings, facts, sic=3674)
    found = [years[one.accession].year for one in filings]
    assert found == [*range(2000, 2013), *range(2014, 2020)]
    assert "names other years of this company so" in years[filings[0].accession].reason
    assert years[filings[0].accession].is_certain


def test_the_practice_of_another_year_end_does_not_count() -> None:
    old, new = filing(1, "2014-03-31"), filing(2, "2016-12-31")
    transition = filing(3, "2014-12-31", form="10-KT")
    facts = {old.accession: FactYear(2013, 1, 1), transition.accession: FactYear(2014, 1, 1)}
    years = fiscal_years([new, transition, old], facts)
    assert years[new.accession].reason.startswith("by rule")


@pytest.mark.parametrize(
    ("end", "filed", "expected", "how"),
    [
        ("2022-12-31", "2023-04-30", 2022, "with the same end"),
        ("2022-12-29", "2023-04-30", 2022, "with the same end"),
        ("2023-04-30", "2023-04-30", 2022, "filed last before it"),
        (None, "2023-04-30", 2022, "with the same end"),  # the year end of the company
        ("2021-12-31", "2023-04-30", 2021, "with the same end"),
        (None, None, None, "neither the period nor the day of filing"),
        ("2023-04-30", "2021-04-30", 2020, "by rule"),  # before all originals
    ],
)
def test_an_amendment_has_the_year_of_its_original(
    end: str | None, filed: str | None, expected: int | None, how: str
) -> None:
    originals = [filing(2, "2022-12-31", "2023-03-01"), filing(1, "2021-12-31", "2022-03-01")]
    amendment = filing(3, end, filed, "10-K/A")
    years = fiscal_years([amendment, *originals], {}, year_end=(12, 31))
    found = years[amendment.accession]
    assert how in found.reason
    assert found.year == expected


def test_an_amendment_without_an_original_has_a_year() -> None:
    amendment = filing(3, "1996-06-30", "1996-11-20", "10-K/A")
    assert fiscal_years([amendment], {})[amendment.accession].year == 1996


def test_the_facts_of_an_amendment_decide() -> None:
    original, amendment = filing(1, "2024-01-28"), filing(2, "2024-01-28", form="10-K/A")
    facts = {amendment.accession: FactYear(2023, 1, 1)}
    assert fiscal_years([original, amendment], facts)[amendment.accession].year == 2023


@pytest.mark.parametrize(
    ("end", "filed", "document", "year_end", "expected"),
    [
        ("2023-09-30", "2023-11-03", "x.htm", None, ("2023-09-30", True)),
        ("2023-11-30", "2023-11-03", "aapl-20230930.htm", None, ("2023-09-30", True)),
        ("1990-09-30", "2023-11-03", "aapl-20230930.htm", None, ("2023-09-30", True)),
        (None, "2023-11-03", "aapl-20230930_10k.htm", None, ("2023-09-30", True)),
        (None, "2023-11-03", "d20231339d10k.htm", (9, 30), ("2023-09-30", False)),
        (None, "2023-11-03", "x120230930.htm", (9, 30), ("2023-09-30", False)),
        (None, "2023-02-03", "x.htm", (9, 30), ("2022-09-30", False)),
        (None, "2024-03-03", "x.htm", (2, 31), ("2023-02-28", False)),
        (None, "2024-03-20", "x.htm", (2, 31), ("2024-02-29", False)),
        (None, "2024-03-15", "x.htm", None, ("2023-12-31", False)),
        (None, None, "x.htm", (9, 30), (None, False)),
        ("2023-09-30", None, "x.htm", None, ("2023-09-30", True)),
    ],
)
def test_the_end_of_the_period(
    end: str | None,
    filed: str | None,
    document: str,
    year_end: tuple[int, int] | None,
    expected: tuple[str | None, bool],
) -> None:
    found = period_of(filing(1, end, filed, document=document), year_end)
    assert (f"{found.end}" if found.end else None, found.is_sure) == expected
