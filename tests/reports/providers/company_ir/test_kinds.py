"""Kinds of documents are recognised by the words that name them."""

from __future__ import annotations

import pytest

from wikicrawler.reports.providers.company_ir.kinds import Kind, annual_span, kind_of
from wikicrawler.reports.providers.company_ir.words import name_of, path_of, plain


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Annual Report 2023", "annual"),
        ("2023 Form 10-K", "10-K"),
        ("FORM 10-K405", "10-K"),
        ("10-KT for the transition period", "10-K"),
        ("Annual Report on Form 20-F", "20-F"),
        ("40-F", "40-F"),
        ("Integrated Annual Report", "integrated"),
        ("統合報告書 2023", "integrated"),
        ("Geschäftsbericht 2023", "annual"),
        ("Rapport annuel 2023", "annual"),
        ("Document d’enregistrement universel", "annual"),
        ("Årsredovisning 2023", "annual"),
        ("2023年年度报告", "annual"),
        ("有価証券報告書", "annual"),
        ("사업보고서 2023", "annual"),
        ("Годовой отчет 2023", "annual"),
        ("Report and Accounts", "annual"),
        ("2017 Reference Document", "annual"),
        ("Annual and Sustainability Report", "annual"),
        ("Sustainability Report", "sustainability"),
        ("Annual ESG Report", "sustainability"),
        ("Semi-Annual Report", "quarterly"),
        ("Interim annual report", "quarterly"),
        ("Half-year report", "quarterly"),
        ("Q3 2023", "quarterly"),
        ("1H23", "quarterly"),
        ("Form 10-Q", "quarterly"),
        ("Proxy Statement for the 2023 Annual Meeting", "proxy"),
        ("DEF 14A", "proxy"),
        ("Notice of the Annual General Meeting", "proxy"),
        ("Investor presentation", "presentation"),
        ("Annual Report 2023 presentation", "presentation"),
        ("Annual results 2023", "results"),
        ("Year-end report 2023", "results"),
        ("Example announces 2023 annual report", "news"),
        ("Annual Report 2023 published", "news"),
        ("Example Corp. Files Annual Report on Form 10-K", "news"),
        ("Corporate Governance Report", "other"),
        ("Form 11-K", "other"),
        ("Remuneration report", "other"),
    ],
)
def test_a_text_names_a_kind(text: str, form: str) -> None:
    found = kind_of(plain(text))
    assert found is not None
    assert found.form == form


@pytest.mark.parametrize("text", ["", "2023", "Download", "Our company", "Annual leave"])
def test_other_texts_name_none(text: str) -> None:
    assert kind_of(plain(text)) is None


def test_a_date_of_publication_makes_no_news() -> None:
    assert kind_of(plain("Annual report 2023 Published 12 April 2024")) == Kind("annual")


@pytest.mark.parametrize(
    "text",
    [
        "Annual Report 2023: Letter to shareholders",
        "Summary Annual Report",
        "Annual Report – financial statements",
        "Annual Report 2023 (ESEF)",
        "Annual review 2023",
    ],
)
def test_parts_of_a_report_are_marked(text: str) -> None:
    found = kind_of(plain(text))
    assert found is not None
    assert found.is_annual
    assert found.partial


@pytest.mark.parametrize(
    "text",
    ["Annual report and financial statements 2023", "Cover of the annual report", "Annual Report"],
)
def test_a_whole_report_is_no_part(text: str) -> None:
    assert kind_of(plain(text)) == Kind("annual")


def test_amendments_and_combined_files_are_marked() -> None:
    assert kind_of(plain("Form 10-K/A")) == Kind("10-K", amendment=True)
    assert kind_of(plain("Form 10-K, Amendment No. 1")) == Kind("10-K", amendment=True)
    combined = kind_of(plain("2024 Proxy Statement and 2023 Annual Report"))
    assert combined == Kind("annual", combined=True)


@pytest.mark.parametrize("name", ["ar22.pdf", "EXM_FY23_AR.pdf", "ar2023.pdf", "GB_2023.pdf"])
def test_short_names_of_files_are_annual_reports(name: str) -> None:
    words = name_of(f"https://example.com/{name}")
    assert kind_of(words, file_name=True) == Kind("annual")
    assert annual_span(words, file_name=True) is not None
    assert kind_of(words) is None


def test_the_place_of_the_kind_is_known() -> None:
    text = plain("2024 Proxy Statement and 2023 Annual Report")
    found = annual_span(text)
    assert found is not None
    assert text[slice(*found)] == "annual report"
    assert annual_span("proxy statement") is None


def test_words_are_plain() -> None:
    assert plain("  FY23: Geschäfts-bericht_final/v2 ") == "fy 23 geschafts bericht final v 2"
    assert plain("AnnualReport2013") == "annual report 2013"
    assert len(plain("x " * 10_000)) <= 300


def test_names_of_files_have_no_extension_and_no_noise() -> None:
    assert name_of("https://example.com/a/Annual%20Report-2023.pdf?x=1") == "annual report 2023"
    assert name_of("https://example.com/static-files/0911ce43-6f61-4af8-ac47-2417046e114e") == ""
    assert name_of("https://example.com/v1.0-reports/") == "v 1 0 reports"
    assert name_of("https://example.com") == ""
    assert path_of("https://example.com/a/b/c.pdf?year=2023") == "a b year 2023"
