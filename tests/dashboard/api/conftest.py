"""A dashboard with a token, over two sources that were visited."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.servers.dashboard import RealDashboard
from tests.sources.watching import manifest_of, source
from wikicrawler import options
from wikicrawler.demo.agencies import Agencies

if TYPE_CHECKING:
    from collections.abc import Iterator

TOKEN = "a-token-of-more-than-twenty-characters"  # noqa: S105


@pytest.fixture(scope="module")
def agencies() -> Iterator[Agencies]:
    """The sites of the sources."""
    with Agencies() as site:
        yield site


@pytest.fixture(scope="module")
def api(agencies: Agencies, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealDashboard]:
    """The dashboard; its session has the token."""
    settings = {
        options.PRIVATE_HOSTS.name: "localhost",
        options.DOMAIN_THROTTLE_REQUESTS_PER_MINUTE.name: "60000",
        options.AUDIT.name: "True",
        options.RECORD_ATTEMPTS.name: "True",
    }
    environment = {options.DASHBOARD_TOKEN.environment: TOKEN}
    folder = tmp_path_factory.mktemp("api") / "project"
    dashboard = RealDashboard(folder, settings, environment=environment)
    manifest = manifest_of(
        source(f"{agencies.url}/notices", "notices", method="scrape"),
        source(f"{agencies.url}/moved", "moved", method="scrape", priority="low"),
    )
    (folder / "manifest.json").write_text(json.dumps(manifest))
    dashboard.scrapy("manifest", "activate", "manifest.json", "--offline")
    dashboard.scrapy("sources", "run", "notices", "moved")
    with dashboard:
        dashboard.session.headers["Authorization"] = f"Bearer {TOKEN}"
        yield dashboard
