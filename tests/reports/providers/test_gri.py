"""GRI's provider is there, and says why it cannot be used."""

from __future__ import annotations

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.reports.ir_fetcher import IrFetcher
from tests.servers.ir_sites import SHAPES
from tests.servers.ir_sites.server import IrSite
from wikicrawler.errors import ConfigError
from wikicrawler.reports.models import CompanyRef
from wikicrawler.reports.providers.gri import GriProvider


def test_it_is_disabled_with_a_reason() -> None:
    made = GriProvider(2, {}, user_agent="wikicrawler")
    assert not made.enabled
    assert "discontinued in 2021" in made.why_disabled
    with pytest.raises(ConfigError, match="gri: source: the provider has no options"):
        GriProvider(2, {"source": "x"}, user_agent="wikicrawler")


@deferred_f_from_coro_f
async def test_a_search_is_refused_without_a_request() -> None:
    made = GriProvider(2, {}, user_agent="wikicrawler")
    made.enabled = True
    example = CompanyRef.model_validate({"name": "Example"})
    with IrSite(SHAPES[0]) as server:
        with pytest.raises(ConfigError, match="write enabled: false"):
            await made.find(example, 2023, ("10-K",), IrFetcher(server))
        assert server.asked == []
