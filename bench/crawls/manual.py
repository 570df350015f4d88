"""The manual of OpenTTD, which its players wrote: real text for a wiki, from ``bench/data``."""

from __future__ import annotations

import lzma
import re
from pathlib import Path

from lxml import etree

from bench.crawls.render import Wiki

DUMP = Path(__file__).parents[1] / "data" / "openttd-manual" / "pages.xml.xz"
_SETTINGS = """
$wgSitename = "OpenTTD's Wiki";
$wgRightsUrl = 'https://www.gnu.org/licenses/fdl-1.3.html';
$wgRightsText = 'GNU Free Documentation License 1.3';
"""
_MAIN_PAGE = "en/Main Page"
# The software of that wiki takes the languages of a page from this link, and does not show it.
_TRANSLATION = re.compile(r"\[\[Translation:[^\]\n]*\]\][ ]*\n?")
_LINK = re.compile(r"\[\[(?=(?:en|ja|ko|ru|zh)/)")
_IMAGE = re.compile(r"[^\[\]{}|=\n:<>\\]{1,200}\.(?:png|gif|jpe?g)\b", re.IGNORECASE)


def wiki(pages: int | None = None) -> tuple[Wiki, int]:
    """Return a wiki of the manual, with *pages* articles, and how many of them are copies.

    Fewer than all are every so many-th by title, so that the languages keep their shares. Links
    to the others lead to the form for a new page, as links to missing pages do in any wiki. More
    than all: articles come again under a title with a number before it, and link to such ones.
    """
    sources = {title: _TRANSLATION.sub("", text) for title, text in _read().items()}
    manual = [title for title, text in sources.items() if _is_article(title) and text.strip()]
    wanted = len(manual) if pages is None else pages
    result = {title: text for title, text in sources.items() if not _is_article(title)}
    articles: list[str] = []
    edition = 0
    while len(articles) < wanted:
        edition += 1
        prefix = f"{edition}/" if edition > 1 else ""
        for title in _evenly(manual, wanted - len(articles)):
            articles.append(prefix + title)
            text = sources[title]
            result[prefix + title] = _LINK.sub(f"[[{prefix}", text) if prefix else text
    result["MediaWiki:Mainpage"] = _MAIN_PAGE if _MAIN_PAGE in result else articles[0]
    images = {name.strip() for text in sources.values() for name in _IMAGE.findall(text)}
    return Wiki(result, articles, _SETTINGS, sorted(images)), max(0, wanted - len(manual))


def _read() -> dict[str, str]:
    """Wikitext by title."""
    with lzma.open(DUMP) as file:
        pages = etree.parse(file).iter("{*}page")
        return {page.findtext("{*}title"): page.findtext(".//{*}text") or "" for page in pages}


def _is_article(title: str) -> bool:
    return not title.startswith(("Category:", "Template:"))


def _evenly(titles: list[str], count: int) -> list[str]:
    count = min(count, len(titles))
    return [titles[number * len(titles) // count] for number in range(count)]
