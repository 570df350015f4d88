"""Which page has which file in a folder."""

from __future__ import annotations

import os
import posixpath
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.feeds.markdown.front_matter import read_head
from wikicrawler.feeds.markdown.names import SUFFIX, file_name, folded, site_folder, told_apart

if TYPE_CHECKING:
    from collections.abc import Iterator

SITE = "%(site)s"
"""Stands in the name of a folder for the host of a page."""
PART = ".part"
"""How the name of a hidden file ends that becomes another one when it is whole."""


class Place(NamedTuple):
    """Where the files of a feed are."""

    root: Path
    below: str
    """Names the folder of a site in the root; contains :data:`SITE`, or is empty."""

    @classmethod
    def of(cls, path: Path) -> Place:
        """Return the place that the *path* of a feed names, which may contain :data:`SITE`."""
        parts = path.parts
        first = next((n for n, part in enumerate(parts) if SITE in part), len(parts))
        return cls(Path(*parts[:first]), "/".join(parts[first:]))

    def folder(self, url: str) -> str:
        """Return the folder of the site of *url*, relative to the root; empty: the root itself."""
        return self.below.replace(SITE, site_folder(url)) if self.below else ""

    def folder_of(self, name: str) -> str:
        """Return the site's folder that the file *name* is in."""
        depth = self.below.count("/") + 1 if self.below else 0
        return "/".join(name.split("/")[:depth])

    def name(self, url: str) -> str:
        """Return the name of the file of *url*, where no other page has it."""
        return posixpath.join(self.folder(url), file_name(url))


class PageNames:
    """The names of the files of pages, relative to the root, with ``/`` between folders.

    Some 300 bytes of memory for each page: names by hashes, and no URL.

    :raises OSError: the folder cannot be read
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._names: dict[bytes, str] = {}  # by the hash of the page's URL
        self._taken: dict[bytes, str] = {}  # by the hash of what a file system sees of the name
        for name in self._files():
            self._taken[_hash(folded(name))] = name
            if url := self.url_of(name):
                self._learn(url, name)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names, sorted."""
        return iter(sorted(set(self._names.values())))

    def of(self, url: str) -> str | None:
        """Return the name of the file of the page *url*, if it has one."""
        return self._names.get(_hash(url))

    def holder(self, name: str) -> str | None:
        """Return the name that is *name* for some file system and is taken, if there is one."""
        return self._taken.get(_hash(folded(name)))

    def free_name(self, url: str) -> str:
        """Return a name for *url* with as much of a hash as makes it free."""
        name = ""
        for digits in (8, 16, 32):
            name = posixpath.join(self._place.folder(url), told_apart(url, digits))
            if self.holder(name) is None:
                break
        return name

    def take(self, url: str, name: str) -> None:
        """Let the page *url* have *name*."""
        self._names[_hash(url)] = name
        self._taken[_hash(folded(name))] = name

    def leave(self, url: str, name: str) -> None:
        """Let *name* be free, which the page *url* has."""
        self._names.pop(_hash(url), None)
        self._taken.pop(_hash(folded(name)), None)

    def url_of(self, name: str) -> str:
        """Return the URL of the page in the file *name*; empty where it is not there, or none of a
        page."""
        try:
            return read_head(self._place.root / name).url
        except FileNotFoundError:
            return ""

    def _files(self) -> Iterator[str]:
        """Yield the names of the Markdown files that are there; remove what a kill has left."""
        root = self._place.root
        for folder, folders, files in os.walk(root):
            folders[:] = [one for one in folders if not one.startswith(".")]
            for file in files:
                if file.startswith(".") and file.endswith(PART):
                    Path(folder, file).unlink(missing_ok=True)
                elif file.endswith(SUFFIX):
                    yield Path(folder, file).relative_to(root).as_posix()

    def _learn(self, url: str, name: str) -> None:
        """Take *name* for the file of *url*, unless it is a copy of the one that we have named."""
        if self._names.setdefault(_hash(url), name) != name and name == self._place.name(url):
            self._names[_hash(url)] = name


def _hash(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=10).digest()
