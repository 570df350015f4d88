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

_OWN = ("change", "previous_url")


def merged(feeds: Sequence[Path]) -> Iterator[bytes]:
    """Yield the lines of *feeds*, of which each has the changes since the one before.

    The last record of a page counts, at its own place; pages that were deleted or moved away are
    left out. The feeds are read twice; in memory are the URLs only. What is appended to a feed
    meanwhile is left out.

    :raises ConfigError: a file cannot be read, or is not a feed of JSON lines; or it has lost
        records while it was read
    """
    _refuse_pipes(feeds)
    latest: dict[str, tuple[int, int]] = {}
    ends: dict[int, int] = {}
    for place, feed in enumerate(feeds):
        for one in read_record_lines(feed):
            ends[place] = one.number
            if one.previous_url is not None:
                latest.pop(one.previous_url, None)
            if one.change == DELETED:
                latest.pop(one.url, None)
            else:
                latest[one.url] = place, one.number
    left = Counter(place for place, _ in latest.values())
    for place, feed in enumerate(feeds):
        for one in read_record_lines(feed, end=ends.get(place, 0)):
            if latest.get(one.url) == (place, one.number):
                left[place] -= 1
                yield _plain(one)
        if left[place]:
            raise ConfigError(f"{one_line(feed)} has changed while it was read: merge again")


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
