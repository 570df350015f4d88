"""The first candidate is the right report on most shapes of sites."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.reports.ir_fetcher import IrFetcher
from tests.servers.ir_sites import HELD_BACK, TUNED_ON
from tests.servers.ir_sites.server import IrSite
from wikicrawler.reports.errors import DocumentNotFoundError
from wikicrawler.reports.models import CompanyRef
from wikicrawler.reports.providers.company_ir.provider import CompanyIrProvider

if TYPE_CHECKING:
    from tests.servers.ir_sites.shape import Shape
    from wikicrawler.reports.models import SourceRef

FORMS = ("10-K", "20-F", "40-F")
MAX_PAGES = 12
TARGET = 0.85


async def candidates(shape: Shape, year: int, site: IrSite) -> tuple[list[SourceRef], IrFetcher]:
    fetcher = IrFetcher(site)
    options = {"languages": list(shape.languages), "max_pages": MAX_PAGES}
    provider = CompanyIrProvider(3, options, user_agent="wikicrawler")
    company = CompanyRef.model_validate({"name": "Example Corp", "website": shape.website})
    try:
        found = await provider.find(company, year, FORMS, fetcher)
    except DocumentNotFoundError:
        found = []
    return sorted(found, key=lambda source: source.priority_score), fetcher


async def first_of(shape: Shape, year: int) -> str | None:
    """Return the URL of the best candidate, and check what holds for every shape."""
    with IrSite(shape) as site:
        found, fetcher = await candidates(shape, year, site)
    assert len(fetcher.pages) <= MAX_PAGES
    asked = fetcher.pages + fetcher.gets
    assert len(asked) == len(set(asked))
    assert all(50 <= source.priority_score <= 100 for source in found)
    assert [source.priority_score for source in found] == sorted(s.priority_score for s in found)
    return str(found[0].url) if found else None


async def share_right(shapes: tuple[Shape, ...]) -> tuple[float, list[str]]:
    cases = [(shape, year) for shape in shapes for year in shape.answers]
    wrong = []
    for shape, year in cases:
        found = await first_of(shape, year)
        if found != shape.answers[year]:
            wrong.append(f"{shape.name}, {year}: {found}, not {shape.answers[year]}")
    return 1 - len(wrong) / len(cases), wrong


@pytest.mark.parametrize(("name", "shapes"), [("tuned on", TUNED_ON), ("held back", HELD_BACK)])
@deferred_f_from_coro_f
async def test_the_first_candidate_is_right(name: str, shapes: tuple[Shape, ...]) -> None:
    share, wrong = await share_right(shapes)
    assert share >= TARGET, "\n".join([f"{name}: {share:.1%}", *wrong])
