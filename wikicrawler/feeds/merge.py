"""A feed with the changes of later crawls applied."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from wikicrawler.errors import ConfigError
from wikicrawler.feeds.exporters import RecordEncoder
from wikicrawler.feeds.record_lines import read_record_lines
from wikicrawler.items import DELETED
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from wikicrawler.feeds.record_lines import RecordLine

_KINDS = {False: "a page", True: "a chunk"}
_OWN = ("change", "previous_url")


def merged(feeds: Sequence[Path]) -> Iterator[bytes]:
    """Yield the lines of *feeds*, of which each has the changes since the one before.

    The last record of a page counts, at its own place; pages that were deleted or moved away are
    left out. The feeds are read twice; in memory are the URLs only. What is appended to a feed
    meanwhile is left out. Chunks are merged by their pages; a page whose chunks are being written
    is an error.

    :raises ConfigError: a file cannot be read, or is not a feed of JSON lines; or it has lost
        records while it was read; or some feeds are of pages and some of chunks
    """
    _refuse_pipes(feeds)
    latest: dict[str, tuple[int, int]] = {}
    ends: dict[int, int] = {}
    is_chunk: bool | None = None
    for place, feed in enumerate(feeds):
        for one in _read(feed, None):
            if one.is_chunk != is_chunk and is_chunk is not None:
                raise ConfigError(
                    f"{one_line(feed)}:{one.number}: is {_KINDS[one.is_chunk]}, and the lines "
                    f"before are {_KINDS[is_chunk]}s (merge feeds of one kind)"
                )
            is_chunk = one.is_chunk
            ends[place] = one.number
            if one.previous_url is not None:
                latest.pop(one.previous_url, None)
            if one.change == DELETED:
                latest.pop(one.url, None)
            else:
                latest[one.url] = place, _begin(one)
    left = Counter(place for place, _ in latest.values())
    for place, feed in enumerate(feeds):
        for one in _read(feed, ends.get(place, 0)):
            if latest.get(one.url) == (place, _begin(one)):
                left[place] -= one.number == _begin(one)
                yield _plain(one)
        if left[place]:
            raise ConfigError(f"{one_line(feed)} has changed while it was read: merge again")


def _read(feed: Path, end: int | None) -> Iterator[RecordLine]:
    """
    :raises ConfigError: also if the chunks of a page are torn
    """
    last: RecordLine | None = None
    for one in read_record_lines(feed, end=end, chunks=True):
        if one.is_chunk and one.record["index"]:
            goes_on = last is not None and _begin(last) == _begin(one) and last.url == one.url
            if not goes_on:
                raise _torn(feed, one)
        elif last is not None and not _is_last(last):
            raise _torn(feed, last)
        last = one
        yield one
    if last is not None and not _is_last(last):
        raise _torn(feed, last)


def _begin(one: RecordLine) -> int:
    """Return the number of the first line of the page that *one* belongs to."""
    return one.number - one.record["index"] if one.is_chunk else one.number


def _is_last(one: RecordLine) -> bool:
    return not one.is_chunk or one.record["index"] + 1 >= one.record["count"]


def _torn(feed: Path, one: RecordLine) -> ConfigError:
    return ConfigError(
        f"{one_line(feed)}:{one.number}: the chunks of this page are not all there (a torn end is "
        "cut when a crawl appends to the feed)"
    )


def _refuse_pipes(feeds: Sequence[Path]) -> None:
    for feed in feeds:
        if feed.exists() and not feed.is_file() and not feed.is_dir():
            raise ConfigError(f"{one_line(feed)} is a pipe: name a file (it is read twice)")


def _plain(one: RecordLine) -> bytes:
    """Return the line of a record without what :class:`~wikicrawler.items.PageChange` adds."""
    if not any(name in one.record for name in _OWN):
        return one.line if one.line.endswith(b"\n") else one.line + b"\n"
    record = {name: value for name, value in one.record.items() if name not in _OWN}
    return (RecordEncoder().encode(record) + "\n").encode()
