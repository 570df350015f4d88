"""What a program's records are worth: whether all pages are there, and how faithful they are."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path  # noqa: TC003
from typing import TYPE_CHECKING
from urllib.parse import unquote

try:
    from tests.content.fidelity import check
    from tests.content.fidelity.score import total
except ImportError:  # no checker here: the column stays empty
    check = total = None

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.crawls.corpus import Page

SAMPLE = 60
"""Pages that are compared with their Markdown; each takes some tenths of a second."""
_IMAGE = re.compile(r"""<img\b(?:[^>"']|"[^"]*"|'[^']*')*+>""")
_SHOWN = ("headings", "cells", "links", "lists", "words")


@dataclass
class Records:
    """Of one crawl."""

    pages: int = 0
    """Of the site's pages, those that came with a text."""
    missing: list[str] = field(default_factory=list)
    """Paths of those that did not."""
    repeated: int = 0
    """Records of a page that had one."""
    markdown: dict[str, str] = field(default_factory=dict)
    """By path."""


def read_records(file: Path, pages: list[Page]) -> Records:
    """The records in *file* of a crawl of *pages*."""
    expected = {unquote(page.path): page.path for page in pages}
    result = Records()
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    for line in lines:
        record = json.loads(line)
        # Programs write escapes of a URL in one way or the other; the path begins at /wiki/.
        path = expected.get(unquote("/" + record["url"].split("/", 3)[3]))
        if path is None:
            continue  # the start page
        if path in result.markdown:
            result.repeated += 1
            continue
        text = record.get("markdown", record.get("content"))
        if text and text.strip():
            result.markdown[path] = text
    result.pages = len(result.markdown)
    result.missing = [page.path for page in pages if page.path not in result.markdown]
    return result


def fidelity(markdown: Mapping[str, str], site: list[Page], url: str) -> dict[str, float]:
    """How much of *site*, at *url*, is in *markdown* (by path): recall by kind, and the share of
    the chrome that leaked. Of a sample of the pages; empty where there is no checker.

    What a page says is the content element of its HTML, as MediaWiki has rendered it, without what
    is for navigation. Images do not count, on either side: Markdown's have no text.
    """
    if check is None:
        return {}
    scores = []
    for page in site[:: max(1, len(site) // SAMPLE)]:
        text = _IMAGE.sub("", page.html.decode("utf-8", "replace"))
        scores.append(check(text, markdown.get(page.path, ""), url + page.path).scores)
    sums = total(scores)
    return {kind: sums[kind].recall for kind in _SHOWN} | {"chrome": sums["chrome"].leaked}
