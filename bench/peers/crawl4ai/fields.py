"""Extracts fields with crawl4ai's LLMExtractionStrategy: ``fields.py TASK OUT``.

The strategy gives a list of objects for each chunk, one after the other, and leaves it to its user
to merge them: here the first value of a field counts.
"""

import asyncio
import json
import sys
from pathlib import Path

from crawl4ai import AsyncWebCrawler, CacheMode, CrawlerRunConfig, LLMConfig
from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy
from crawl4ai.extraction_strategy import LLMExtractionStrategy


def schema_of(fields: list[dict]) -> dict:
    """The JSON Schema of an object with the fields."""
    properties = {
        one["name"]: {
            "anyOf": [{"type": one["type"]}, {"type": "null"}],
            "description": one["description"],
        }
        for one in fields
    }
    return {"type": "object", "properties": properties}


async def extract(crawler: AsyncWebCrawler, task: dict, page: dict) -> dict:
    names = [one["name"] for one in page["fields"]]
    strategy = LLMExtractionStrategy(
        llm_config=LLMConfig(
            provider="openai/bench", api_token=task["key"], base_url=task["base_url"]
        ),
        schema=schema_of(page["fields"]),
        extraction_type="schema",
        instruction="Extract the fields of the schema from the page. "
        "A field that the page does not state is null.",
        extra_args={"temperature": 0},
    )
    config = CrawlerRunConfig(extraction_strategy=strategy, cache_mode=CacheMode.BYPASS)
    result = await crawler.arun(page["url"], config=config)
    blocks = json.loads(result.extracted_content or "[]")
    blocks = [one for one in blocks if isinstance(one, dict)]
    good = [one for one in blocks if not one.get("error")]
    values = {
        name: next((one[name] for one in good if one.get(name) not in (None, "")), None)
        for name in names
    }
    failed = [str(one.get("content"))[:300] for one in blocks if one.get("error")]
    error = result.error_message or ("; ".join(failed) if not good else None)
    return {"url": page["url"], "values": values, "shown": [], "error": error or None}


async def main(task: dict, out: Path) -> None:
    strategy = AsyncHTTPCrawlerStrategy()
    async with AsyncWebCrawler(crawler_strategy=strategy) as crawler:
        with out.open("w", encoding="utf-8") as lines:
            for page in task["pages"]:
                lines.write(json.dumps(await extract(crawler, task, page)) + "\n")


if __name__ == "__main__":
    asyncio.run(main(json.loads(Path(sys.argv[1]).read_text("utf-8")), Path(sys.argv[2])))
