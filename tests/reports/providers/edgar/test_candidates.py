"""The documents of a filing that are offered, and in which order."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.reports.providers.edgar.asking import DEMO, asking
from wikicrawler.demo.sec_data import SecCompany, SecFiling

if TYPE_CHECKING:
    from wikicrawler.reports.models import SourceRef

BASE = SecFiling(
    *("0000000042-24-000001", "10-K", date(2024, 2, 3), date(2023, 12, 31)),
    "dmo-20231231.htm",
    2023,
)
AMENDMENT = replace(
    BASE,
    accession="0000000042-24-000009",
    form="10-K/A",
    filed=date(2024, 4, 29),
    document="dmo-10ka.htm",
)


def demo(*filings: SecFiling) -> SecCompany:
    return replace(DEMO, filings=filings)


def short(found: list[SourceRef]) -> list[tuple[int, str]]:
    return [(source.priority_score, str(source.url).rpartition("/")[2]) for source in found]


@pytest.mark.parametrize(
    ("filings", "expected"),
    [
        (
            [replace(BASE, pdf="dmo10k.pdf")],
            [(5, "CIK0000000042.json"), (10, "dmo10k.pdf"), (20, "dmo-20231231.htm")],
        ),
        ([replace(BASE, fiscal_year=None)], [(20, "dmo-20231231.htm")]),
        # a submission in one text
        ([replace(BASE, fiscal_year=None, document="")], [(20, "0000000042-24-000001.txt")]),
        # without a name in the submissions, but with one in the index
        (
            [replace(BASE, document="", exhibits=(("10-K", "", "form10k.txt"),))],
            [(5, "CIK0000000042.json"), (20, "form10k.txt")],
        ),
        # the primary document is a PDF
        (
            [replace(BASE, document="dmo.pdf", exhibits=(("10-K", "", "dmo.htm"),))],
            [(5, "CIK0000000042.json"), (10, "dmo.pdf"), (20, "dmo.htm")],
        ),
        ([replace(BASE, fiscal_year=None, document="dmo.pdf")], [(10, "dmo.pdf")]),
        # statements in exhibits, but neither their summary nor a consent nor a picture
        (
            [
                replace(
                    BASE,
                    exhibits=(
                        ("EX-13", "ANNUAL REPORT", "ex13.htm"),
                        ("EX-13.1", "", "ex131.pdf"),
                        ("EX-99.1", "ANNUAL REPORT OF THE PLAN", "ex99.htm"),
                        ("GRAPHIC", "", "logo.jpg"),
                        ("EX-13.2", "", "ex132.jpg"),
                    ),
                )
            ],
            [
                (5, "CIK0000000042.json"),
                (20, "dmo-20231231.htm"),
                (30, "ex13.htm"),
                (30, "ex131.pdf"),
            ],
        ),
        (
            [
                replace(
                    BASE,
                    form="40-F",
                    exhibits=(
                        ("EX-2", "AUDITED FINANCIAL STATEMENTS", "ex2.htm"),
                        ("EX-99.3", "MANAGEMENT’S DISCUSSION AND ANALYSIS", "mda.htm"),
                        ("EX-99.4", "CONSENT", "consent.htm"),
                    ),
                )
            ],
            [
                (5, "CIK0000000042.json"),
                (20, "dmo-20231231.htm"),
                (30, "ex2.htm"),
                (30, "mda.htm"),
            ],
        ),
        # an amendment comes after every document of its original
        (
            [AMENDMENT, replace(BASE, pdf="dmo10k.pdf")],
            [
                (5, "CIK0000000042.json"),
                (10, "dmo10k.pdf"),
                (20, "dmo-20231231.htm"),
                (55, "CIK0000000042.json"),
                (70, "dmo-10ka.htm"),
            ],
        ),
        ([replace(AMENDMENT, fiscal_year=None)], [(70, "dmo-10ka.htm")]),
        # so does a second original
        (
            [
                replace(BASE, accession="0000000042-24-000002", document="again.htm"),
                replace(BASE, pdf="dmo10k.pdf"),
            ],
            [
                (5, "CIK0000000042.json"),
                (10, "dmo10k.pdf"),
                (20, "dmo-20231231.htm"),
                (40, "CIK0000000042.json"),
                (55, "again.htm"),
            ],
        ),
        # the report to shareholders: a PDF since 2023
        (
            [
                replace(
                    BASE,
                    accession="0000000042-24-000005",
                    form="ARS",
                    filed=date(2024, 4, 1),
                    document="ars.pdf",
                    fiscal_year=None,
                ),
                BASE,
            ],
            [(5, "CIK0000000042.json"), (20, "dmo-20231231.htm"), (45, "ars.pdf")],
        ),
        # and a stub for paper before
        (
            [
                replace(
                    BASE,
                    accession="9999999997-24-000005",
                    form="ARS",
                    filed=date(2024, 4, 1),
                    document="9999999997-24-000005.paper",
                    fiscal_year=None,
                ),
                replace(BASE, document="..%2Fx.htm", fiscal_year=None),
            ],
            [(20, "0000000042-24-000001.txt")],
        ),
    ],
)
@deferred_f_from_coro_f
async def test_documents_are_ordered(
    filings: list[SecFiling], expected: list[tuple[int, str]]
) -> None:
    with asking(demo(*filings)) as made:
        assert short(await made.find()) == expected


@deferred_f_from_coro_f
async def test_a_report_to_shareholders_is_found_alone() -> None:
    ars = replace(
        BASE, accession="0000000042-24-000005", form="ARS", document="ars.pdf", fiscal_year=None
    )
    with asking(demo(ars, BASE)) as made:
        (found,) = await made.find(forms=("ARS",))
        assert (found.priority_score, found.content_type) == (10, "application/pdf")
        assert "annual report to shareholders" in found.note
        assert "as 10-K 0000000042-24-000001" in found.note


@deferred_f_from_coro_f
async def test_a_reference_says_what_it_is() -> None:
    with asking(demo(AMENDMENT, BASE)) as made:
        json, html, *_, amended = await made.find()
        assert (json.content_type, json.access) == ("application/json", "api")
        assert (html.provider, html.tier, html.form) == ("sec_edgar", 1, "10-K")
        assert (html.fiscal_year, html.fiscal_period) == (2023, "FY")
        assert (html.period_end, html.filed) == (date(2023, 12, 31), date(2024, 2, 3))
        assert not html.amendment
        assert (amended.form, amended.amendment) == ("10-K/A", True)
        assert "an amendment" in amended.note


@pytest.mark.parametrize(
    ("forms", "expected"),
    [
        (("10-K",), {"10-K", "10-K/A"}),
        (("10-k405",), {"10-K405"}),
        (("20-F", "40-F"), {"20-F"}),
        (("8-K",), set()),
        ((), set()),
    ],
)
@deferred_f_from_coro_f
async def test_only_forms_that_are_asked_for_are_offered(
    forms: tuple[str, ...], expected: set[str]
) -> None:
    filings = [
        replace(BASE, accession=f"0000000042-24-00000{number}", form=form, fiscal_year=year)
        for number, (form, year) in enumerate(
            [("10-K", 2023), ("10-K/A", 2023), ("20-F", 2023), ("10-Q", 2023), ("8-K", 2023)]
        )
    ]
    filings.append(replace(BASE, accession="0000000042-24-000009", form="10-K405"))
    with asking(demo(*filings)) as made:
        found = {source.form for source in await made.find(forms=forms)}
        assert found == expected | ({"10-K405"} if forms == ("10-K",) else set())


@deferred_f_from_coro_f
async def test_without_its_index_page_a_filing_has_its_primary_document() -> None:
    index = "/Archives/edgar/data/42/000000004224000001/0000000042-24-000001-index.htm"
    for body, status in ((b"", 404), (b"<p>Nothing", 200), (b"", 200)):
        with asking(demo(BASE)) as made:
            made.sec.replace(index, body, status)
            assert short(await made.find()) == [
                (5, "CIK0000000042.json"),
                (20, "dmo-20231231.htm"),
            ]


@deferred_f_from_coro_f
async def test_the_folder_is_that_of_the_company_and_not_of_the_agent() -> None:
    filing = replace(BASE, accession="0001193125-24-285639")
    with asking(demo(filing)) as made:
        _, html = await made.find()
        assert str(html.url) == (
            f"{made.sec.www}/Archives/edgar/data/42/000119312524285639/dmo-20231231.htm"
        )


@deferred_f_from_coro_f
async def test_at_most_six_filings_are_offered() -> None:
    filings = [replace(BASE, accession=f"0000000042-24-0000{n}") for n in range(10, 30)]
    with asking(demo(*filings)) as made:
        found = await made.find()
        assert len({source.accession for source in found}) == 6
