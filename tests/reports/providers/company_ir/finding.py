"""Searches of shapes, for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.servers.ir_sites.shape import Reply, Shape, links, page
from wikicrawler.reports.models import CompanyRef
from wikicrawler.reports.providers.company_ir import CompanyIrProvider

if TYPE_CHECKING:
    from wikicrawler.reports.fetching import Fetcher
    from wikicrawler.reports.models import SourceRef

FORMS = ("10-K", "20-F", "40-F")
HOME = page("Example", links(("/investors", "Investors")))


def company(**values: Any) -> CompanyRef:
    return CompanyRef.model_validate(
        {"name": "Example Corp", "website": "https://www.example.com/"} | values
    )


def provider(**options: Any) -> CompanyIrProvider:
    return CompanyIrProvider(3, options, user_agent="wikicrawler")


async def find(
    asked: CompanyIrProvider, fetcher: Fetcher, year: int = 2023, forms: tuple[str, ...] = FORMS
) -> list[SourceRef]:
    return await asked.find(company(), year, forms, fetcher)


def site(missing: Reply | None = None, **pages: Reply) -> Shape:
    """Return a site whose page at ``/`` is ``home``; ``__`` in a name is a slash."""
    places = {
        "www.example.com/" + ("" if name == "home" else name.replace("__", "/")): reply
        for name, reply in pages.items()
    }
    more = {} if missing is None else {"missing": missing}
    return Shape("site", "", places, {}, **more)
