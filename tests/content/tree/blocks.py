"""What the blocks of a page say: the text of a tree, each piece with the blocks around it."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

from tests.servers.crawl4ai import BROWSER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from lxml.html import HtmlElement

_NAMES = """
    address article aside blockquote caption center dd details div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header li main menu nav noscript ol pre search section select
    summary svg table td template textarea th title tr ul
"""
BLOCKS = frozenset(_NAMES.split())
NOT_SHOWN = frozenset(("script", "style"))


def blocks_of(root: HtmlElement, names: frozenset[str] = BLOCKS) -> list[str]:
    """Return the text of *root* as lines ``nav div: Menu``, one for each run of text in a block.

    *names* are the elements that count as blocks. White space does not count.
    """
    return _lines((path, text) for path, text in _texts(root, names))


def _lines(texts: Iterator[tuple[str, str]]) -> list[str]:
    lines: list[list[str]] = []
    for path, text in texts:
        words = "".join(text.split())
        if words and lines and lines[-1][0] == path:
            lines[-1][1] += words
        elif words:
            lines.append([path, words])
    return [f"{path}: {words}" for path, words in lines]


def _texts(root: HtmlElement, names: frozenset[str]) -> Iterator[tuple[str, str]]:
    stack: list[tuple[HtmlElement | None, str, str]] = [(root, "", "")]
    while stack:
        el, path, tail = stack.pop()
        if el is None:
            yield path, tail
            continue
        inside = f"{path} {el.tag}".strip() if el.tag in names else path
        if el.tag in NOT_SHOWN:
            continue
        yield inside, el.text or ""
        for child in reversed(el):
            stack += [(None, inside, child.tail or ""), (child, inside, "")]


def blocks_in_chromium(
    pages: Sequence[str], folder: Path, names: frozenset[str] = BLOCKS
) -> list[list[str]]:
    """Return the same of each of *pages* as Chromium parses them, without running their scripts."""
    page = folder / "pages.html"
    data = json.dumps({"pages": pages, "blocks": sorted(names), "hidden": sorted(NOT_SHOWN)})
    page.write_text(_PAGE.replace("DATA", data.replace("<", "\\u003c")), "utf-8")
    done = subprocess.run(
        [
            *(BROWSER, "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--dump-dom"),
            *(f"--user-data-dir={folder}/home", page.as_uri()),
        ],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    found: list[Any] = json.loads(done.stdout.partition("RESULT[")[2].partition("]RESULT")[0])
    return [_lines((path, text) for path, text in texts) for texts in found]


_PAGE = """<!DOCTYPE html><meta charset=utf-8><body><script id=data>
const data = DATA, blocks = new Set(data.blocks), hidden = new Set(data.hidden);
function texts(node, path, found) {
  if (node.nodeType === 3) found.push([path, node.data]);
  if (node.nodeType === 1) {
    const name = node.localName.toLowerCase();
    if (hidden.has(name)) return;
    if (blocks.has(name)) path = `${path} ${name}`.trim();
  }
  const inside = node.content && node.localName === "template" ? node.content : node;
  for (const child of inside.childNodes) texts(child, path, found);
}
const results = data.pages.map(html => {
  const found = [];
  texts(new DOMParser().parseFromString(html, "text/html"), "", found);
  return found;
});
const escaped = JSON.stringify(results).replace(
  /[<>&\\u0080-\\uffff]/g, c => "\\\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
document.body.textContent = "RESULT[" + escaped + "]RESULT";
</script>"""
