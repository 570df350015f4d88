"""A folder of Markdown files, one for each page."""

from __future__ import annotations

import json
import logging
import posixpath
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from wikicrawler.feeds.line_file import LineFile
from wikicrawler.feeds.markdown.front_matter import read_head, split_page
from wikicrawler.feeds.markdown.index import index_text, is_index
from wikicrawler.feeds.markdown.links import as_path, as_target, with_links
from wikicrawler.feeds.markdown.names import INDEX, file_name, told_apart
from wikicrawler.feeds.markdown.page_names import PART, PageNames
from wikicrawler.frontier.lock import FolderLock
from wikicrawler.text.safe import one_line, without_surrogates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from wikicrawler.feeds.markdown.page_names import Place

logger = logging.getLogger(__name__)

_OWN = ".wikicrawler"
"""Folder in the root of what is not for readers."""
_UNSETTLED = "unsettled.jsonl"
"""File in it, while files were written since the links were made; its lines are the pages that have
another file now, or none, with the name of the file that was theirs."""
_ALIASES = "aliases.jsonl"
"""URLs that lead to pages."""


class MarkdownFolder:
    """The files of pages in a folder that this process alone writes.

    A file is replaced as a whole, so a kill leaves the old one or the new one. Links in them are
    URLs until :meth:`settle` makes those to other files relative. Files that are none of a page,
    such as a reader's notes, are left alone.

    :raises StateError: another process writes the folder
    :raises OSError: it cannot be read or written
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._root = place.root
        (self._root / _OWN).mkdir(parents=True, exist_ok=True)
        self._lock = FolderLock(self._root / _OWN, shown=one_line(self._root))
        self._lock.acquire()
        self._names = PageNames(place)
        self._aliases = dict(self._noted(_ALIASES))
        self._gone = {name: url for url, name in self._noted(_UNSETTLED)}

    def write(self, url: str, head: str, body: str) -> bool:
        """Write the file of the page *url*; return False where it says the same already.

        :raises OSError: it cannot be written
        """
        name = self._names.of(url)
        if name is None:
            name = self._new_name(url)
        else:
            with suppress(FileNotFoundError):
                if read_head(self._root / name).says_the_same(head):
                    return False
        if not (self._root / _OWN / _UNSETTLED).exists():
            self._append(_UNSETTLED, {})
        self._names.take(url, name)
        self._replace(self._root / name, head + body)
        return True

    def remove(self, url: str) -> bool:
        """Remove the file of the page *url*; return False where there is none.

        :raises OSError: it cannot be removed
        """
        name = self._names.of(url)
        if name is None:
            return False
        self._leave(url, name)
        (self._root / name).unlink(missing_ok=True)
        folder = posixpath.dirname(name)
        while folder and folder != self._place.folder_of(name):
            try:
                (self._root / folder).rmdir()
            except OSError:  # another file is in it
                break
            folder = posixpath.dirname(folder)
        return True

    def add_alias(self, url: str, target: str) -> None:
        """Note that *url* leads to the page *target*, also for later crawls.

        :raises OSError: it cannot be noted
        """
        if self._aliases.get(url) != target:
            self._aliases[url] = target
            self._append(_ALIASES, {"url": url, "target": target})

    def settle(self) -> None:
        """Lead the links of all files to the files that are there, and write the indexes, where
        anything was written or removed since. A kill is made good by the next crawl.

        :raises OSError: a file cannot be read or written
        """
        unsettled = self._root / _OWN / _UNSETTLED
        if not unsettled.exists():
            return
        titles: dict[str, list[tuple[str, str]]] = {
            self._place.folder_of(name): [] for name in self._gone
        }
        if self._gone:  # first, as another page may have one of the names now
            self._lead_links(self._restored)
            unsettled.write_text("{}\n")
            self._gone.clear()
        for name, title in self._lead_links(self._relative):
            titles.setdefault(self._place.folder_of(name), []).append((title, name))
        for folder, pages in titles.items():
            self._write_index(folder, pages)
        unsettled.unlink()

    def close(self) -> None:
        """Let go of the folder; harmless when called again."""
        self._lock.release()

    # -- names --------------------------------------------------------------------------------

    def _new_name(self, url: str) -> str:
        """Return a name for *url*, which has none; another page may have to leave it.

        Of several URLs for one name the first in the alphabet has it, and the others get a hash: so
        the names are the same in whatever order the pages come.
        """
        name = self._place.name(url)
        holder = self._names.holder(name)
        if holder is None:
            return name
        other = self._names.url_of(holder)
        if url < other and told_apart(other) != file_name(other):
            self._leave(other, holder)
            new = self._names.free_name(other)
            self._names.take(other, new)
            (self._root / holder).rename(_made(self._root / new))
            return name
        return self._names.free_name(url)

    def _leave(self, url: str, name: str) -> None:
        """Note that *name*, to which links lead, is not that of *url* any more."""
        self._append(_UNSETTLED, {"url": url, "target": name})
        self._gone[name] = url
        self._names.leave(url, name)

    # -- notes --------------------------------------------------------------------------------

    def _append(self, file: str, what: dict[str, str]) -> None:
        lines = LineFile(self._root / _OWN / file)
        try:
            lines.write(json.dumps(what).encode() + b"\n")
        finally:
            lines.close()

    def _noted(self, file: str) -> Iterator[tuple[str, str]]:
        """Yield the URL and the target of each line of *file*."""
        with suppress(FileNotFoundError), (self._root / _OWN / file).open("rb") as lines:
            for line in lines:
                with suppress(ValueError, KeyError, TypeError):
                    found = json.loads(line)
                    yield str(found["url"]), str(found["target"])

    # -- links and files ----------------------------------------------------------------------

    def _lead_links(self, new_target: Callable[[str, str], str | None]) -> list[tuple[str, str]]:
        """Write all files again whose links have another target; return their names and titles.

        :param new_target: returns the new target of a link, for the folder of the file and the old
            target; None: it stays
        """
        titles = []
        for name in self._names:
            try:
                page = split_page((self._root / name).read_bytes().decode("utf-8", "replace"))
            except FileNotFoundError:
                continue
            body = with_links(page.body, partial(new_target, posixpath.dirname(name)))
            if body != page.body:
                self._replace(self._root / name, page.head + body)
            titles.append((name, page.value("title") or page.url))
        return titles

    def _restored(self, folder: str, target: str) -> str | None:
        """The URL of the page whose file had the name that *target* leads to."""
        if ":" in target or not (path := as_path(target)):
            return None
        url = self._gone.get(posixpath.normpath(posixpath.join(folder, path)))
        return None if url is None else url + _fragment(target)

    def _relative(self, folder: str, target: str) -> str | None:
        """The way to the file of the page whose URL is *target*."""
        if not target.startswith(("http://", "https://")):
            return None
        url = target.partition("#")[0]
        name = self._names.of(url) or self._names.of(self._aliases.get(url, ""))
        if name is None:
            return None
        return as_target(posixpath.relpath(name, folder or ".")) + _fragment(target)

    def _write_index(self, folder: str, pages: list[tuple[str, str]]) -> None:
        path = self._root / folder / INDEX
        text = index_text(
            folder, [(title, posixpath.relpath(name, folder or ".")) for title, name in pages]
        )
        try:
            old = path.read_bytes().decode("utf-8", "replace")
        except FileNotFoundError:
            old = ""
        if old and not is_index(old):
            logger.warning("%s: is not of a crawl, so no index is written", one_line(path))
        elif old != text:
            self._replace(path, text)

    def _replace(self, path: Path, text: str) -> None:
        part = _made(path).with_name(f".{path.name}{PART}")
        part.write_bytes(without_surrogates(text).encode())
        part.replace(path)


def _made(path: Path) -> Path:
    """*path*, in a folder that is there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _fragment(target: str) -> str:
    _, mark, fragment = target.partition("#")
    return mark + fragment
