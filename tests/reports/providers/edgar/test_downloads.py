"""Downloads of a filing's documents and of companyfacts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.reports.providers.edgar.asking import DEMO, Asking, asking
from wikicrawler.demo.sec_data import facts_answer
from wikicrawler.reports.errors import (
    DocumentNotFoundError,
    FetchError,
    Outcome,
    WrongDocumentError,
)
from wikicrawler.reports.models import CompanyRef
from wikicrawler.reports.providers.edgar import facts

if TYPE_CHECKING:
    from pathlib import Path

    from wikicrawler.reports.fetching import SavedFile
    from wikicrawler.reports.models import SourceRef

FACTS = "/api/xbrl/companyfacts/CIK0000000042.json"


async def save(made: Asking, source: SourceRef, target: Path, cik: str = "42") -> SavedFile:
    return await made.provider.download(source, CompanyRef(cik=cik), 2023, target, made.fetch)


@deferred_f_from_coro_f
async def test_each_candidate_is_downloaded(tmp_path: Path) -> None:
    with asking() as made:
        for number, source in enumerate(await made.find()):
            target = tmp_path / f"{number}"
            saved = await save(made, source, target)
            assert (saved.path, saved.url) == (target, str(source.url))
            assert saved.content_type == source.content_type
            assert saved.size == target.stat().st_size > 500


@deferred_f_from_coro_f
async def test_facts_are_those_of_the_search_and_requested_once(tmp_path: Path) -> None:
    with asking() as made:
        for year in (2022, 2023):
            source = (await made.find(year))[0]
            await save(made, source, tmp_path / "folder" / f"{year}")
        assert made.sec.paths().count(FACTS) == 1
        expected = json.dumps(facts_answer(DEMO)).encode()
        assert (tmp_path / "folder" / "2023").read_bytes() == expected
        assert sorted(path.name for path in (tmp_path / "folder").iterdir()) == ["2022", "2023"]


@deferred_f_from_coro_f
async def test_facts_are_requested_by_a_crawl_that_goes_on(tmp_path: Path) -> None:
    with asking() as made:
        source = (await made.find())[0]
        again = Asking(made.sec, made.clock)
        await save(again, source, tmp_path / "facts")
        assert made.sec.paths()[-1] == FACTS


@deferred_f_from_coro_f
async def test_facts_that_are_too_large_to_be_kept_are_downloaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facts, "MAX_PACKED", 10)
    with asking() as made:
        source = (await made.find())[0]
        await save(made, source, tmp_path / "facts")
        assert made.sec.paths().count(FACTS) == 2
        assert json.loads((tmp_path / "facts").read_bytes()) == facts_answer(DEMO)


@deferred_f_from_coro_f
async def test_facts_without_those_of_the_filing_are_not_its_document(tmp_path: Path) -> None:
    with asking() as made:
        source = (await made.find())[0]
        other = source.model_copy(update={"accession": "0000000042-99-000001"})
        with pytest.raises(
            WrongDocumentError, match="no facts of the filing 0000000042-99"
        ) as wrong:
            await save(made, other, tmp_path / "facts")
        assert wrong.value.outcome is Outcome.WRONG_YEAR
        with pytest.raises(WrongDocumentError, match="is not of CIK 43") as wrong:
            await save(made, source, tmp_path / "facts", cik="43")
        assert wrong.value.outcome is Outcome.WRONG_COMPANY
        assert not (tmp_path / "facts").exists()


@deferred_f_from_coro_f
async def test_facts_that_are_gone_are_not_found(tmp_path: Path) -> None:
    with asking() as made:
        source = (await made.find())[0]
        made.sec.companies.clear()
        with pytest.raises(DocumentNotFoundError, match="no facts in XBRL"):
            await save(Asking(made.sec, made.clock), source, tmp_path / "facts")


@deferred_f_from_coro_f
async def test_a_reference_without_a_url_is_an_error(tmp_path: Path) -> None:
    with asking() as made:
        source = (await made.find())[0].model_copy(update={"url": None})
        with pytest.raises(FetchError, match="the reference has no URL"):
            await save(made, source, tmp_path / "x")
