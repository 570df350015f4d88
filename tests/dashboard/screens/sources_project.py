"""A project with watched sources, for the tests of its screens."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.servers.dashboard import RealDashboard
from tests.sources.watching import manifest_of

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = {
    "WIKICRAWLER_PRIVATE_HOSTS": "127.0.0.1",
    "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": "60000",
    "DOWNLOAD_DELAY": "0",
}
PAYLOAD = "<script>window.ran=1</script><img src=x onerror=window.ran=1>"
"""Sets ``window.ran`` where it is taken for markup."""


def watched(folder: Path, *sources: dict[str, Any], **settings: str) -> RealDashboard:
    """A dashboard that has not been started, of a project in *folder* whose active manifest has
    *sources*.

    :param settings: Scrapy settings beside :data:`SETTINGS`
    """
    dashboard = RealDashboard(folder, {**SETTINGS, **settings})
    file = folder / "manifest.json"
    file.write_text(json.dumps(manifest_of(*sources)))
    dashboard.scrapy("manifest", "activate", str(file), "--offline")
    return dashboard
