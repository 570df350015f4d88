"""Extracts fields with ScrapeGraphAI's SmartScraperGraph: ``fields.py TASK OUT``.

It fetches with a browser, so the page is fetched here and handed over as HTML, which it takes in
the place of a URL. Its telemetry, which sends the page away, is off.
"""

import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from urllib.request import urlopen

os.environ["SCRAPEGRAPHAI_TELEMETRY_ENABLED"] = "false"
_LITELLM = Path(find_spec("litellm").origin).parent  # found, not imported: that takes seconds
os.environ["TIKTOKEN_CACHE_DIR"] = str(_LITELLM / "litellm_core_utils" / "tokenizers")

from pydantic import Field, create_model  # noqa: E402
from scrapegraphai.graphs import SmartScraperGraph  # noqa: E402
from scrapegraphai.telemetry import disable_telemetry  # noqa: E402

TYPES = {"string": str, "number": float, "integer": int}
MODEL_TOKENS = 8192


def extract(task: dict, page: dict) -> dict:
    with urlopen(page["url"]) as answer:  # noqa: S310 - the bench's own
        html = answer.read().decode("utf-8", "replace")
    fields = {
        one["name"]: (TYPES[one["type"]] | None, Field(None, description=one["description"]))
        for one in page["fields"]
    }
    listed = ", ".join(f"{one['name']} ({one['description']})" for one in page["fields"])
    graph = SmartScraperGraph(
        prompt=f"Extract these fields: {listed}. A field that the page does not state is null.",
        source=html,
        config={
            "llm": {
                "model": "openai/bench",
                "api_key": task["key"],
                "base_url": task["base_url"],
                "model_tokens": MODEL_TOKENS,
                "temperature": 0,
            },
            "verbose": False,
            "headless": True,
        },
        schema=create_model("Page", **fields),
    )
    found = graph.run()
    values = found if isinstance(found, dict) else found.model_dump()
    return {"url": page["url"], "values": values, "shown": [], "error": values.get("error")}


def main(task: dict, out: Path) -> None:
    with out.open("w", encoding="utf-8") as lines:
        for page in task["pages"]:
            try:
                answer = extract(task, page)
            except Exception as error:  # the other pages go on
                said = f"{type(error).__name__}: {error}"[:300]
                answer = {"url": page["url"], "values": {}, "shown": [], "error": said}
            lines.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    disable_telemetry()
    main(json.loads(Path(sys.argv[1]).read_text("utf-8")), Path(sys.argv[2]))
