"""Names of companies: which are the same, and whose a document is."""

from __future__ import annotations

import pytest

from tests.reports.documents.making import source
from wikicrawler.reports.documents.company_names import find_company, name_tokens
from wikicrawler.reports.documents.text import DocumentText
from wikicrawler.reports.models import CompanyRef


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Apple Inc.", "APPLE INC"),
        ("The Coca-Cola Company", "COCA COLA CO"),
        ("JPMorgan Chase & Co.", "JPMORGAN CHASE & CO"),
        ("L’Oréal S.A.", "L'OREAL SA"),
        ("E.ON SE", "EON SE"),
        ("Novo Nordisk A/S", "NOVO NORDISK AS"),
        ("Eni S.p.A.", "ENI SPA"),
        ("Bank of America Corporation", "BANK OF AMERICA CORP /DE/"),
        ("Nestlé S.A.", "Nestle"),
        ("AT&T Inc.", "AT&T"),
    ],
)
def test_names_of_one_company_are_the_same(one: str, other: str) -> None:
    assert name_tokens(one) == name_tokens(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Apple Inc.", "Apple Hospitality REIT, Inc."),
        ("Alphabet Inc.", "Alphabet Holding Company, Inc."),
        ("Ford Motor Company", "Ford Motor Credit Company LLC"),
        ("Meta Platforms, Inc.", "Metabolix, Inc."),
    ],
)
def test_names_of_two_companies_differ(one: str, other: str) -> None:
    assert name_tokens(one) != name_tokens(other)


def test_a_name_of_legal_forms_alone_keeps_them() -> None:
    assert name_tokens("The Company Inc.") == ["the", "company", "inc"]


BODY = "\nThe year was good for us and for the people of {0}. {0} grew. At {0}, we sell. " * 6


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("Siemens AG", "Siemens AG Annual Report" + BODY.format("Siemens"), True),
        ("Siemens AG", "Annual Report" + BODY.format("Siemens"), True),
        ("Siemens AG", "Siemens Energy AG" + BODY.format("Siemens Energy"), False),
        ("Siemens AG", "Gamesa SA, a unit of Siemens AG" + BODY.format("Gamesa"), False),
        ("Siemens AG", "A report" + BODY.format("Gamesa"), False),
        ("Shell plc", "Shell plc" + BODY.format("Shell") + "Shell.", True),
        ("Shell plc", "The Shell\nShell Financial Review" + BODY.format("Shell"), True),
        ("Shell plc", "Shell Financial Services" + BODY.format("Shell Financial Services"), False),
        ("Honda Motor Co., Ltd.", "Honda Motor Co., Ltd." + BODY.format("Honda"), True),
        ("Honda Motor Co., Ltd.", "Honda Motor Co., Ltd." + BODY.format("Suzuki"), False),
        ("三菱商事株式会社", "三菱商事株式会社 統合報告書 三菱商事は", True),
        ("三菱商事株式会社", "三井物産株式会社 統合報告書", False),
    ],
)
def test_a_document_is_of_the_company_it_speaks_of(name: str, text: str, found: bool) -> None:
    proof = find_company(DocumentText(text), CompanyRef(name=name), source())
    assert proof.found is found, proof.sentence
    assert proof.sentence


@pytest.mark.parametrize(
    ("company", "facts", "text", "found"),
    [
        (CompanyRef(ticker="BRK-B"), {"TradingSymbol": "BRK.B"}, "", True),
        (CompanyRef(ticker="BRK-B"), {}, "Common Stock BRK.B New York Stock Exchange", True),
        (CompanyRef(ticker="F"), {}, "A grade F in school", False),
        (CompanyRef(cik="42"), {}, "no number", False),
        (CompanyRef(cik="42"), {"EntityCentralIndexKey": "0000000042"}, "", True),
        (CompanyRef(cik="42"), {"EntityCentralIndexKey": "0000000043"}, "", False),
        (CompanyRef(cik="42", name="A"), {"EntityCentralIndexKey": "n/a"}, "A\nA A", True),
    ],
)
def test_a_number_or_a_ticker_will_do(
    company: CompanyRef, facts: dict[str, str], text: str, found: bool
) -> None:
    assert find_company(DocumentText(text, facts=facts), company, source()).found is found


def test_in_the_folder_of_the_company_a_group_may_lack_its_word() -> None:
    cover = DocumentText("SONY GROUP CORPORATION\n(Exact name of Registrant as in its charter)")
    company = CompanyRef(name="Sony Corp", cik="313838")
    folder = "https://www.sec.gov/Archives/edgar/data/313838/000031383823000001/d.htm"
    assert find_company(cover, company, source(url=folder)).found
    assert not find_company(cover, company, source()).found


def test_one_of_several_registrants_is_enough() -> None:
    cover = DocumentText(
        "Duke Energy Corporation\n(Exact name of registrant)\n"
        "Duke Energy Carolinas, LLC (Exact name of registrant)\n(Name of registrant)"
    )
    for name in ("Duke Energy CORP", "Duke Energy Carolinas"):
        assert find_company(cover, CompanyRef(name=name), source()).found
    assert not find_company(cover, CompanyRef(name="Duke Energy Ohio"), source()).found
