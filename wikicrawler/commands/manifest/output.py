"""What the subcommands of ``scrapy manifest`` share."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikicrawler.text.safe import one_line, safe_lines

if TYPE_CHECKING:
    import argparse

    from scrapy.crawler import CrawlerProcessBase
    from scrapy.settings import BaseSettings

    from wikicrawler.sources.manifest.reader import Reading


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a subcommand."""

    settings: BaseSettings
    process: CrawlerProcessBase | None
    args: tuple[str, ...]
    opts: argparse.Namespace

    def path(self, index: int) -> Path:
        """Return the argument *index* as the path of a file."""
        return Path(self.args[index])


def report(message: object) -> None:
    """Print *message* on standard error."""
    sys.stderr.write(f"scrapy manifest: {safe_lines(message)}\n")


def fault_lines(reading: Reading) -> list[str]:
    """Return a line for each fault and notice of a file."""
    faults = [f"{reading.name}:{fault}" for fault in reading.faults]
    return faults + [f"{reading.name}:{notice} [notice]" for notice in reading.notices]


def counted(sources: int, active: int) -> str:
    """Return a count of sources in words."""
    return f"{sources} source{'s' if sources != 1 else ''}, {active} active"


def shown(value: Any) -> str:
    """Return a JSON value in one printable line."""
    return one_line(json.dumps(value, ensure_ascii=False) if value is not None else "null", 500)


def to_json(data: Any) -> str:
    """Return a line of JSON in ASCII."""
    return json.dumps(data)
