"""The end of the chain, kept outside of the database.

The chain alone shows that no record in it was changed, but who can write to the database could
build a new one. An anchor that is kept elsewhere shows that: the chain must still contain its hash.
An anchor file has one line of JSON for each anchor, and lines are only added.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wikicrawler.audit.record import utc_text
from wikicrawler.errors import ConfigError
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from wikicrawler.store.audit_chain import Head

_FORMAT = "wikicrawler audit anchor 1"
_HASH = re.compile("[0-9a-f]{64}")
_MAX_FILE = 64 << 20


@dataclass(frozen=True, slots=True)
class Anchor:
    """A record's place in the chain at a time."""

    sequence: int
    hash: str
    timestamp: str


def add_anchor(path: Path, head: Head) -> Anchor:
    """Add the anchor for *head* to the file *path*.

    :raises ConfigError: the file cannot be written
    """
    anchor = anchor_of(head)
    try:
        with path.open("a", encoding="ascii") as file:
            file.write(anchor_line(anchor))
    except OSError as error:
        raise ConfigError(f"{one_line(path)}: cannot be written: {error.strerror}") from None
    return anchor


def anchor_of(head: Head) -> Anchor:
    """Return the anchor for *head* at this time."""
    return Anchor(head.sequence, head.hash, utc_text(datetime.now(UTC)))


def anchor_line(anchor: Anchor) -> str:
    """Return the line of an anchor file."""
    return json.dumps({"format": _FORMAT, **asdict(anchor)}) + "\n"


def read_anchors(path: Path) -> list[Anchor]:
    """Return the anchors of the file *path*.

    :raises ConfigError: it cannot be read, or has a line that is no anchor
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_FILE)
    except OSError as error:
        raise ConfigError(f"{one_line(path)}: cannot be read: {error.strerror}") from None
    return parse_anchors(data, one_line(path))


def parse_anchors(data: bytes, name: str) -> list[Anchor]:
    """Return the anchors of a file with the content *data*.

    :param name: of the file, for messages
    :raises ConfigError: it has none, or a line that is no anchor
    """
    lines = data.decode("utf-8", "replace").splitlines()
    found = [_read(line, f"{name}:{number}") for number, line in enumerate(lines, 1)]
    if not found:
        raise ConfigError(f"{name}: has no anchor (scrapy audit anchor FILE adds one)")
    return found


def _read(line: str, place: str) -> Anchor:
    try:
        data = json.loads(line)
        if data.pop("format") != _FORMAT:
            raise ValueError
        anchor = Anchor(**data)
        sound = type(anchor.sequence) is int and anchor.sequence >= 0
        if not sound or not _HASH.fullmatch(anchor.hash) or not isinstance(anchor.timestamp, str):
            raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ConfigError(
            f'{place}: not an anchor (right would be {{"format": "{_FORMAT}", "sequence": 1, '
            '"hash": "…", "timestamp": "…"})'
        ) from None
    return anchor
