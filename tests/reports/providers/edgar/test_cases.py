"""The filing that is chosen for a fiscal year, over the labelled companies."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.reports.providers.edgar.asking import Asking, asking
from tests.reports.providers.edgar.table import Case, cases, without_facts

if TYPE_CHECKING:
    from collections.abc import Iterator

CASES = cases()
UNKNOWABLE = {("BARGAIN BARN INC", 2002), ("Mikasa Bank KK", 2007)}
"""Nothing that EDGAR has shows how these companies name their years."""


@pytest.fixture(scope="module")
def edgar() -> Iterator[Asking]:
    companies = {case.company.cik: case.company for case in CASES}
    with asking(*companies.values()) as made:
        yield made


async def right_ones(made: Asking) -> tuple[Counter[str], list[Case]]:
    """The number of right answers of each group, and the cases with a wrong one."""
    right: Counter[str] = Counter()
    wrong = []
    for case in CASES:
        best = await made.best(case.year, cik=case.company.cik)
        if (best.accession if best else None) == case.accession:
            right[case.group] += 1
        else:
            wrong.append(case)
    return right, wrong


@deferred_f_from_coro_f
async def test_the_right_filing_is_chosen(edgar: Asking) -> None:
    total = Counter(case.group for case in CASES)
    assert total == {"real": 20, "composed": 83}
    right, wrong = await right_ones(edgar)
    assert all(right[group] >= 0.95 * total[group] for group in total), right
    assert {(case.company.name, case.year) for case in wrong} == UNKNOWABLE


@deferred_f_from_coro_f
async def test_rules_alone_find_the_real_filings() -> None:
    companies = {case.company.cik: without_facts(case.company) for case in CASES}
    with asking(*companies.values()) as made:
        right, wrong = await right_ones(made)
        assert right["real"] == 20
        # Every answer that facts would have corrected says that it is uncertain.
        answers = [await made.best(case.year, cik=case.company.cik) for case in wrong]
    assert len(wrong) < 15
    assert all("uncertain" in answer.note for answer in answers if answer)


@deferred_f_from_coro_f
async def test_apple_2023_is_the_filing_of_2023(edgar: Asking) -> None:
    for company in ({"cik": "320193"}, {"ticker": "aapl"}, {"name": "Apple"}):
        best = await edgar.best(2023, **company)
        assert best is not None
        assert best.accession == "0000320193-23-000106"
        assert str(best.url) == (
            f"{edgar.sec.www}/Archives/edgar/data/320193/000032019323000106/aapl-20230930.htm"
        )
        assert (best.form, best.fiscal_period, f"{best.period_end}") == ("10-K", "FY", "2023-09-30")
        assert "companyfacts labels 2 of 2 facts" in best.note
        assert best.title == "Apple Inc.: 10-K for the period ended 2023-09-30"


@deferred_f_from_coro_f
async def test_the_transition_of_myriad_comes_after_its_twelve_months(edgar: Asking) -> None:
    found = await edgar.find(2020, cik="899923")
    htm = [source for source in found if source.content_type == "text/html"]
    assert [source.form for source in htm] == ["10-K", "10-KT"]
    assert "transition" in htm[1].note


@deferred_f_from_coro_f
async def test_the_amendment_of_tesla_comes_after_its_original(edgar: Asking) -> None:
    found = await edgar.find(2024, ticker="TSLA")
    assert [(source.form, source.amendment) for source in found] == [
        ("10-K", False),  # facts
        ("10-K", False),
        ("10-K/A", True),
        ("10-K/A", True),
    ]
