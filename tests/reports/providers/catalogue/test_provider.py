"""The provider of a catalogue: what it offers, and what it says of a file that it cannot use."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.reports.ir_fetcher import IrFetcher
from tests.servers.ir_sites.server import IrSite
from tests.servers.ir_sites.shape import Reply, Shape
from wikicrawler.errors import ConfigError, ContentError, Reason
from wikicrawler.reports.errors import DocumentNotFoundError, FetchError
from wikicrawler.reports.models import CompanyRef
from wikicrawler.reports.providers.catalogue import CatalogueProvider

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from wikicrawler.reports.models import SourceRef

FORMS = ("10-K", "20-F", "40-F")
TEXT = """\
company,cik,year,url,path,form,language
Example Corp,42,2023,https://www.example.com/ar.pdf,,annual,en
Example Corp,42,2023,https://www.example.com/ar.html,,10-K/A,en
Example Corp,42,2023,https://www.example.com/sr.pdf,,sustainability,en
Example Corp,42,2022,,files/ar.pdf,,
Other Corp,43,2023,nothing,,,
"""
URL = "https://data.example.net/reports.csv"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "ar.pdf").write_bytes(b"%PDF-1.4 report")
    (tmp_path / "reports.csv").write_text(TEXT)
    return tmp_path


@pytest.fixture
def server() -> Iterator[IrSite]:
    pages = {"data.example.net/reports.csv": Reply(TEXT, "text/csv")}
    with IrSite(Shape("catalogue", "", pages, {})) as site:
        yield site


def provider(source: object, folder: Path | None = None, **options: Any) -> CatalogueProvider:
    made = CatalogueProvider(2, {"source": source, **options}, user_agent="wikicrawler")
    made.folder = folder
    return made


def company(**values: Any) -> CompanyRef:
    return CompanyRef.model_validate(values or {"cik": 42})


async def find(
    made: CatalogueProvider, server: IrSite, year: int = 2023, forms: tuple[str, ...] = FORMS
) -> list[SourceRef]:
    return await made.find(company(), year, forms, IrFetcher(server))


@deferred_f_from_coro_f
async def test_reports_are_offered_by_year_and_form(folder: Path, server: IrSite) -> None:
    found = await find(provider("reports.csv", folder), server)
    assert [(str(one.url), one.priority_score) for one in found] == [
        ("https://www.example.com/ar.pdf", 30),
        ("https://www.example.com/ar.html", 40),
    ]
    first, amended = found
    assert (first.provider, first.tier, first.access) == ("catalogue", 2, "api")
    assert (first.form, first.language, first.fiscal_year) == ("annual", "en", 2023)
    assert first.note == f"line 2 of the catalogue {folder}/reports.csv"
    assert amended.amendment
    other = await find(provider("reports.csv", folder), server, forms=("sustainability",))
    assert [str(one.url) for one in other] == ["https://www.example.com/sr.pdf"]


@pytest.mark.parametrize("reference", [{"name": "EXAMPLE CORPORATION"}, {"cik": "0000000042"}])
@deferred_f_from_coro_f
async def test_companies_are_found_by_cik_or_name(
    reference: dict[str, str], folder: Path, server: IrSite
) -> None:
    made = provider("reports.csv", folder)
    assert len(await made.find(company(**reference), 2023, FORMS, IrFetcher(server))) == 2
    assert await made.find(company(name="Unknown"), 2023, FORMS, IrFetcher(server)) == []


@deferred_f_from_coro_f
async def test_a_file_is_copied(folder: Path, server: IrSite) -> None:
    made = provider(str(folder / "reports.csv"))
    (found,) = await find(made, server, 2022)
    assert (found.access, found.path, found.url) == ("file", folder / "files" / "ar.pdf", None)
    target = folder / "target.pdf"
    saved = await made.download(found, company(), 2022, target, IrFetcher(server))
    assert target.read_bytes() == b"%PDF-1.4 report"
    assert (saved.size, saved.content_type) == (15, "application/pdf")
    (folder / "files" / "ar.pdf").unlink()
    with pytest.raises(DocumentNotFoundError, match="no such file"):
        await made.download(found, company(), 2022, target, IrFetcher(server))
    (folder / "files" / "ar.pdf").mkdir()
    with pytest.raises(FetchError, match="Is a directory"):
        await made.download(found, company(), 2022, target, IrFetcher(server))


@deferred_f_from_coro_f
async def test_a_url_is_downloaded(folder: Path, server: IrSite) -> None:
    pages = {"www.example.com/ar.pdf": Reply("%PDF-1.4", "application/pdf")}
    made = provider("reports.csv", folder)
    with IrSite(Shape("company", "", pages, {})) as site:
        fetcher = IrFetcher(site)
        found = (await made.find(company(), 2023, FORMS, fetcher))[0]
        saved = await made.download(found, company(), 2023, folder / "x.pdf", fetcher)
    assert saved.size == 8


@deferred_f_from_coro_f
async def test_a_catalogue_of_the_web_is_requested_once_and_names_no_files(
    server: IrSite, caplog: pytest.LogCaptureFixture
) -> None:
    made = provider(URL)
    with caplog.at_level(logging.INFO):
        both = await asyncio.gather(find(made, server), find(made, server, 2022))
    assert (len(both[0]), both[1]) == (2, [])
    assert server.asked == ["data.example.net/reports.csv"]
    messages = [record.getMessage() for record in caplog.records]
    assert f"The catalogue {URL} lists 3 reports" in messages
    assert any(
        f"{URL}: line 5: path: a catalogue from the web cannot name files" in message
        for message in messages
    )
    assert any(f"{URL}: line 6: url: 'nothing' has no scheme" in message for message in messages)


@deferred_f_from_coro_f
async def test_many_bad_rows_are_counted(
    tmp_path: Path, server: IrSite, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "x.csv").write_text("ticker,year,url\n" + "EXM,x,\n" * 50)
    await find(provider("x.csv", tmp_path), server)
    assert "50 bad rows in all" in caplog.text


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "is empty"), ("a,b\n", "has no column for url or path"), ("<p>", "is HTML or XML")],
)
@deferred_f_from_coro_f
async def test_a_bad_file_is_an_error_of_the_configuration(
    text: str, message: str, tmp_path: Path, server: IrSite
) -> None:
    (tmp_path / "x.csv").write_text(text)
    made = provider("x.csv", tmp_path)
    for _ in range(2):  # it is read once, and stays wrong
        with pytest.raises(ConfigError, match=message) as failure:
            await find(made, server)
    assert str(failure.value).startswith(f"catalogue: source: the catalogue {tmp_path}/x.csv ")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("none.csv", "cannot be read: No such file"),
        (".", "Is a directory"),
        ("a\0b", "not a file name"),
    ],
)
@deferred_f_from_coro_f
async def test_a_file_that_cannot_be_read_is_named(
    source: str, message: str, tmp_path: Path, server: IrSite
) -> None:
    with pytest.raises(ConfigError, match=message):
        await find(provider(source, tmp_path), server)


@deferred_f_from_coro_f
async def test_a_file_that_is_too_large_is_refused(
    tmp_path: Path, server: IrSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wikicrawler.reports.providers.catalogue.provider.MAX_BYTES", 100)
    (tmp_path / "x.csv").write_text(TEXT)
    with pytest.raises(ConfigError, match="has more than 100 bytes"):
        await find(provider("x.csv", tmp_path), server)


@deferred_f_from_coro_f
async def test_a_catalogue_that_the_web_does_not_have_is_a_failure(server: IrSite) -> None:
    with pytest.raises(FetchError, match="was answered with 404"):
        await find(provider("https://data.example.net/x.csv"), server)
    pages = {"data.example.net/reports.csv": Reply("<html>", "text/html")}
    with (
        IrSite(Shape("html", "", pages, {})) as site,
        pytest.raises(FetchError, match="is HTML or XML"),
    ):
        await find(provider(URL), site)


@deferred_f_from_coro_f
async def test_a_catalogue_that_costs_too_much_is_a_failure(server: IrSite) -> None:
    class Limited(IrFetcher):
        async def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
            raise ContentError(Reason.CPU_LIMIT)

    with pytest.raises(FetchError, match="cannot be read: cpu_limit"):
        await provider(URL).find(company(), 2023, FORMS, Limited(server))


@deferred_f_from_coro_f
async def test_a_row_that_makes_no_reference_is_a_warning(
    tmp_path: Path, server: IrSite, caplog: pytest.LogCaptureFixture
) -> None:
    url = "https://www.example.com/" + "x" * 2_080 + ".pdf"
    (tmp_path / "x.csv").write_text(f"cik,year,url\n42,2023,{url}\n")
    assert await find(provider("x.csv", tmp_path), server) == []
    assert "x.csv: line 2: URL should have at most" in caplog.text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "source: is missing"),
        ({"source": " "}, "source: is missing"),
        ({"source": 5}, "source: is missing"),
        ({"source": "ftp://example.com/x"}, "only http:// and https://"),
        ({"source": "https://u:secret@example.com/x"}, "contains a user name or password"),
        ({"source": "x", "sorce": "y"}, "'sorce' is not an option (write source)"),
        ({"source": "x", "zzz": "y"}, "'zzz' is not an option (write source or columns)"),
        ({"source": "x", "columns": []}, ""),
        ({"source": "x", "columns": ["a"]}, "columns: is not a mapping"),
        ({"source": "x", "columns": {"compny": "a"}}, "'compny' is unknown (write company)"),
        ({"source": "x", "columns": {"company": 5}}, "company: is not the name of a column"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], message: str) -> None:
    if not message:
        CatalogueProvider(2, options, user_agent="wikicrawler")
        return
    with pytest.raises(ConfigError) as failure:
        CatalogueProvider(2, options, user_agent="wikicrawler")
    assert message in str(failure.value)
    assert "secret" not in str(failure.value)
