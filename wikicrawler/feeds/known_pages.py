"""The pages that an earlier crawl has written, as its feed has them."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.errors import ConfigError
from wikicrawler.feeds.record_lines import read_json_lines, read_record_lines
from wikicrawler.frontier.sqlite.file import NAME, feeds_in
from wikicrawler.items import DELETED, CrawlResult
from wikicrawler.text.safe import one_line
from wikicrawler.urls.sites import host_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


_OF_A_SKIP = frozenset({"reason", "detail", "attempts", "time"})
"""Fields of a page that was skipped (``WIKICRAWLER_SKIPPED_FILE``)."""


class KnownPage(NamedTuple):
    """What is remembered of a page's record."""

    revid: int | None
    fetched: int
    """When it was fetched, in seconds since the epoch; 0 if the record does not say."""
    digest: bytes
    """Of what :func:`digest_of` reads."""
    title: str

    @property
    def is_wiki(self) -> bool:
        """Whether it is a page of a MediaWiki, which can be asked about it."""
        return self.revid is not None


class KnownPages(dict[str, KnownPage]):
    """The pages of an earlier crawl, by URL: some 1,000 bytes of memory each."""

    @classmethod
    def read(cls, path: Path) -> KnownPages:
        """Return the pages of the feed at *path*, or of the feeds of the state folder (``JOBDIR``)
        at *path*.

        The last record of a page counts. Records of changes are applied.

        :raises ConfigError: a file cannot be read, or is not a feed of JSON lines
        """
        pages = cls()
        for file in feeds_at(path):
            for one in read_record_lines(file, skip_torn=True):
                if not host_of(one.url) or not one.url.lower().startswith(("http://", "https://")):
                    raise ConfigError(
                        f"{one_line(file)}:{one.number}: its url is none of http or https: "
                        f"{one_line(one.url, 200)}"
                    )
                if one.previous_url is not None:
                    pages.pop(one.previous_url, None)
                if one.change == DELETED:
                    pages.pop(one.url, None)
                else:
                    pages[one.url] = _page(one.record)
        if not pages:
            raise ConfigError(f"since: {one_line(path)} has no record (crawl without since first)")
        return pages

    def has_same(self, record: CrawlResult) -> bool:
        """Return True if the page of *record* is known, with this content."""
        known = self.get(record.url)
        return known is not None and known.digest == digest_of(
            record.title, record.content_hash, record.categories, record.links, record.revid
        )


def digest_of(
    title: str,
    content_hash: str,
    categories: Iterable[str],
    links: Iterable[str],
    revid: int | None,
) -> bytes:
    """Return a hash of what makes a record another one: of a wiki's page also its categories and
    links, which may change without its text."""
    found = blake2b(digest_size=16)
    parts = [title, content_hash]
    if revid is not None:
        parts += [str(revid), *sorted(categories), "", *sorted(links)]
    for part in parts:
        found.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return found.digest()


def feeds_at(path: Path) -> list[Path]:
    """Return the feed at *path*, or the feeds of pages of the state folder (``JOBDIR``) at *path*.

    :raises ConfigError: the folder is none, or has no feed
    """
    if not path.is_dir():
        return [path]
    if not (path / NAME).is_file():
        raise ConfigError(
            f"since: {one_line(path)} is a folder, but no JOBDIR (name the feed of a crawl)"
        )
    files = [file for file in feeds_in(path) if file.is_file() and _has_pages(file)]
    if not files:
        raise ConfigError(
            f"since: the crawl in {one_line(path)} wrote no feed that is still there (name one)"
        )
    return files


def _has_pages(feed: Path) -> bool:
    """Return False if the first line of *feed* is none of a page: of a chunk, or of a page that was
    skipped, which the crawl wrote beside its pages."""
    with suppress(ConfigError):  # reported when the feed is read
        for one in read_json_lines(feed, end=1):
            return not one.is_chunk and not one.record.keys() >= _OF_A_SKIP
    return True


def _page(record: dict[str, Any]) -> KnownPage:
    revid = record.get("revid")
    revid = revid if type(revid) is int and 0 < revid < 1 << 63 else None
    title = _text(record.get("title"))
    digest = digest_of(
        title,
        _text(record.get("content_hash")),
        _texts(record.get("categories")),
        _texts(record.get("links")),
        revid,
    )
    return KnownPage(revid, _seconds(record.get("fetched_at")), digest, title)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _seconds(value: object) -> int:
    try:
        found = datetime.fromisoformat(_text(value))
        return int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError):
        return 0
