"""Names of files for documents."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.documents.making import source
from wikicrawler.reports.file_names import MAX_NAME, file_name
from wikicrawler.reports.models import HTML, JSON, PDF, CompanyRef


def test_a_name_says_what_the_file_is() -> None:
    name = file_name(CompanyRef(name="Apple Inc.", cik="320193"), 2023, source(form="10-K"))
    assert re.fullmatch(r"apple-inc-2023-10-k-[0-9a-f]{10}\.pdf", name)


@pytest.mark.parametrize(
    ("company", "start"),
    [
        (CompanyRef(name="L’Oréal S.A."), "loreal-s-a-2023-"),
        (CompanyRef(name="../../etc/passwd\\CON"), "etc-passwd-con-2023-"),
        (CompanyRef(name="贵州茅台", ticker="600519.SS"), "600519-ss-2023-"),
        (CompanyRef(name="贵州茅台", cik="42"), "cik0000000042-2023-"),
        (CompanyRef(name="贵州茅台"), "company-2023-"),
        (CompanyRef(ticker="BRK-B"), "brk-b-2023-"),
    ],
)
def test_any_company_has_a_name(company: CompanyRef, start: str) -> None:
    assert file_name(company, 2023, source()).startswith(start)


@pytest.mark.parametrize(
    ("content_type", "suffix"),
    [(PDF, ".pdf"), (HTML, ".html"), (JSON, ".json"), ("text/plain", ".txt"), ("a/b", ".bin")],
)
def test_the_extension_is_that_of_the_type(content_type: str, suffix: str) -> None:
    assert file_name(CompanyRef(name="A"), 2023, source(content_type)).endswith(suffix)


def test_other_documents_have_other_names() -> None:
    company, same = CompanyRef(name="贵州茅台"), source()
    names = {
        file_name(company, 2023, same),
        file_name(company, 2022, same),
        file_name(company, 2023, source(url="https://ir.example/files/other.pdf")),
        file_name(CompanyRef(name="五粮液"), 2023, same),
        file_name(company, 2023, source(url=None, accession="0000000042-23-000106")),
    }
    assert len(names) == 5
    assert file_name(company, 2023, source()) in names


@given(st.text(min_size=1, max_size=400).filter(str.strip), st.integers(1900, 2200), st.text())
def test_any_name_is_safe_on_every_file_system(name: str, year: int, form: str) -> None:
    company = CompanyRef(name=name[:400])
    found = file_name(company, year, source(form=form[:40]))
    assert len(found.encode()) <= MAX_NAME
    assert re.fullmatch(r"[a-z0-9][a-z0-9-]*\.[a-z]+", found)
