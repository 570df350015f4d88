"""The list of the pages of a folder, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.content.markdown.escape import plain
from wikicrawler.feeds.markdown.front_matter import front_matter, split_page
from wikicrawler.feeds.markdown.links import as_target, as_text

if TYPE_CHECKING:
    from collections.abc import Sequence

_GENERATOR = "wikicrawler"


def index_text(folder: str, pages: Sequence[tuple[str, str]]) -> str:
    """Return an index of *pages*, which are titles with the names of their files.

    :param folder: the name of the site's folder; empty where it is not named after one
    """
    title = folder.partition("/")[0] or "Pages"
    count = f"{len(pages):,} page{'' if len(pages) == 1 else 's'}"
    lines = [
        f"- [{as_text(' '.join(plain(title_of).split()))}]({as_target(name)})"
        for title_of, name in sorted(pages, key=lambda page: (page[0].casefold(), page))
    ]
    head = front_matter({"title": title, "generator": _GENERATOR})
    return f"{head}\n# {as_text(title)}\n\n{count}\n\n" + "\n".join(lines) + "\n"


def is_index(text: str) -> bool:
    """Return whether *text* is an index that :func:`index_text` has made."""
    return split_page(text).value("generator") == _GENERATOR
