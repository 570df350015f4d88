"""Extracts fields with this project: ``python -m bench.fields.ours TASK OUT [--no-quotes]``."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from wikicrawler.fields import Scraper

SETTINGS = {
    # The same bytes as the others get, without the politeness that strangers' servers need.
    "WIKICRAWLER_TIERS": "http",
    "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": 1_000_000,
    "DOMAIN_THROTTLE_MAX_DELAY": 0,
    "WIKICRAWLER_FIELDS_CACHE": "",
}


async def main(task: dict[str, Any], out: Path, *, quotes: bool) -> None:
    """Extract the fields of each page."""
    scraper = Scraper(
        model="openai/bench",
        base_url=task["base_url"],
        api_keys=[task["key"]],
        quotes=quotes,
        settings=SETTINGS,
    )
    async with scraper:
        with out.open("w", encoding="utf-8") as lines:
            for page in task["pages"]:
                result = await scraper.scrape(page["url"], page["fields"])
                shown = [one.field for one in result.findings if one.evidence]
                answer = {
                    "url": page["url"],
                    "values": result.data,
                    "shown": sorted(set(shown)),
                    "error": result.error,
                    "rejected": [
                        [one.field, one.rejected, one.reason]
                        for one in result.findings
                        if one.value is None
                    ],
                }
                lines.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    given = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    asyncio.run(main(given, Path(sys.argv[2]), quotes="--no-quotes" not in sys.argv))
