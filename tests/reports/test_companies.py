"""The companies, years, forms and types that a user asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from wikicrawler.errors import ConfigError
from wikicrawler.reports.companies import read_companies, read_forms, read_types, read_years
from wikicrawler.reports.models import CompanyRef

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("AAPL", {"ticker": "AAPL"}),
        ("BRK.B", {"ticker": "BRK-B"}),
        ("320193", {"cik": "0000320193"}),
        ("CIK0000320193", {"cik": "0000320193"}),
        ("Apple Inc.", {"name": "Apple Inc."}),
        ("Apple", {"name": "Apple"}),
        ('"Alphabet, Inc."', {"name": "Alphabet, Inc."}),
        ("investor.apple.com", {"name": "investor.apple.com", "website": "https://investor.apple.com/"}),
        ("http://ir.x.example/a", {"name": "ir.x.example", "website": "http://ir.x.example/a"}),
    ],
)  # fmt: skip
def test_an_entry_is_a_ticker_a_cik_a_website_or_a_name(
    text: str, facts: dict[str, Any], tmp_path: Path
) -> None:
    assert read_companies(text, tmp_path) == [CompanyRef(**facts)]


def test_a_list_has_each_company_once(tmp_path: Path) -> None:
    found = read_companies('AAPL, 0000320193,"Apple, Inc.",AAPL', tmp_path)
    assert [one.label for one in found] == ["AAPL", "CIK 0000320193", "Apple, Inc."]


def test_a_file_has_one_company_a_line(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text('# ours\nAAPL\n\nAlphabet, Inc.\n"Quoted, ""Co"""\n')
    found = read_companies("list.txt", tmp_path)
    assert [one.label for one in found] == ["AAPL", "Alphabet, Inc.", 'Quoted, "Co"']


def test_a_file_of_csv_has_columns(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text(
        'Name,Ticker,website\n"Apple, Inc.",AAPL,https://apple.example\nAcme,,\n'
    )
    assert read_companies("list.csv", tmp_path) == [
        CompanyRef(name="Apple, Inc.", ticker="AAPL", website="https://apple.example"),  # type: ignore[arg-type]
        CompanyRef(name="Acme"),
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("name,cik\nA,x\nB,12345678901\n", "list.csv:2: cik: a CIK has up to ten digits"),
        ("name,cik\nA,x\nB,12345678901\n", "list.csv:3: cik: a CIK has up to ten digits"),
        ("name,tickr\nA,B\n", "list.csv:1: no column 'tickr' (did you mean ticker?)"),
        ("name,cik\nAlphabet, Inc.,1652044\n", "list.csv:2: has 3 cells, but there are 2 columns"),
        ("name,website\nA,not a url\n", "list.csv:2: website: "),
        ("name,cik\n,\n", "list.csv:2: a company needs a name, a CIK or a ticker"),
        ("", "has no company"),
    ],
)
def test_what_is_wrong_in_a_file_has_its_line(content: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text(content)
    with pytest.raises(ConfigError) as raised:
        read_companies("list.csv", tmp_path)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "empty"), ("none.csv", "none.csv does not exist"), (",,", "has no company")],
)
def test_an_argument_without_companies_is_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as raised:
        read_companies(text, tmp_path)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("2023", (2023,)),
        ("2019-2021", (2019, 2020, 2021)),
        ("2023, 2019 - 2020,2020", (2019, 2020, 2023)),
    ],
)
def test_years_are_single_or_ranges(text: str, years: tuple[int, ...]) -> None:
    assert read_years(text) == years


@pytest.mark.parametrize("text", ["", "23", "2023-2019", "2019-", "1900", "2023x", "1990-2100"])
def test_what_is_no_year_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="year"):
        read_years(text)


def test_forms_and_types_are_lists() -> None:
    assert read_forms("10-k, 20-F,10-K/A") == ("10-K", "20-F", "10-K/A")
    assert read_types("PDF,json") == {"application/pdf", "application/json"}


@pytest.mark.parametrize("text", ["", ",", "10-K;20-F", "x" * 30])
def test_what_is_no_form_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="form"):
        read_forms(text)


@pytest.mark.parametrize("text", ["", "docx"])
def test_what_is_no_type_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="there are: pdf, html, json"):
        read_types(text)
