"""Extracts fields with langextract: ``fields.py TASK OUT``.

It reads text, so the page is converted by html2text first, as the other peers do. The first
extraction of a field counts; in ``aligned``, the first one that it could align with the text.
"""

import json
import sys
from pathlib import Path
from urllib.request import urlopen

import html2text
import langextract as lx
from langextract.factory import ModelConfig

EXAMPLE = lx.data.ExampleData(
    text="The Salt Road, by Ada Smith, has 320 pages and costs 14.50 EUR.",
    extractions=[
        lx.data.Extraction(extraction_class="title", extraction_text="The Salt Road"),
        lx.data.Extraction(extraction_class="page_count", extraction_text="320"),
    ],
)


def extract(task: dict, page: dict) -> dict:
    with urlopen(page["url"]) as answer:  # noqa: S310 - the bench's own
        html = answer.read().decode("utf-8", "replace")
    converter = html2text.HTML2Text()
    converter.body_width = 0
    listed = "\n".join(
        f"- {one['name']} ({one['type']}): {one['description']}" for one in page["fields"]
    )
    items = [lx.schema.extraction_item_schema(one["name"]) for one in page["fields"]]
    document = lx.extract(
        converter.handle(html),
        prompt_description="Extract these fields, each at most once, with the exact text of the "
        f"page. Leave out what the page does not state.\n{listed}",
        examples=[EXAMPLE],
        output_schema=lx.schema.extractions_schema(*items),
        config=ModelConfig(
            model_id="bench",
            provider="OpenAILanguageModel",
            provider_kwargs={
                "api_key": task["key"],
                "base_url": task["base_url"],
                "temperature": 0,
            },
        ),
        show_progress=False,
    )
    values: dict[str, str] = {}
    aligned: dict[str, str] = {}
    for one in document.extractions or []:
        values.setdefault(one.extraction_class, one.extraction_text)
        if one.char_interval is not None:
            aligned.setdefault(one.extraction_class, one.extraction_text)
    shown = [name for name in values if values[name] == aligned.get(name)]
    answer = {"values": values, "aligned": aligned, "shown": shown}
    return {"url": page["url"], **answer, "error": None}


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
    main(json.loads(Path(sys.argv[1]).read_text("utf-8")), Path(sys.argv[2]))
