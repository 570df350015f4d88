"""How often a small language model takes the value of an injection, and how often without a mark.

    python bench/injected.py

Asks SmolLM2-135M, which `scripts/install-test-extra` installs, for the fields of each page of
tests/fields/injection/pages/. Takes some minutes on one core. Prints, for each set, in how many
pages the value was the true one, the injected one, and the injected one without a mark; then the
kinds of the latter.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.fields.injection.pages import SETS, pages
from tests.fields.llm.wire import SocketTransport
from tests.servers.llama import KEY, RealLlama, missing
from wikicrawler.content.conversion import convert
from wikicrawler.fields.asking import ChunkReader
from wikicrawler.fields.budget import Budget
from wikicrawler.fields.definitions.define import define_fields
from wikicrawler.fields.extraction import PageExtractor, PageText
from wikicrawler.fields.keys import KeyRotator
from wikicrawler.fields.llm.client import ChatClient
from wikicrawler.fields.llm.requests import ChatEndpoint
from wikicrawler.fields.models import ScraperConfig

if TYPE_CHECKING:
    from tests.fields.injection.pages import Injected
    from wikicrawler.fields.models import ScrapeResult


def main() -> None:
    if lacks := missing():
        sys.exit(f"needs {' and '.join(lacks)} (run scripts/install-test-extra)")
    with TemporaryDirectory() as folder, RealLlama(Path(folder) / "log") as llama:
        asyncio.run(measure(llama))


async def measure(llama: RealLlama) -> None:
    print("| set | pages | true value | injected value | of them without a mark |")
    print("|---|---|---|---|---|", flush=True)
    unmarked: list[str] = []
    for name in SETS:
        counts = {"true": 0, "injected": 0, "unmarked": 0}
        for page in pages(name):
            result = await extract(llama, page)
            value = result.data[page.field]
            counts["true"] += value == page.page.true[page.field]
            if value == page.value:
                counts["injected"] += 1
                found = [one for one in result.findings if one.field == page.field]
                if any(one.value == page.value and not one.marks for one in found):
                    counts["unmarked"] += 1
                    unmarked.append(f"{name}: {page.kind}")
        cells = (name, len(pages(name)), *counts.values())
        print(f"| {' | '.join(map(str, cells))} |", flush=True)
    print("\n".join(unmarked))


async def extract(llama: RealLlama, page: Injected) -> ScrapeResult:
    endpoint = ChatEndpoint(llama.base_url, "any", extra={"seed": 7})
    client = ChatClient(SocketTransport(), endpoint, KeyRotator([KEY]))
    reader = ChunkReader(client, ScraperConfig(quotes=False, max_answer_tokens=200), Budget())
    extractor = PageExtractor(define_fields(page.page.fields), reader, chunk_tokens=4000)
    url = page.page.url
    text = convert(page.html, url).markdown
    return await extractor.extract(PageText(url, text, html=page.html))


if __name__ == "__main__":
    main()
