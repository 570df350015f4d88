"""The code of docs/readers.md runs, and prints what the page shows."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from wikicrawler.feeds.chunks.spans import ChunkSize, chunk_spans
from wikicrawler.items import hash_text

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "readers.md"
_BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the page."""
    folder = tmp_path_factory.mktemp("readers")
    subprocess.run(
        [
            *(sys.executable, "-m", "wikicrawler.demo", "crawl", "--"),
            *("-O", str(folder / "pages.parquet"), "-O", str(folder / "chunks.jsonl:chunks")),
        ],
        check=True,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=300,
    )
    return folder


@pytest.fixture(scope="module")
def ran(folder: Path) -> dict[str, Any]:
    """The names of the page's code after all of it has run; ``printed`` by each block."""
    before = Path.cwd()
    os.chdir(folder)
    names: dict[str, Any] = {"printed": []}
    try:
        for kind, text in _BLOCK.findall(PAGE.read_text("utf-8")):
            if kind == "text":
                names["printed"][-1] = (*names["printed"][-1], text)
                continue
            out = StringIO()
            with redirect_stdout(out):
                exec(compile(text, str(PAGE), "exec"), names)  # noqa: S102
            names["printed"].append((out.getvalue(),))
    finally:
        os.chdir(before)
    return names


def test_the_code_prints_what_the_page_shows(ran: dict[str, Any]) -> None:
    shown = [printed for printed in ran["printed"] if len(printed) > 1]
    assert len(shown) == 4
    for printed, text in shown:
        assert printed.strip() == text.strip()
    assert all(not printed[0] for printed in ran["printed"] if len(printed) == 1)


def test_changes_replace_the_chunks_of_their_pages(ran: dict[str, Any], folder: Path) -> None:
    table = ran["table"]
    rows = table.to_arrow().to_pylist()
    edited, gone = sorted({row["url"] for row in rows})[:2]
    text = "A page about zeppelins."
    (span,) = chunk_spans(text, edited, ChunkSize(100, 0))
    page = {"title": "T", "content_hash": hash_text(text)}
    lines = [
        {**page, **span, "url": edited, "index": 0, "count": 1, "text": text, "change": "modified"},
        {**page, "id": None, "url": gone, "headings": [], "count": 0, "text": "", "index": 0},
    ]
    path = folder / "changes.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    ran["apply_changes"](path)
    left = table.to_arrow().to_pylist()
    assert [row["text"] for row in left if row["url"] == edited] == [text]
    assert gone not in {row["url"] for row in left}
    others = [row["id"] for row in rows if row["url"] not in {edited, gone}]
    assert {*others, span["id"]} == {row["id"] for row in left}
    assert ran["search"]("zeppelins", 1)[0]["id"] == span["id"]
