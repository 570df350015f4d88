"""A provider for GRI's database of sustainability reports, which no longer exists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from wikicrawler.errors import ConfigError
from wikicrawler.reports.providers.base import ReportProvider

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikicrawler.reports.fetching import Fetcher
    from wikicrawler.reports.models import CompanyRef

REASON = (
    "GRI's Sustainability Disclosure Database was discontinued in 2021, and this project knows of "
    "no public interface that replaces it"
)


class GriProvider(ReportProvider):
    """Placeholder for the reports of the Global Reporting Initiative; it cannot be enabled.

    GRI's Sustainability Disclosure Database was discontinued in 2021. A list of reports from
    elsewhere can be used as a catalogue
    (:class:`~wikicrawler.reports.providers.catalogue.provider.CatalogueProvider`).
    """

    name: ClassVar[str] = "gri"
    enabled = False
    why_disabled: ClassVar[str] = REASON

    def __init__(self, tier: int, options: Mapping[str, Any], *, user_agent: str) -> None:
        super().__init__(tier, options, user_agent=user_agent)
        if options:
            raise ConfigError(f"gri: {', '.join(map(str, options))}: the provider has no options")

    async def find(
        self, company: CompanyRef, year: int, forms: tuple[str, ...], fetch: Fetcher
    ) -> NoReturn:
        """Refuse.

        :raises ConfigError: always
        """
        raise _not_available()


def _not_available() -> ConfigError:
    return ConfigError(
        f"gri: cannot be enabled: {REASON} (write enabled: false, or list reports in a catalogue)"
    )
